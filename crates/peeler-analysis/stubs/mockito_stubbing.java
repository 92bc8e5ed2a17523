package org.mockito.stubbing;

public interface OngoingStubbing<T> { OngoingStubbing<T> thenReturn(T value, T... more); OngoingStubbing<T> thenThrow(Throwable... errors); OngoingStubbing<T> thenAnswer(Answer<?> answer); OngoingStubbing<T> thenCallRealMethod(); }
public interface Stubber { <T> T when(T mock); Stubber doReturn(Object value); Stubber doThrow(Throwable... errors); Stubber doNothing(); }
public interface Answer<T> { T answer(org.mockito.invocation.InvocationOnMock call); }
