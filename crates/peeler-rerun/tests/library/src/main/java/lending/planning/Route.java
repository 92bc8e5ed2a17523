package lending.planning;

import java.util.ArrayList;
import java.util.List;

/** The way of the book van between branches. */
public final class Route {
    private final List<double[]> stops = new ArrayList<>();

    public Route to(double x, double y) {
        stops.add(new double[] {x, y});
        return this;
    }

    public double length() {
        double sum = 0;
        for (int i = 1; i < stops.size(); i++) {
            sum += distance(stops.get(i - 1), stops.get(i));
        }
        return sum;
    }

    public int nearest(double x, double y) {
        int best = -1;
        for (int i = 0; i < stops.size(); i++) {
            if (best < 0 || distance(stops.get(i), new double[] {x, y}) < distance(stops.get(best), new double[] {x, y})) {
                best = i;
            }
        }
        return best;
    }

    private static double distance(double[] from, double[] to) {
        return Math.hypot(from[0] - to[0], from[1] - to[1]);
    }
}
