package dev.waybill.delivery.support;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler whose time only moves when told to; tasks run on the calling thread. */
public final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {

    private static final class Task {
        private final Runnable action;
        private final long period;
        private long due;

        private Task(Runnable action, long due, long period) {
            this.action = action;
            this.due = due;
            this.period = period;
        }
    }

    private final List<Task> tasks = new ArrayList<>();
    private long now;

    public void advance(long millis) {
        now += millis;
        for (Task task : new ArrayList<>(tasks)) {
            while (tasks.contains(task) && task.due <= now) {
                task.action.run();
                if (task.period == 0) {
                    tasks.remove(task);
                } else {
                    task.due += task.period;
                }
            }
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        tasks.add(new Task(command, now + unit.toMillis(delay), 0));
        return null;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
        tasks.add(new Task(command, now + unit.toMillis(delay), unit.toMillis(period)));
        return null;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long delay, long pause, TimeUnit unit) {
        return scheduleAtFixedRate(command, delay, pause, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable command) {
        command.run();
    }

    @Override
    public void shutdown() {
        tasks.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        tasks.clear();
        return Collections.emptyList();
    }

    @Override
    public boolean isShutdown() {
        return tasks.isEmpty();
    }

    @Override
    public boolean isTerminated() {
        return tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
