package dev.waybill.alerts.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.alerts.Notice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AlertBusTest {

    private final Notice notice = Notice.info("Depot opened");

    @Nested
    class OnBackgroundThreads {

        private final AlertBus bus = new AlertBus();

        @Test
        void subscriberReceivesNotice() throws InterruptedException {
            List<Notice> received = Collections.synchronizedList(new ArrayList<>());
            bus.subscribe(received::add);
            bus.publish(notice);
            Thread.sleep(30);
            assertEquals(List.of(notice), received);
        }

        @Test
        void everySubscriberReceivesNotice() throws InterruptedException {
            CountDownLatch received = new CountDownLatch(3);
            for (int i = 0; i < 3; i++) {
                bus.subscribe(n -> received.countDown());
            }
            bus.publish(notice);
            assertTrue(received.await(1, TimeUnit.MINUTES));
        }

        @Test
        void noticeCanBeTakenFromAQueue() throws InterruptedException {
            BlockingQueue<Notice> received = new LinkedBlockingQueue<>();
            bus.subscribe(received::add);
            bus.publish(notice);
            assertEquals(notice, received.take());
        }

        @Test
        void noticesArriveInTheOrderTheyWerePublished() throws InterruptedException {
            BlockingQueue<String> received = new LinkedBlockingQueue<>();
            bus.subscribe(n -> received.add(n.title()));
            bus.publish(Notice.info("first"));
            bus.publish(Notice.info("second"));
            assertEquals("first", received.take());
            assertEquals("second", received.take());
        }

        @Test
        void queuedNoticeIsThere() {
            BlockingQueue<Notice> received = new LinkedBlockingQueue<>();
            bus.subscribe(received::add);
            bus.publish(notice);
            assertEquals(notice, received.poll());
        }
    }

    @Nested
    class OnTheCallingThread {

        private final AlertBus bus = new AlertBus(Runnable::run);

        @Test
        void subscriberReceivesNotice() {
            List<Notice> received = new ArrayList<>();
            bus.subscribe(received::add);
            bus.publish(notice);
            assertEquals(List.of(notice), received);
        }

        @Test
        void noticesArriveInTheOrderTheyWerePublished() {
            List<String> received = new ArrayList<>();
            bus.subscribe(n -> received.add(n.title()));
            bus.publish(Notice.info("first"));
            bus.publish(Notice.info("second"));
            assertEquals(List.of("first", "second"), received);
        }
    }
}
