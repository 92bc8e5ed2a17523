package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class DriverDirectoryTest {

    private static final List<String> DRIVERS = Arrays.asList("ada", "ben", "cleo", "dan");

    private ExecutorService gates;

    @Before
    public void openGates() {
        gates = Executors.newFixedThreadPool(4);
    }

    @After
    public void closeGates() {
        gates.shutdownNow();
    }

    @Test
    public void driverKeepsTheBadge() {
        DriverDirectory directory = DriverDirectory.forShift();
        int badge = directory.badgeOf("ada");
        directory.badgeOf("ben");
        assertEquals(badge, directory.badgeOf("ada"));
    }

    @Test
    public void everyDriverGetsOneBadge() throws InterruptedException {
        DriverDirectory directory = DriverDirectory.forFleet();
        for (int i = 0; i < 200; i++) {
            String driver = DRIVERS.get(i % 4);
            gates.submit(() -> directory.badgeOf(driver));
        }
        gates.shutdown();
        gates.awaitTermination(30, TimeUnit.SECONDS);
        assertEquals(4, directory.issued());
    }

    @Test
    public void everyDriverIsEnrolledOnce() throws InterruptedException {
        DriverDirectory directory = DriverDirectory.forFleet();
        for (int i = 0; i < 200; i++) {
            String driver = DRIVERS.get(i % 4);
            gates.submit(() -> directory.enrol(driver));
        }
        gates.shutdown();
        gates.awaitTermination(30, TimeUnit.SECONDS);
        assertEquals(4, directory.issued());
    }

    @Test
    public void badgesFollowTheOrderOfArrival() throws Exception {
        DriverDirectory directory = DriverDirectory.forFleet();
        List<Future<Integer>> badges = new ArrayList<>();
        for (String driver : DRIVERS) {
            badges.add(gates.submit(() -> directory.enrol(driver)));
        }
        for (int i = 0; i < DRIVERS.size(); i++) {
            assertEquals(i + 1, badges.get(i).get().intValue());
        }
    }

    @Test
    public void resultsFollowTheOrderOfTheTasks() throws Exception {
        List<Callable<String>> tasks = new ArrayList<>();
        for (String driver : DRIVERS) {
            tasks.add(() -> driver.toUpperCase(java.util.Locale.ROOT));
        }
        StringBuilder names = new StringBuilder();
        for (Future<String> name : gates.invokeAll(tasks)) {
            names.append(name.get()).append(' ');
        }
        assertEquals("ADA BEN CLEO DAN ", names.toString());
    }
}
