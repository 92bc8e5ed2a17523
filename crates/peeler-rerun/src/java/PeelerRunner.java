import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * Runs tests of this class path one at a time, in this JVM, as its standard input says.
 *
 * <p>A command is a line {@code run <tab> number <tab> class <tab> method}. The answers are lines of a file of their own,
 * because tests write to, flood and close the standard streams: {@code ready}, {@code begin}, {@code end}. A line
 * {@code where} is answered at once with the stack of the running test. The end of the input is the end
 * of this process, also in the middle of a test: whoever started it is gone.
 */
public final class PeelerRunner {
    /** A failure text longer than this is cut. */
    private static final int LONGEST_TEXT = 4000;

    /** What is given up when the heap is full, so that there is room to say so. */
    private static byte[] reserve = new byte[1 << 20];

    private final FileOutputStream answers;
    private final List<Framework> frameworks;

    private PeelerRunner(FileOutputStream answers, List<Framework> frameworks) {
        this.answers = answers;
        this.frameworks = frameworks;
    }

    /** A framework that may know how to run a test. */
    interface Framework {
        /** Runs a test once; null if this framework knows no such test. */
        Result run(Class<?> testClass, String method);
    }

    /** How a run of a test ended. */
    static final class Result {
        final String outcome;
        final Throwable failure;
        final String text;

        private Result(String outcome, Throwable failure, String text) {
            this.outcome = outcome;
            this.failure = failure;
            this.text = text;
        }

        static Result passed() {
            return new Result("passed", null, "");
        }

        static Result skipped(String reason) {
            return new Result("skipped", null, reason == null ? "" : reason);
        }

        static Result failed(String where, Throwable failure) {
            return new Result("failed", failure, where);
        }
    }

    public static void main(String[] arguments) throws Exception {
        final FileOutputStream answers = new FileOutputStream(arguments[0], true);
        BlockingQueue<String> commands = commands(Thread.currentThread(), answers);
        // A test that reads its input must not read our commands.
        System.setIn(new ByteArrayInputStream(new byte[0]));
        List<Framework> frameworks = new ArrayList<Framework>();
        for (String name : new String[] {"PlatformTests", "JUnit4Tests", "TestNGTests"}) {
            try {
                frameworks.add((Framework) Class.forName(name).getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException | LinkageError absent) {
                // Compiled only where its framework is on the class path.
            }
        }
        PeelerRunner runner = new PeelerRunner(answers, frameworks);
        answer(answers, "ready");
        while (true) {
            String[] command = commands.take().split("\t", -1);
            runner.run(command[1], command[2], command[3]);
        }
    }

    /** The lines of standard input, read by a thread that ends the process when they end. */
    private static BlockingQueue<String> commands(Thread runner, FileOutputStream answers) {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BlockingQueue<String> lines = new LinkedBlockingQueue<String>();
        Thread reader = new Thread(() -> {
            try {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                    if (line.equals("where")) {
                        answer(answers, "where\t" + escaped(stack(runner)));
                    } else {
                        lines.add(line);
                    }
                }
            } catch (IOException closed) {
                // The same as the end.
            }
            endDescendants();
            Runtime.getRuntime().halt(0);
        }, "peeler-commands");
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    /** Ends the processes that tests have started; Java 8 has no way to ask for them. */
    private static void endDescendants() {
        try {
            Class<?> handle = Class.forName("java.lang.ProcessHandle");
            Object self = handle.getMethod("current").invoke(null);
            Stream<?> descendants = (Stream<?>) handle.getMethod("descendants").invoke(self);
            for (Object descendant : descendants.toArray()) {
                handle.getMethod("destroyForcibly").invoke(descendant);
            }
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            // Whoever started this process looks for them, if it still can.
        }
    }

    private void run(String number, String className, String method) throws IOException {
        answer(answers, "begin\t" + number);
        long start = System.nanoTime();
        Result result;
        try {
            result = result(className, method);
        } catch (Throwable thrown) {
            result = Result.failed("", thrown);
        }
        long micros = (System.nanoTime() - start) / 1000;
        if (isFullHeap(result.failure)) {
            reserve = null;
            answer(answers, "end\t" + number + "\tcrashed\t" + micros + "\t" + escaped("the heap is full: " + result.failure));
            // Nothing that this JVM would say from now on could be believed.
            Runtime.getRuntime().halt(3);
        }
        answer(answers, "end\t" + number + "\t" + result.outcome + "\t" + micros + "\t" + escaped(text(result)));
    }

    private Result result(String className, String method) {
        Class<?> testClass;
        try {
            testClass = Class.forName(className, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException absent) {
            return new Result("missing", null, "no class " + className + " on the class path");
        }
        for (Framework framework : frameworks) {
            Result result = framework.run(testClass, method);
            if (result != null) {
                return result;
            }
        }
        return new Result("missing", null, "no test framework on the class path runs " + className + "#" + method);
    }

    private static boolean isFullHeap(Throwable thrown) {
        for (int depth = 0; thrown != null && depth < 20; depth++) {
            if (thrown instanceof OutOfMemoryError) {
                return true;
            }
            thrown = thrown.getCause();
        }
        return false;
    }

    private static String text(Result result) {
        if (result.failure == null) {
            return result.text;
        }
        StringWriter trace = new StringWriter();
        try {
            result.failure.printStackTrace(new PrintWriter(trace, true));
        } catch (RuntimeException broken) {
            trace.write(result.failure.getClass().getName() + ", whose message cannot be read");
        }
        return result.text.isEmpty() ? trace.toString() : result.text + ": " + trace;
    }

    private static String stack(Thread thread) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("\tat ").append(element).append('\n');
        }
        return text.toString();
    }

    private static void answer(FileOutputStream answers, String line) throws IOException {
        // One write for one line, and no buffer that could die with this process.
        answers.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String escaped(String text) {
        String cut = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + " [cut]" : text;
        return cut.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }
}
