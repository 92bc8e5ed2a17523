package dev.waybill.alerts.digest;

import dev.waybill.alerts.Notice;
import dev.waybill.orders.json.JsonWriter;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Notices for the web hook. */
public final class NoticeJson {

    private final JsonWriter writer = new JsonWriter();

    public String write(Notice notice) {
        return writer.write(fill(notice, new HashMap<>()));
    }

    public String writeOrdered(Notice notice) {
        return writer.write(fill(notice, new LinkedHashMap<>()));
    }

    private static Map<String, Object> fill(Notice notice, Map<String, Object> fields) {
        fields.put("title", notice.title());
        fields.put("body", notice.body());
        fields.put("severity", notice.severity());
        return fields;
    }

    /** Column heads for the export of records. */
    public static List<String> columns(Class<? extends Record> type) {
        List<String> columns = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            columns.add(component.getName());
        }
        return columns;
    }

    /** Column heads for the export of plain classes. */
    public static List<String> fields(Class<?> type) {
        List<String> columns = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (!field.isSynthetic()) {
                columns.add(field.getName());
            }
        }
        return columns;
    }
}
