package dev.peeler.maven;

/** The meaning of an exit status of the program. */
enum Outcome {
    /** Nothing was found. */
    CLEAN,
    /** {@code scan} has findings, or {@code confirm} proved a test flaky. */
    FINDINGS,
    /** The command did not do its work. */
    FAILURE;

    static Outcome of(int status) {
        switch (status) {
            case 0:
                return CLEAN;
            case 1:
                return FINDINGS;
            default:
                return FAILURE;
        }
    }

    /** Says in words why a program with this exit status failed. */
    static String reason(int status) {
        if (status == 2) {
            return "failed (exit status 2)";
        }
        if (status == 130) {
            return "was interrupted (exit status 130)";
        }
        if (status > 128 && status < 160) {
            String signal = "was killed by signal " + (status - 128) + " (exit status " + status + ")";
            return status == 137 ? signal + "; perhaps there was not enough memory" : signal;
        }
        return "ended with exit status " + status + ", which is none of its own; is it really Peeler?";
    }
}
