package core;

/** A class that both projects test. */
public class Core {
    public static int one() {
        return 1;
    }
}
