package java.lang.reflect;

public class Method { public Object invoke(Object receiver, Object... arguments); public String getName(); public void setAccessible(boolean open); public Class<?> getReturnType(); public Class<?>[] getParameterTypes(); public <A> A getAnnotation(Class<A> type); public Class<?> getDeclaringClass(); public int getModifiers(); }
public class Field { public Object get(Object receiver); public void set(Object receiver, Object value); public String getName(); public void setAccessible(boolean open); public Class<?> getType(); public <A> A getAnnotation(Class<A> type); public int getModifiers(); }
public class Constructor<T> { public T newInstance(Object... arguments); public void setAccessible(boolean open); }
public interface InvocationHandler { Object invoke(Object proxy, Method method, Object[] arguments); }
public interface Type {}
