package dev.waybill.delivery.dispatch;

import dev.waybill.delivery.Parcel;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;

public abstract class AbstractDispatchTest {

    private static Carrier carrier;

    protected DispatchQueue queue;

    @BeforeClass
    public static void hireCarrier() {
        carrier = parcel -> Thread.sleep(10);
    }

    @Before
    public void openQueue() {
        queue = new DispatchQueue(carrier, threads());
    }

    @After
    public void closeQueue() {
        queue.close();
    }

    protected int threads() {
        return 3;
    }

    protected void settle() throws InterruptedException {
        Thread.sleep(150);
    }

    protected static List<Parcel> parcels(int count) {
        List<Parcel> parcels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parcels.add(new Parcel("P-" + i, 100 * i, "Oslo"));
        }
        return parcels;
    }
}
