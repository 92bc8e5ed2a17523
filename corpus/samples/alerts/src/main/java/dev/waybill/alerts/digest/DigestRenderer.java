package dev.waybill.alerts.digest;

import dev.waybill.alerts.Notice;
import dev.waybill.alerts.Severity;
import java.time.Clock;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The daily mail with everything that happened. */
public final class DigestRenderer {

    private static final String TEMPLATE = """
            Daily digest
            ------------
            %s
            """;

    private final Clock clock;

    public DigestRenderer() {
        this(Clock.systemDefaultZone());
    }

    public DigestRenderer(Clock clock) {
        this.clock = clock;
    }

    public String render(List<Notice> notices) {
        String lines = notices.stream()
                .map(notice -> notice.severity().badge() + " " + notice.title())
                .collect(Collectors.joining("\n"));
        return TEMPLATE.formatted(lines);
    }

    public String footer() {
        return "Sent on " + LocalDate.now(clock);
    }

    public String counts(List<Notice> notices) {
        return join(notices.stream().collect(Collectors.groupingBy(Notice::severity, Collectors.counting())));
    }

    public String countsBySeverity(List<Notice> notices) {
        Map<Severity, Long> counts = new EnumMap<>(Severity.class);
        for (Notice notice : notices) {
            counts.merge(notice.severity(), 1L, Long::sum);
        }
        return join(counts);
    }

    private static String join(Map<Severity, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
