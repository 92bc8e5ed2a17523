package dev.waybill.delivery.dispatch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import dev.waybill.delivery.Parcel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class SingleLaneDispatchTest extends AbstractDispatchTest {

    @Override
    protected int threads() {
        return 1;
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
    public void lastParcelWaitsForTheOthers() {
        List<Future<Parcel>> futures = new ArrayList<>();
        for (Parcel parcel : parcels(4)) {
            futures.add(queue.submit(parcel));
        }
        assertFalse(futures.get(3).isDone());
    }
}
