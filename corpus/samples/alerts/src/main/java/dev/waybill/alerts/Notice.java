package dev.waybill.alerts;

import java.util.Objects;

public record Notice(String title, String body, Severity severity) {

    public Notice {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(severity, "severity");
        body = body == null ? "" : body.strip();
    }

    public static Notice info(String title) {
        return new Notice(title, null, Severity.INFO);
    }

    public static Notice critical(String title) {
        return new Notice(title, null, Severity.CRITICAL);
    }
}
