package java.util;

import java.util.function.*;
import java.util.stream.*;

public interface Iterator<E> { boolean hasNext(); E next(); default void remove() {} }
public interface ListIterator<E> extends Iterator<E> {}
public interface Spliterator<T> {}
public interface Enumeration<E> { boolean hasMoreElements(); E nextElement(); }
public interface Comparator<T> {
    int compare(T a, T b);
    default Comparator<T> reversed() {}
    public static <T, U> Comparator<T> comparing(Function<T, U> key);
    public static <T> Comparator<T> naturalOrder();
}
public interface Collection<E> extends Iterable<E> {
    boolean add(E element); boolean addAll(Collection<? extends E> other); void clear(); boolean contains(Object element);
    boolean containsAll(Collection<?> other); boolean isEmpty(); boolean remove(Object element); boolean removeAll(Collection<?> other);
    boolean retainAll(Collection<?> other); int size(); Object[] toArray(); <T> T[] toArray(T[] array);
    default Stream<E> stream() {} default Stream<E> parallelStream() {} default boolean removeIf(Predicate<E> test) {}
    Iterator<E> iterator();
}
public interface List<E> extends Collection<E> {
    E get(int index); E set(int index, E element); void add(int index, E element); E remove(int index); int indexOf(Object element); int lastIndexOf(Object element);
    List<E> subList(int from, int to); ListIterator<E> listIterator(); default void sort(Comparator<E> order) {} default void replaceAll(UnaryOperator<E> change) {}
    public static <T> List<T> of(T... elements); public static <T> List<T> copyOf(Collection<T> other);
}
public abstract class AbstractCollection<E> implements Collection<E> {}
public abstract class AbstractList<E> extends AbstractCollection<E> implements List<E> {}
public abstract class AbstractSet<E> extends AbstractCollection<E> implements Set<E> {}
public abstract class AbstractMap<K, V> implements Map<K, V> {}
public class ArrayList<E> extends AbstractList<E> { public ArrayList() {} public ArrayList(int capacity) {} public ArrayList(Collection<? extends E> other) {} }
public class LinkedList<E> extends AbstractList<E> implements Deque<E> { public LinkedList() {} public LinkedList(Collection<? extends E> other) {} }
public class Vector<E> extends AbstractList<E> { public E elementAt(int index); public E firstElement(); }
public class Stack<E> extends Vector<E> { public E push(E element); public E pop(); public E peek(); }
public interface Queue<E> extends Collection<E> { boolean offer(E element); E poll(); E peek(); E element(); E remove(); }
public interface Deque<E> extends Queue<E> { void addFirst(E element); void addLast(E element); E getFirst(); E getLast(); E removeFirst(); E removeLast(); E pollFirst(); E pollLast(); E peekFirst(); E peekLast(); void push(E element); E pop(); }
public class ArrayDeque<E> extends AbstractCollection<E> implements Deque<E> {}
public class PriorityQueue<E> extends AbstractCollection<E> implements Queue<E> {}
public interface Set<E> extends Collection<E> { public static <T> Set<T> of(T... elements); }
public interface SortedSet<E> extends Set<E> { E first(); E last(); }
public interface NavigableSet<E> extends SortedSet<E> {}
public class HashSet<E> extends AbstractSet<E> { public HashSet() {} public HashSet(int capacity) {} public HashSet(Collection<? extends E> other) {} }
public class LinkedHashSet<E> extends HashSet<E> { public LinkedHashSet() {} public LinkedHashSet(Collection<? extends E> other) {} }
public class TreeSet<E> extends AbstractSet<E> implements NavigableSet<E> { public TreeSet() {} public TreeSet(Collection<? extends E> other) {} }
public abstract class EnumSet<E> extends AbstractSet<E> { public static <T> EnumSet<T> of(T first, T... rest); public static <T> EnumSet<T> noneOf(Class<T> type); public static <T> EnumSet<T> allOf(Class<T> type); }
public class BitSet { public void set(int bit); public boolean get(int bit); public int cardinality(); }
public interface Map<K, V> {
    V get(Object key); V put(K key, V value); void putAll(Map<? extends K, ? extends V> other); V remove(Object key); boolean containsKey(Object key); boolean containsValue(Object value);
    Set<K> keySet(); Collection<V> values(); Set<Map.Entry<K, V>> entrySet(); int size(); boolean isEmpty(); void clear();
    default V getOrDefault(Object key, V fallback) {} default V putIfAbsent(K key, V value) {} default V computeIfAbsent(K key, Function<K, V> make) {}
    default V computeIfPresent(K key, BiFunction<K, V, V> change) {} default V compute(K key, BiFunction<K, V, V> change) {} default V merge(K key, V value, BiFunction<V, V, V> join) {} default void forEach(BiConsumer<K, V> action) {}
    public static <A, B> Map<A, B> of(); public static <A, B> Map<A, B> of(A key, B value); public static <A, B> Map<A, B> of(A k1, B v1, A k2, B v2); public static <A, B> Map<A, B> of(A k1, B v1, A k2, B v2, A k3, B v3);
    public interface Entry<K, V> { K getKey(); V getValue(); V setValue(V value); }
}
public interface SortedMap<K, V> extends Map<K, V> { K firstKey(); K lastKey(); SortedMap<K, V> headMap(K key); SortedMap<K, V> tailMap(K key); }
public interface NavigableMap<K, V> extends SortedMap<K, V> { Map.Entry<K, V> firstEntry(); Map.Entry<K, V> lastEntry(); Map.Entry<K, V> floorEntry(K key); Map.Entry<K, V> ceilingEntry(K key); NavigableMap<K, V> descendingMap(); }
public class HashMap<K, V> extends AbstractMap<K, V> { public HashMap() {} public HashMap(int capacity) {} public HashMap(Map<? extends K, ? extends V> other) {} }
public class LinkedHashMap<K, V> extends HashMap<K, V> { public LinkedHashMap() {} public LinkedHashMap(int capacity) {} public LinkedHashMap(Map<? extends K, ? extends V> other) {} }
public class TreeMap<K, V> extends AbstractMap<K, V> implements NavigableMap<K, V> { public TreeMap() {} public TreeMap(Comparator<? super K> order) {} public TreeMap(Map<? extends K, ? extends V> other) {} }
public class Hashtable<K, V> implements Map<K, V> { public Hashtable() {} }
public class WeakHashMap<K, V> extends AbstractMap<K, V> {}
public class IdentityHashMap<K, V> extends AbstractMap<K, V> {}
public class EnumMap<K, V> extends AbstractMap<K, V> { public EnumMap(Class<K> type) {} }
public class Properties extends Hashtable<Object, Object> { public Properties() {} public Properties(Properties defaults) {} public String getProperty(String key); public String getProperty(String key, String fallback); public Object setProperty(String key, String value); public void load(java.io.InputStream stream); public Set<String> stringPropertyNames(); }
public final class Optional<T> {
    public T get(); public boolean isPresent(); public boolean isEmpty(); public T orElse(T other); public T orElseGet(Supplier<T> other); public T orElseThrow(); public T orElseThrow(Supplier<? extends Throwable> error);
    public <R> Optional<R> map(Function<T, R> change); public <R> Optional<R> flatMap(Function<T, Optional<R>> change); public Optional<T> filter(Predicate<T> test); public void ifPresent(Consumer<T> action);
    public static <S> Optional<S> of(S value); public static <S> Optional<S> ofNullable(S value); public static <S> Optional<S> empty();
}
public final class Arrays {
    public static <T> List<T> asList(T... elements); public static String toString(Object[] array); public static <T> Stream<T> stream(T[] array); public static boolean equals(Object[] a, Object[] b); public static void sort(Object[] array);
    public static <T> T[] copyOf(T[] array, int length); public static byte[] copyOf(byte[] array, int length); public static byte[] copyOfRange(byte[] array, int from, int to); public static <T> T[] copyOfRange(T[] array, int from, int to); public static int hashCode(Object[] array); public static void fill(Object[] array, Object value);
}
public final class Collections {
    public static <T> List<T> emptyList(); public static <T> Set<T> emptySet(); public static <K, V> Map<K, V> emptyMap(); public static <T> List<T> singletonList(T element); public static <T> Set<T> singleton(T element); public static <K, V> Map<K, V> singletonMap(K key, V value);
    public static <T> List<T> unmodifiableList(List<? extends T> list); public static <T> Set<T> unmodifiableSet(Set<? extends T> set); public static <K, V> Map<K, V> unmodifiableMap(Map<? extends K, ? extends V> map); public static <T> Collection<T> unmodifiableCollection(Collection<? extends T> collection);
    public static <T> List<T> synchronizedList(List<T> list); public static <T> Set<T> synchronizedSet(Set<T> set); public static <K, V> Map<K, V> synchronizedMap(Map<K, V> map); public static <T> void sort(List<T> list); public static <T> void sort(List<T> list, Comparator<? super T> order); public static void reverse(List<?> list); public static void shuffle(List<?> list);
    public static <T> boolean addAll(Collection<? super T> target, T... elements); public static <T> T max(Collection<? extends T> all); public static <T> T min(Collection<? extends T> all); public static <T> List<T> nCopies(int count, T element); public static <T> Enumeration<T> enumeration(Collection<T> all);
}
public final class Objects { public static boolean equals(Object a, Object b); public static int hash(Object... values); public static <T> T requireNonNull(T value); public static <T> T requireNonNull(T value, String message); public static String toString(Object value); }
public final class UUID implements Comparable<UUID> { public UUID(long most, long least) {} public static UUID randomUUID(); public static UUID fromString(String text); public static UUID nameUUIDFromBytes(byte[] bytes); }
public class Random { public Random() {} public Random(long seed) {} public int nextInt(); public int nextInt(int bound); public long nextLong(); public boolean nextBoolean(); public double nextDouble(); public void nextBytes(byte[] bytes); }
public class Date implements Comparable<Date> { public Date() {} public Date(long time) {} public long getTime(); public void setTime(long time); public boolean before(Date other); public boolean after(Date other); public String toString(); }
public abstract class Calendar { public static Calendar getInstance(); public static Calendar getInstance(TimeZone zone); public Date getTime(); public void setTime(Date time); public long getTimeInMillis(); public void set(int field, int value); public int get(int field); public void add(int field, int amount); }
public class GregorianCalendar extends Calendar {}
public abstract class TimeZone { public static TimeZone getTimeZone(String id); public static TimeZone getDefault(); public static void setDefault(TimeZone zone); }
public final class Locale { public static final Locale ENGLISH; public static final Locale US; public static Locale getDefault(); public static void setDefault(Locale locale); public Locale(String language) {} public Locale(String language, String country) {} public String getLanguage(); }
public class Scanner { public Scanner(String text) {} public Scanner(java.io.InputStream stream) {} public String next(); public String nextLine(); public boolean hasNext(); }
public class StringTokenizer { public StringTokenizer(String text, String delimiters) {} public String nextToken(); public boolean hasMoreTokens(); }
public class StringJoiner { public StringJoiner(CharSequence delimiter) {} public StringJoiner add(CharSequence text); }
public class ServiceLoader<S> implements Iterable<S> { public static <T> ServiceLoader<T> load(Class<T> type); }
public class Base64 { public static Encoder getEncoder(); public static Decoder getDecoder(); public static class Encoder { public String encodeToString(byte[] bytes); public byte[] encode(byte[] bytes); } public static class Decoder { public byte[] decode(String text); } }
