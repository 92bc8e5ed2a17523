package java.util.stream;

import java.util.*;
import java.util.function.*;

public interface BaseStream<T> extends AutoCloseable { Iterator<T> iterator(); }
public interface Stream<T> extends BaseStream<T> {
    Stream<T> filter(Predicate<T> test); <R> Stream<R> map(Function<T, R> change); <R> Stream<R> flatMap(Function<T, Stream<R>> change); IntStream mapToInt(ToIntFunction<T> change); LongStream mapToLong(ToLongFunction<T> change);
    Stream<T> sorted(); Stream<T> sorted(Comparator<T> order); Stream<T> distinct(); Stream<T> limit(long count); Stream<T> skip(long count); Stream<T> peek(Consumer<T> action); Stream<T> parallel(); Stream<T> sequential();
    void forEach(Consumer<T> action); void forEachOrdered(Consumer<T> action); <R, A> R collect(Collector<? super T, A, R> collector); List<T> toList(); Object[] toArray(); <A> A[] toArray(IntFunction<A[]> make);
    long count(); boolean anyMatch(Predicate<T> test); boolean allMatch(Predicate<T> test); boolean noneMatch(Predicate<T> test); Optional<T> findFirst(); Optional<T> findAny(); Optional<T> min(Comparator<T> order); Optional<T> max(Comparator<T> order); Optional<T> reduce(BinaryOperator<T> join); T reduce(T start, BinaryOperator<T> join);
    public static <S> Stream<S> of(S... elements); public static <S> Stream<S> empty(); public static <S> Stream<S> generate(Supplier<S> make); public static <S> Stream<S> iterate(S seed, UnaryOperator<S> next); public static <S> Stream<S> concat(Stream<S> a, Stream<S> b);
}
public interface IntStream { int sum(); IntStream filter(IntPredicate test); <R> Stream<R> mapToObj(IntFunction<R> change); void forEach(IntConsumer action); Stream<Integer> boxed(); IntStream map(IntUnaryOperator change); IntStream parallel(); int[] toArray(); OptionalInt max(); OptionalInt min(); long count(); public static IntStream range(int from, int to); public static IntStream rangeClosed(int from, int to); public static IntStream of(int... values); }
public interface LongStream { long sum(); Stream<Long> boxed(); }
public interface Collector<T, A, R> {}
public final class Collectors {
    public static <T> Collector<T, ?, List<T>> toList(); public static <T> Collector<T, ?, Set<T>> toSet(); public static Collector<CharSequence, ?, String> joining(); public static Collector<CharSequence, ?, String> joining(CharSequence delimiter); public static Collector<CharSequence, ?, String> joining(CharSequence delimiter, CharSequence prefix, CharSequence suffix);
    public static <T, K, U> Collector<T, ?, Map<K, U>> toMap(Function<T, K> key, Function<T, U> value); public static <T, K> Collector<T, ?, Map<K, List<T>>> groupingBy(Function<T, K> key); public static <T, C> Collector<T, ?, C> toCollection(Supplier<C> make);
}
