package dev.waybill.alerts.bus;

import dev.waybill.alerts.Notice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

/** Hands notices to everybody who asked for them. */
public final class AlertBus {

    private final Executor executor;
    private final List<Consumer<Notice>> subscribers = new CopyOnWriteArrayList<>();

    public AlertBus() {
        this(ForkJoinPool.commonPool());
    }

    public AlertBus(Executor executor) {
        this.executor = executor;
    }

    public void subscribe(Consumer<Notice> subscriber) {
        subscribers.add(subscriber);
    }

    public void publish(Notice notice) {
        for (Consumer<Notice> subscriber : subscribers) {
            executor.execute(() -> subscriber.accept(notice));
        }
    }
}
