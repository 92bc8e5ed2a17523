package java.util.concurrent.atomic;

public class AtomicInteger extends Number { public AtomicInteger() {} public AtomicInteger(int value) {} public int get(); public void set(int value); public int incrementAndGet(); public int getAndIncrement(); public int decrementAndGet(); public int addAndGet(int delta); public boolean compareAndSet(int expected, int value); }
public class AtomicLong extends Number { public AtomicLong() {} public AtomicLong(long value) {} public long get(); public void set(long value); public long incrementAndGet(); public long getAndIncrement(); public long addAndGet(long delta); }
public class AtomicBoolean { public AtomicBoolean() {} public AtomicBoolean(boolean value) {} public boolean get(); public void set(boolean value); public boolean compareAndSet(boolean expected, boolean value); public boolean getAndSet(boolean value); }
public class AtomicReference<V> { public AtomicReference() {} public AtomicReference(V value) {} public V get(); public void set(V value); public V getAndSet(V value); public boolean compareAndSet(V expected, V value); }
