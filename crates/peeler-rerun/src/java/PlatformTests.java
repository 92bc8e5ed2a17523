import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of every engine of the JUnit platform. All parameter sets of a method are one test. */
final class PlatformTests implements PeelerRunner.Framework {
    private final Launcher launcher = LauncherFactory.create();

    @Override
    public PeelerRunner.Result run(Class<?> testClass, String method) {
        List<DiscoverySelector> selectors = new ArrayList<DiscoverySelector>();
        for (Method candidate : methods(testClass, method)) {
            selectors.add(selectMethod(testClass, candidate));
        }
        if (selectors.isEmpty()) {
            return null;
        }
        TestPlan plan = launcher.discover(LauncherDiscoveryRequestBuilder.request().selectors(selectors).build());
        if (!plan.containsTests()) {
            return null;
        }
        Outcomes outcomes = new Outcomes();
        launcher.execute(plan, outcomes);
        return outcomes.result();
    }

    /** The methods with a name that an object of the class has; an overridden one only once. */
    private static Iterable<Method> methods(Class<?> testClass, String name) {
        Map<String, Method> found = new LinkedHashMap<String, Method>();
        for (Class<?> type = testClass; type != null && type != Object.class; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isBridge() && !method.isSynthetic()) {
                    found.putIfAbsent(java.util.Arrays.toString(method.getParameterTypes()), method);
                }
            }
        }
        for (Method method : testClass.getMethods()) {
            if (method.getName().equals(name) && method.isDefault()) {
                found.putIfAbsent(java.util.Arrays.toString(method.getParameterTypes()), method);
            }
        }
        return found.values();
    }

    /** Gathers what happens to the parts of one test. */
    private static final class Outcomes implements TestExecutionListener {
        private int passed;
        private String skipped;
        private PeelerRunner.Result failed;

        @Override
        public void executionSkipped(TestIdentifier identifier, String reason) {
            skipped = reason;
        }

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult execution) {
            Throwable thrown = execution.getThrowable().orElse(null);
            switch (execution.getStatus()) {
                case FAILED:
                    // A class whose set-up fails takes its tests with it, so containers count here.
                    if (failed == null) {
                        Throwable known = thrown == null ? new AssertionError("failed without a reason") : thrown;
                        failed = PeelerRunner.Result.failed(identifier.getDisplayName(), known);
                    }
                    break;
                case ABORTED:
                    skipped = thrown == null ? "aborted" : String.valueOf(thrown.getMessage());
                    break;
                default:
                    if (identifier.isTest()) {
                        passed++;
                    }
            }
        }

        PeelerRunner.Result result() {
            if (failed != null) {
                return failed;
            }
            return passed > 0 ? PeelerRunner.Result.passed() : PeelerRunner.Result.skipped(skipped);
        }
    }
}
