package dev.waybill.alerts;

public enum Severity {
    INFO,
    WARNING,
    CRITICAL;

    public String badge() {
        return switch (this) {
            case INFO -> "i";
            case WARNING -> "!";
            case CRITICAL -> "!!";
        };
    }
}
