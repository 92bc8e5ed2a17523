package org.mockito;

import org.mockito.stubbing.OngoingStubbing;
import org.mockito.stubbing.Stubber;

public class ArgumentMatchers {
    public static <T> T any(); public static <T> T any(Class<T> type); public static String anyString(); public static int anyInt(); public static long anyLong(); public static boolean anyBoolean(); public static <T> java.util.List<T> anyList(); public static <K, V> java.util.Map<K, V> anyMap(); public static <T> T eq(T value); public static <T> T isA(Class<T> type); public static <T> T same(T value); public static <T> T isNull(); public static <T> T notNull(); public static <T> T refEq(T value, String... excluded); public static <T> T argThat(ArgumentMatcher<T> matcher); public static <T> T anyObject();
}
public class Matchers extends ArgumentMatchers {}
public interface ArgumentMatcher<T> { boolean matches(T value); }
public class Mockito extends ArgumentMatchers {
    public static <T> T mock(Class<T> type); public static <T> T mock(Class<T> type, Object settings); public static <T> T spy(T value); public static <T> T spy(Class<T> type); public static <T> T verify(T mock); public static <T> T verify(T mock, Object mode);
    public static <T> OngoingStubbing<T> when(T call); public static Stubber doReturn(Object value); public static Stubber doThrow(Throwable... errors); public static Stubber doThrow(Class<? extends Throwable> type); public static Stubber doNothing(); public static Stubber doAnswer(org.mockito.stubbing.Answer<?> answer); public static Stubber doCallRealMethod();
    public static Object times(int count); public static Object never(); public static Object atLeastOnce(); public static Object atLeast(int count); public static Object timeout(long millis); public static void reset(Object... mocks); public static void verifyNoMoreInteractions(Object... mocks); public static void verifyZeroInteractions(Object... mocks); public static InOrder inOrder(Object... mocks);
}
public class BDDMockito extends Mockito { public static <T> BDDMyOngoingStubbing<T> given(T call); public interface BDDMyOngoingStubbing<T> { BDDMyOngoingStubbing<T> willReturn(T value); BDDMyOngoingStubbing<T> willThrow(Throwable... errors); BDDMyOngoingStubbing<T> willAnswer(org.mockito.stubbing.Answer<?> answer); } }
public interface InOrder { <T> T verify(T mock); <T> T verify(T mock, Object mode); }
public class ArgumentCaptor<T> { public static <S> ArgumentCaptor<S> forClass(Class<S> type); public T capture(); public T getValue(); public java.util.List<T> getAllValues(); }
public class MockitoAnnotations { public static void initMocks(Object test); }
