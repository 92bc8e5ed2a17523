package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import dev.waybill.delivery.Parcel;
import dev.waybill.delivery.ParcelStatus;
import dev.waybill.delivery.support.Eventually;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public class DispatchQueueTest extends AbstractDispatchTest {

    private final Parcel parcel = new Parcel("P-1", 500, "Bergen");

    @Test
    public void parcelIsDelivered() throws InterruptedException {
        queue.submit(parcel);
        Thread.sleep(100);
        assertEquals(ParcelStatus.DELIVERED, parcel.status());
    }

    @Test
    public void parcelIsDeliveredOnceIdle() throws InterruptedException {
        queue.submit(parcel);
        assertTrue(queue.awaitIdle(30, TimeUnit.SECONDS));
        assertEquals(ParcelStatus.DELIVERED, parcel.status());
    }

    @Test
    public void parcelReachesItsDestination() throws InterruptedException {
        queue.submit(parcel);
        Eventually.holds(() -> parcel.status() == ParcelStatus.DELIVERED);
        assertEquals("P-1[DELIVERED]", parcel.toString());
    }

    @Test
    public void futureHoldsTheDeliveredParcel() throws Exception {
        Parcel delivered = queue.submit(parcel).get();
        assertSame(parcel, delivered);
        assertEquals(ParcelStatus.DELIVERED, delivered.status());
    }

    @Test
    public void listenerIsTold() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        queue.onDelivered(p -> told.countDown());
        queue.submit(parcel);
        assertTrue(told.await(30, TimeUnit.SECONDS));
    }

    @Test
    public void listenerIsToldSoon() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        queue.onDelivered(p -> told.countDown());
        queue.submit(parcel);
        assertTrue(told.await(40, TimeUnit.MILLISECONDS));
    }

    @Test
    public void listenerHearsOfEveryParcel() throws InterruptedException {
        AtomicInteger heard = new AtomicInteger();
        queue.onDelivered(p -> heard.incrementAndGet());
        parcels(9).forEach(queue::submit);
        settle();
        assertEquals(9, heard.get());
    }

    @Test
    public void listenerHearsOfParcelsInTurn() throws InterruptedException {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        queue.onDelivered(p -> heard.add(p.id()));
        parcels(3).forEach(queue::submit);
        queue.awaitIdle(30, TimeUnit.SECONDS);
        assertEquals(Arrays.asList("P-0", "P-1", "P-2"), heard);
    }

    @Test
    public void parcelIsOnTheRoadWhileItIsCarried() throws InterruptedException {
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch arrive = new CountDownLatch(1);
        try (DispatchQueue slow = new DispatchQueue(p -> {
            left.countDown();
            arrive.await();
        }, 1)) {
            slow.submit(parcel);
            left.await();
            assertEquals(ParcelStatus.ON_THE_ROAD, parcel.status());
            arrive.countDown();
        }
    }
}
