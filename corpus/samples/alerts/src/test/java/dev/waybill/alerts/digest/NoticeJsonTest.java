package dev.waybill.alerts.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.alerts.Notice;
import dev.waybill.alerts.Severity;
import dev.waybill.orders.json.JsonReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NoticeJsonTest {

    static class Subscription {
        String channel;
        String address;
        boolean muted;
    }

    private final NoticeJson json = new NoticeJson();
    private final Notice notice = new Notice("Van missing", "since noon ", Severity.CRITICAL);

    @Test
    void writesNotice() {
        assertEquals("{\"severity\":\"CRITICAL\",\"title\":\"Van missing\",\"body\":\"since noon\"}",
                json.write(notice));
    }

    @Test
    void writesNoticeAsDocumented() {
        assertEquals("{\"title\":\"Van missing\",\"body\":\"since noon\",\"severity\":\"CRITICAL\"}",
                json.writeOrdered(notice));
    }

    @Test
    void writtenNoticeHoldsAllFields() {
        Map<String, Object> fields = new JsonReader().readObject(json.write(notice));
        assertEquals(Map.of("title", "Van missing", "body", "since noon", "severity", "CRITICAL"), fields);
    }

    @Test
    void columnsOfRecord() {
        assertEquals(List.of("title", "body", "severity"), NoticeJson.columns(Notice.class));
    }

    @Test
    void columnsOfClass() {
        assertEquals(List.of("channel", "address", "muted"), NoticeJson.fields(Subscription.class));
    }

    @Test
    void columnsOfClassAreComplete() {
        Set<String> columns = new HashSet<>(NoticeJson.fields(Subscription.class));
        assertEquals(Set.of("address", "muted", "channel"), columns);
    }
}
