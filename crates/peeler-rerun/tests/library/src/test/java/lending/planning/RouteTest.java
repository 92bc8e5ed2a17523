package lending.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RouteTest {
    private final Route route = new Route().to(0, 0).to(3, 4).to(3, 5);

    @Test
    void lengthIsTheSumOfDistances() {
        assertEquals(6.0, route.length(), 1e-9);
    }

    @Test
    void oneStopIsNoWay() {
        assertEquals(0.0, new Route().to(1, 1).length(), 1e-9);
    }

    @Test
    void nearestStopIsFound() {
        assertEquals(1, route.nearest(3, 3));
        assertEquals(0, route.nearest(-1, 0));
    }

    @Test
    void emptyRouteHasNoNearest() {
        assertEquals(-1, new Route().nearest(0, 0));
    }
}
