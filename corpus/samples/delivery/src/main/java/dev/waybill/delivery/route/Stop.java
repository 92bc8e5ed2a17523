package dev.waybill.delivery.route;

public final class Stop {

    private final String name;
    private final double x;
    private final double y;

    public Stop(String name, double x, double y) {
        this.name = name;
        this.x = x;
        this.y = y;
    }

    public String name() {
        return name;
    }

    public double distanceTo(Stop other) {
        return Math.hypot(x - other.x, y - other.y);
    }

    @Override
    public String toString() {
        return name;
    }
}
