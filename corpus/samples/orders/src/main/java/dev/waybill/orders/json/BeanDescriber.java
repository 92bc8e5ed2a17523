package dev.waybill.orders.json;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Lists the properties of a class for the schema page. */
public final class BeanDescriber {

    public String describe(Class<?> type) {
        return type.getSimpleName() + "(" + String.join(", ", fieldNames(type)) + ")";
    }

    public String describeSorted(Class<?> type) {
        List<String> names = fieldNames(type);
        names.sort(Comparator.naturalOrder());
        return type.getSimpleName() + "(" + String.join(", ", names) + ")";
    }

    public List<String> fieldNames(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (!field.isSynthetic() && !Modifier.isStatic(field.getModifiers())) {
                names.add(field.getName());
            }
        }
        return names;
    }

    /** The public accessors, by name. */
    public Method[] accessors(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && m.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName))
                .toArray(Method[]::new);
    }
}
