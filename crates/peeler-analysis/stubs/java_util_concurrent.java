package java.util.concurrent;

import java.util.*;
import java.util.function.*;

public interface Callable<V> { V call(); }
public interface Executor { void execute(Runnable task); }
public interface Future<V> { V get(); V get(long timeout, TimeUnit unit); boolean cancel(boolean interrupt); boolean isDone(); boolean isCancelled(); }
public interface ScheduledFuture<V> extends Future<V> {}
public class FutureTask<V> implements Future<V>, Runnable { public FutureTask(Callable<V> task) {} }
public interface ExecutorService extends Executor { <T> Future<T> submit(Callable<T> task); Future<?> submit(Runnable task); <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks); void shutdown(); List<Runnable> shutdownNow(); boolean isShutdown(); boolean isTerminated(); boolean awaitTermination(long timeout, TimeUnit unit); }
public interface ScheduledExecutorService extends ExecutorService { ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit); ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit); ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit); }
public class ThreadPoolExecutor implements ExecutorService { public int getActiveCount(); public int getPoolSize(); public BlockingQueue<Runnable> getQueue(); }
public final class Executors { public static ExecutorService newFixedThreadPool(int size); public static ExecutorService newFixedThreadPool(int size, ThreadFactory factory); public static ExecutorService newCachedThreadPool(); public static ExecutorService newSingleThreadExecutor(); public static ScheduledExecutorService newScheduledThreadPool(int size); public static ScheduledExecutorService newSingleThreadScheduledExecutor(); }
public interface ThreadFactory { Thread newThread(Runnable task); }
public interface CompletionStage<T> {}
public class CompletableFuture<T> implements Future<T>, CompletionStage<T> { public T join(); public T getNow(T fallback); public boolean complete(T value); public boolean completeExceptionally(Throwable error); public <R> CompletableFuture<R> thenApply(Function<T, R> change); public <R> CompletableFuture<R> thenCompose(Function<T, CompletionStage<R>> next); public CompletableFuture<Void> thenAccept(Consumer<T> action); public CompletableFuture<Void> thenRun(Runnable action); public CompletableFuture<T> whenComplete(BiConsumer<T, Throwable> action); public static <U> CompletableFuture<U> supplyAsync(Supplier<U> make); public static CompletableFuture<Void> runAsync(Runnable task); public static <U> CompletableFuture<U> completedFuture(U value); public static CompletableFuture<Void> allOf(CompletableFuture<?>... all); }
public class CountDownLatch { public CountDownLatch(int count) {} public void await(); public boolean await(long timeout, TimeUnit unit); public void countDown(); public long getCount(); }
public class CyclicBarrier { public CyclicBarrier(int parties) {} public int await(); }
public class Semaphore { public Semaphore(int permits) {} public void acquire(); public boolean tryAcquire(); public boolean tryAcquire(long timeout, TimeUnit unit); public void release(); }
public enum TimeUnit { NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES, HOURS, DAYS; public void sleep(long time); public long toMillis(long time); public long toNanos(long time); public long toSeconds(long time); public long convert(long time, TimeUnit unit); }
public interface ConcurrentMap<K, V> extends Map<K, V> {}
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> { public ConcurrentHashMap() {} public ConcurrentHashMap(int capacity) {} }
public class ConcurrentSkipListMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, NavigableMap<K, V> {}
public class ConcurrentLinkedQueue<E> extends AbstractCollection<E> implements Queue<E> {}
public class CopyOnWriteArrayList<E> extends AbstractList<E> {}
public class CopyOnWriteArraySet<E> extends AbstractSet<E> {}
public interface BlockingQueue<E> extends Queue<E> { E take(); void put(E element); E poll(long timeout, TimeUnit unit); boolean offer(E element, long timeout, TimeUnit unit); }
public class LinkedBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {}
public class ArrayBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> { public ArrayBlockingQueue(int capacity) {} }
public class LinkedBlockingDeque<E> extends AbstractCollection<E> implements BlockingQueue<E>, Deque<E> {}
public class ExecutionException extends Exception {}
public class TimeoutException extends Exception {}
