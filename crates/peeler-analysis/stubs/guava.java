package com.google.common.collect;

import java.util.*;

public final class Lists { public static <E> ArrayList<E> newArrayList(); public static <E> ArrayList<E> newArrayList(E... elements); public static <E> ArrayList<E> newArrayList(Iterable<E> elements); public static <E> LinkedList<E> newLinkedList(); }
public final class Sets { public static <E> HashSet<E> newHashSet(); public static <E> HashSet<E> newHashSet(E... elements); public static <E> LinkedHashSet<E> newLinkedHashSet(); public static <E> TreeSet<E> newTreeSet(); }
public final class Maps { public static <K, V> HashMap<K, V> newHashMap(); public static <K, V> LinkedHashMap<K, V> newLinkedHashMap(); public static <K, V> TreeMap<K, V> newTreeMap(); }
public final class Iterables { public static <T> T getOnlyElement(Iterable<T> all); public static <T> T getFirst(Iterable<T> all, T fallback); public static <T> T getLast(Iterable<T> all); public static <T> T get(Iterable<T> all, int index); }
public abstract class ImmutableCollection<E> extends AbstractCollection<E> {}
public abstract class ImmutableList<E> extends ImmutableCollection<E> implements List<E> { public static <T> ImmutableList<T> of(); public static <T> ImmutableList<T> of(T... elements); public static <T> ImmutableList<T> copyOf(Iterable<? extends T> elements); }
public abstract class ImmutableSet<E> extends ImmutableCollection<E> implements Set<E> { public static <T> ImmutableSet<T> of(); public static <T> ImmutableSet<T> of(T... elements); public static <T> ImmutableSet<T> copyOf(Iterable<? extends T> elements); }
public abstract class ImmutableMap<K, V> implements Map<K, V> { public static <A, B> ImmutableMap<A, B> of(); public static <A, B> ImmutableMap<A, B> of(A key, B value); public static <A, B> ImmutableMap<A, B> copyOf(Map<? extends A, ? extends B> map); }
