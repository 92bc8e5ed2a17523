package shop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/** Chance that can be foreseen: a file counts the runs of a test over all JVMs. */
public final class Chance {
    private Chance() {}

    /** Whether this run of a test passes: the letters of the pattern, {@code p} or {@code f}, over and over. */
    public static boolean passes(String test, String pattern) throws IOException {
        Path counter = folder().resolve(test + ".runs");
        long before = Files.exists(counter) ? Files.size(counter) : 0;
        Files.write(counter, "x".getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return pattern.charAt((int) (before % pattern.length())) == 'p';
    }

    public static Path folder() {
        return Paths.get(System.getProperty("sample.dir"));
    }
}
