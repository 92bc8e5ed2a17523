// Signatures that call resolution needs to type expressions. Facts, not code: no bodies.
package java.lang;

public class Object {
    public Object() {}
    public boolean equals(Object other);
    public int hashCode();
    public String toString();
    public Class<?> getClass();
    public void notify();
    public void notifyAll();
    public void wait();
    public void wait(long millis);
}
public interface CharSequence { int length(); char charAt(int index); String toString(); CharSequence subSequence(int from, int to); }
public interface Comparable<T> { int compareTo(T other); }
public interface Runnable { void run(); }
public interface AutoCloseable { void close(); }
public interface Cloneable {}
public interface Appendable { Appendable append(CharSequence text); }
public interface Iterable<T> {
    java.util.Iterator<T> iterator();
    default void forEach(java.util.function.Consumer<T> action) {}
    default java.util.Spliterator<T> spliterator() {}
}
public final class String implements CharSequence, Comparable<String>, java.io.Serializable {
    public String() {}
    public String(byte[] bytes) {}
    public String(byte[] bytes, java.nio.charset.Charset charset) {}
    public String(byte[] bytes, String charset) {}
    public String(char[] chars) {}
    public String(char[] chars, int from, int count) {}
    public String(byte[] bytes, int from, int count) {}
    public String(String text) {}
    public int length();
    public boolean isEmpty();
    public boolean isBlank();
    public char charAt(int index);
    public String substring(int from);
    public String substring(int from, int to);
    public int indexOf(String text);
    public int indexOf(int character);
    public int lastIndexOf(String text);
    public int lastIndexOf(int character);
    public boolean contains(CharSequence text);
    public boolean startsWith(String text);
    public boolean endsWith(String text);
    public boolean equalsIgnoreCase(String text);
    public boolean matches(String pattern);
    public String replace(CharSequence from, CharSequence to);
    public String replaceAll(String pattern, String to);
    public String replaceFirst(String pattern, String to);
    public String toLowerCase();
    public String toUpperCase();
    public String toLowerCase(java.util.Locale locale);
    public String toUpperCase(java.util.Locale locale);
    public String trim();
    public String strip();
    public String concat(String text);
    public String intern();
    public String repeat(int count);
    public String[] split(String pattern);
    public String[] split(String pattern, int limit);
    public byte[] getBytes();
    public byte[] getBytes(String charset);
    public byte[] getBytes(java.nio.charset.Charset charset);
    public char[] toCharArray();
    public int compareTo(String other);
    public static String format(String format, Object... arguments);
    public static String format(java.util.Locale locale, String format, Object... arguments);
    public static String valueOf(Object value);
    public static String valueOf(int value);
    public static String valueOf(long value);
    public static String valueOf(char[] value);
    public static String join(CharSequence delimiter, CharSequence... parts);
    public static String join(CharSequence delimiter, Iterable<? extends CharSequence> parts);
    public String formatted(Object... arguments);
    public java.util.stream.Stream<String> lines();
}
public final class StringBuilder implements CharSequence, Appendable {
    public StringBuilder append(Object value);
    public StringBuilder append(String value);
    public StringBuilder append(char value);
    public StringBuilder append(int value);
    public StringBuilder append(long value);
    public StringBuilder insert(int at, Object value);
    public StringBuilder reverse();
    public StringBuilder deleteCharAt(int at);
    public String toString();
    public int length();
    public String substring(int from);
    public void setLength(int length);
}
public final class StringBuffer implements CharSequence, Appendable {
    public StringBuffer append(Object value);
    public String toString();
    public int length();
}
public abstract class Number { public int intValue(); public long longValue(); public double doubleValue(); public float floatValue(); public byte byteValue(); public short shortValue(); }
public final class Integer extends Number implements Comparable<Integer> {
    public static final int MAX_VALUE; public static final int MIN_VALUE;
    public Integer(int value) {}
    public static int parseInt(String text); public static int parseInt(String text, int radix);
    public static Integer valueOf(String text); public static Integer valueOf(int value);
    public static String toString(int value); public static String toHexString(int value);
    public static int compare(int a, int b);
    public int compareTo(Integer other);
}
public final class Long extends Number implements Comparable<Long> {
    public static final long MAX_VALUE; public static final long MIN_VALUE;
    public Long(long value) {}
    public static long parseLong(String text); public static Long valueOf(String text); public static Long valueOf(long value);
    public static String toString(long value); public static int compare(long a, long b);
}
public final class Short extends Number { public static short parseShort(String text); public static Short valueOf(short value); }
public final class Byte extends Number { public static byte parseByte(String text); public static Byte valueOf(byte value); }
public final class Double extends Number { public static double parseDouble(String text); public static Double valueOf(double value); public static Double valueOf(String value); public static int compare(double a, double b); }
public final class Float extends Number { public static float parseFloat(String text); public static Float valueOf(float value); }
public final class Boolean { public static final Boolean TRUE; public static final Boolean FALSE; public static boolean parseBoolean(String text); public static Boolean valueOf(boolean value); public boolean booleanValue(); }
public final class Character { public char charValue(); public static Character valueOf(char value); public static boolean isDigit(char value); public static boolean isLetter(char value); }
public final class Void {}
public abstract class Enum<E> implements Comparable<E> {
    public String name();
    public int ordinal();
    public String toString();
    public int compareTo(E other);
    public static E[] values();
    public static E valueOf(String name);
    public Class<E> getDeclaringClass();
}
public final class Class<T> {
    public String getName(); public String getSimpleName(); public String getCanonicalName();
    public T newInstance(); public T cast(Object value); public boolean isInstance(Object value);
    public ClassLoader getClassLoader(); public Package getPackage();
    public java.io.InputStream getResourceAsStream(String name);
    public java.net.URL getResource(String name);
    public java.lang.reflect.Method getMethod(String name, Class<?>... parameters);
    public java.lang.reflect.Method getDeclaredMethod(String name, Class<?>... parameters);
    public java.lang.reflect.Method[] getMethods(); public java.lang.reflect.Method[] getDeclaredMethods();
    public java.lang.reflect.Field getField(String name); public java.lang.reflect.Field getDeclaredField(String name);
    public java.lang.reflect.Field[] getFields(); public java.lang.reflect.Field[] getDeclaredFields();
    public java.lang.reflect.Constructor<T> getConstructor(Class<?>... parameters);
    public java.lang.reflect.Constructor<T> getDeclaredConstructor(Class<?>... parameters);
    public <A> A getAnnotation(Class<A> type);
    public static Class<?> forName(String name);
    public boolean isAssignableFrom(Class<?> other); public Class<? super T> getSuperclass(); public boolean isInterface();
}
public abstract class ClassLoader { public java.io.InputStream getResourceAsStream(String name); public java.net.URL getResource(String name); public Class<?> loadClass(String name); public static ClassLoader getSystemClassLoader(); }
public class Package { public String getName(); }
public class Thread implements Runnable {
    public Thread() {} public Thread(Runnable task) {} public Thread(Runnable task, String name) {} public Thread(String name) {}
    public static Thread currentThread(); public static void sleep(long millis); public static void yield();
    public void start(); public void run(); public void join(); public void join(long millis); public void interrupt();
    public boolean isAlive(); public boolean isInterrupted(); public String getName(); public void setName(String name); public void setDaemon(boolean daemon);
    public long getId(); public ClassLoader getContextClassLoader(); public void setContextClassLoader(ClassLoader loader);
    public StackTraceElement[] getStackTrace();
}
public class ThreadLocal<T> { public T get(); public void set(T value); public void remove(); public static <S> ThreadLocal<S> withInitial(java.util.function.Supplier<S> supplier); }
public final class StackTraceElement { public String getClassName(); public String getMethodName(); public int getLineNumber(); }
public class Throwable implements java.io.Serializable {
    public Throwable() {} public Throwable(String message) {} public Throwable(String message, Throwable cause) {} public Throwable(Throwable cause) {}
    public String getMessage(); public String getLocalizedMessage(); public Throwable getCause(); public Throwable initCause(Throwable cause);
    public void printStackTrace(); public StackTraceElement[] getStackTrace(); public void addSuppressed(Throwable other); public Throwable[] getSuppressed();
}
public class Exception extends Throwable { public Exception() {} public Exception(String message) {} public Exception(String message, Throwable cause) {} public Exception(Throwable cause) {} }
public class Error extends Throwable { public Error() {} public Error(String message) {} public Error(String message, Throwable cause) {} }
public class AssertionError extends Error { public AssertionError() {} public AssertionError(Object message) {} }
public class RuntimeException extends Exception { public RuntimeException() {} public RuntimeException(String message) {} public RuntimeException(String message, Throwable cause) {} public RuntimeException(Throwable cause) {} }
public class IllegalArgumentException extends RuntimeException { public IllegalArgumentException() {} public IllegalArgumentException(String message) {} public IllegalArgumentException(String message, Throwable cause) {} }
public class IllegalStateException extends RuntimeException { public IllegalStateException() {} public IllegalStateException(String message) {} public IllegalStateException(String message, Throwable cause) {} }
public class NullPointerException extends RuntimeException { public NullPointerException() {} public NullPointerException(String message) {} }
public class UnsupportedOperationException extends RuntimeException { public UnsupportedOperationException() {} public UnsupportedOperationException(String message) {} }
public class IndexOutOfBoundsException extends RuntimeException { public IndexOutOfBoundsException() {} public IndexOutOfBoundsException(String message) {} }
public class ClassCastException extends RuntimeException { public ClassCastException(String message) {} }
public class InterruptedException extends Exception { public InterruptedException() {} public InterruptedException(String message) {} }
public class ReflectiveOperationException extends Exception {}
public class ClassNotFoundException extends ReflectiveOperationException { public ClassNotFoundException(String message) {} }
public class NoSuchMethodException extends ReflectiveOperationException { public NoSuchMethodException(String message) {} }
public final class System {
    public static final java.io.PrintStream out; public static final java.io.PrintStream err; public static final java.io.InputStream in;
    public static long currentTimeMillis(); public static long nanoTime();
    public static String getProperty(String name); public static String getProperty(String name, String fallback); public static String setProperty(String name, String value); public static String clearProperty(String name);
    public static java.util.Properties getProperties(); public static String getenv(String name); public static java.util.Map<String, String> getenv();
    public static void setOut(java.io.PrintStream stream); public static void setErr(java.io.PrintStream stream);
    public static void gc(); public static void exit(int status); public static int identityHashCode(Object value);
    public static void arraycopy(Object from, int at, Object to, int offset, int length); public static String lineSeparator();
}
public final class Math { public static int min(int a, int b); public static int max(int a, int b); public static int abs(int a); public static double sqrt(double a); public static double random(); public static long round(double a); }
public class Runtime { public static Runtime getRuntime(); public int availableProcessors(); public long totalMemory(); public long freeMemory(); public void addShutdownHook(Thread hook); public Process exec(String command); }
public abstract class Process { public int waitFor(); public int exitValue(); public void destroy(); public java.io.InputStream getInputStream(); public java.io.InputStream getErrorStream(); }
