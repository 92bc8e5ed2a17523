import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes and prints "twin CLASS passed|failed|none" for each. Usage: Runner FILE, with a class a line. */
public class Runner {
    public static void main(String[] arguments) throws Exception {
        List<String> names = Files.readAllLines(Path.of(arguments[0]));
        Launcher launcher = LauncherFactory.create();
        for (String name : names) {
            Outcome outcome = new Outcome();
            launcher.execute(LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(name)).build(), outcome);
            System.out.println("twin " + name + " " + outcome.text());
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static final class Outcome implements TestExecutionListener {
        private int tests;
        private Throwable failure;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            tests += test.isTest() ? 1 : 0;
            if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                failure = result.getThrowable().orElseGet(() -> new AssertionError("no reason"));
            }
        }

        String text() {
            if (failure != null) {
                boolean isAssertion = failure instanceof AssertionError;
                return "failed " + (isAssertion ? "assertion" : failure.toString().replace('\n', ' '));
            }
            return tests == 0 ? "none" : "passed";
        }
    }
}
