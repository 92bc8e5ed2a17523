package java.util.function;

public interface Function<T, R> { R apply(T value); default <V> Function<T, V> andThen(Function<R, V> next) {} public static <T> Function<T, T> identity(); }
public interface BiFunction<T, U, R> { R apply(T first, U second); }
public interface Supplier<T> { T get(); }
public interface Consumer<T> { void accept(T value); default Consumer<T> andThen(Consumer<T> next) {} }
public interface BiConsumer<T, U> { void accept(T first, U second); }
public interface Predicate<T> { boolean test(T value); default Predicate<T> negate() {} default Predicate<T> and(Predicate<T> other) {} default Predicate<T> or(Predicate<T> other) {} }
public interface BiPredicate<T, U> { boolean test(T first, U second); }
public interface UnaryOperator<T> extends Function<T, T> {}
public interface BinaryOperator<T> extends BiFunction<T, T, T> {}
public interface IntFunction<R> { R apply(int value); }
public interface IntConsumer { void accept(int value); }
public interface IntPredicate { boolean test(int value); }
public interface IntUnaryOperator { int applyAsInt(int value); }
public interface IntSupplier { int getAsInt(); }
public interface LongSupplier { long getAsLong(); }
public interface BooleanSupplier { boolean getAsBoolean(); }
public interface ToIntFunction<T> { int applyAsInt(T value); }
public interface ToLongFunction<T> { long applyAsLong(T value); }
public interface ToDoubleFunction<T> { double applyAsDouble(T value); }
