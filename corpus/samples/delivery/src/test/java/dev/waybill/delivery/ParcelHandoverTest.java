package dev.waybill.delivery;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class ParcelHandoverTest {

    private Parcel parcel;
    private Thread driver;

    @Before
    public void setUp() {
        parcel = new Parcel("P-7", 300, "Turku");
        driver = new Thread(() -> parcel.moveTo(ParcelStatus.DELIVERED));
    }

    @After
    public void tearDown() throws InterruptedException {
        driver.join();
    }

    @Test
    public void newParcelIsWaiting() {
        assertEquals(ParcelStatus.WAITING, parcel.status());
    }

    @Test
    public void driverDeliversParcel() throws InterruptedException {
        driver.start();
        driver.join(2);
        assertEquals(ParcelStatus.DELIVERED, parcel.status());
    }

    @Test
    public void driverDeliversParcelBeforeGoingHome() throws InterruptedException {
        driver.start();
        driver.join();
        assertEquals(ParcelStatus.DELIVERED, parcel.status());
    }

    @Test
    public void nothingMovesWithoutTheDriver() throws InterruptedException {
        Thread.sleep(20);
        assertNotEquals(ParcelStatus.DELIVERED, parcel.status());
    }
}
