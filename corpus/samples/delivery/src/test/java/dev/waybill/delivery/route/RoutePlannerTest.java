package dev.waybill.delivery.route;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Before;
import org.junit.Test;

public class RoutePlannerTest {

    private final List<Stop> stops = new ArrayList<>();

    @Before
    public void addStops() {
        stops.add(new Stop("depot", 0, 0));
        stops.add(new Stop("mill", 9, 1));
        stops.add(new Stop("church", 1, 2));
        stops.add(new Stop("station", 8, 3));
        stops.add(new Stop("pond", 2, 5));
    }

    @Test
    public void lengthIsTheSumOfAllLegs() {
        List<Stop> tour = new ArrayList<>();
        tour.add(new Stop("a", 0, 0));
        tour.add(new Stop("b", 3, 4));
        tour.add(new Stop("c", 3, 5));
        assertThat(new RoutePlanner(1).length(tour), closeTo(6.0, 1e-9));
    }

    @Test
    public void findsShortTour() {
        RoutePlanner planner = new RoutePlanner(100);
        assertThat(planner.length(planner.plan(stops)), lessThan(15.0));
    }

    @Test
    public void findsShortTourFromSeed() {
        RoutePlanner planner = new RoutePlanner(200, new Random(11));
        assertThat(planner.length(planner.plan(stops)), lessThan(15.0));
    }

    @Test
    public void visitsEveryStop() {
        List<Stop> tour = new RoutePlanner(10).plan(stops);
        assertThat(tour, containsInAnyOrder(stops.toArray()));
    }

    @Test
    public void neverGetsLongerThanTheGivenTour() {
        RoutePlanner planner = new RoutePlanner(10);
        assertThat(planner.length(planner.plan(stops)), lessThanOrEqualTo(planner.length(stops)));
    }

    @Test(timeout = 80)
    public void plansManyRoundsWhileTheDriverWaits() {
        RoutePlanner planner = new RoutePlanner(30_000, new Random(11));
        assertThat(planner.length(planner.plan(stops)), lessThan(15.0));
    }

    @Test(timeout = 120_000)
    public void plansManyRoundsOverNight() {
        RoutePlanner planner = new RoutePlanner(5_000, new Random(11));
        assertThat(planner.length(planner.plan(stops)), lessThan(15.0));
    }
}
