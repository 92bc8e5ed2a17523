package dev.peeler.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The executable file of Peeler. */
final class Program {
    /** How many of the last lines of standard error a failure repeats. */
    private static final int LAST_LINES = 10;

    private final Path file;

    Program(Path file) {
        this.file = file;
    }

    /** How a call ended: its exit status, and its last lines of standard error. */
    static final class Result {
        final int status;
        final String lastErrors;

        Result(int status, String lastErrors) {
            this.status = status;
            this.lastErrors = lastErrors;
        }
    }

    /**
     * Runs the program in a folder, and passes on every line as soon as it is there. The program ends if the JVM does.
     *
     * @throws IOException if the program cannot be started
     */
    Result run(List<String> arguments, File folder, Consumer<String> out, Consumer<String> err)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(file.toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).directory(folder).start();
        Thread end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        try {
            process.getOutputStream().close();
            Deque<String> last = new ArrayDeque<>();
            Thread errors = new Thread(() -> pass(process.getErrorStream(), line -> {
                err.accept(line);
                last.addLast(line);
                if (last.size() > LAST_LINES) {
                    last.removeFirst();
                }
            }));
            errors.start();
            pass(process.getInputStream(), out);
            errors.join();
            return new Result(process.waitFor(), String.join("\n", last));
        } finally {
            process.destroy();
            remove(end);
        }
    }

    private static void pass(InputStream stream, Consumer<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The JVM ends, and the hook runs.
        }
    }
}
