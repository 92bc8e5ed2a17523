package dev.waybill.delivery.route;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Tries a number of random tours and keeps the shortest one. */
public final class RoutePlanner {

    private final Random random;
    private final int rounds;

    public RoutePlanner(int rounds) {
        this(rounds, new Random());
    }

    public RoutePlanner(int rounds, Random random) {
        this.rounds = rounds;
        this.random = random;
    }

    public List<Stop> plan(List<Stop> stops) {
        List<Stop> best = new ArrayList<>(stops);
        for (int i = 0; i < rounds; i++) {
            List<Stop> candidate = new ArrayList<>(stops);
            Collections.shuffle(candidate, random);
            if (length(candidate) < length(best)) {
                best = candidate;
            }
        }
        return best;
    }

    public double length(List<Stop> tour) {
        double sum = 0;
        for (int i = 1; i < tour.size(); i++) {
            sum += tour.get(i - 1).distanceTo(tour.get(i));
        }
        return sum;
    }
}
