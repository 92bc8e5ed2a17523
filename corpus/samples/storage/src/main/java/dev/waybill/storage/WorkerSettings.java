package dev.waybill.storage;

import java.util.Locale;

public final class WorkerSettings {

    private final int processors;

    public WorkerSettings() {
        this(Runtime.getRuntime().availableProcessors());
    }

    public WorkerSettings(int processors) {
        this.processors = processors;
    }

    /** One thread is left to the rest of the system. */
    public int threads() {
        return Math.max(1, processors - 1);
    }

    public boolean isParallel() {
        return processors > 1;
    }

    public static String owner() {
        return System.getProperty("user.name").toLowerCase(Locale.ROOT);
    }
}
