import java.util.ArrayList;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Tests of JUnit 3 and 4, where the JUnit platform is absent or has no engine for them. */
final class JUnit4Tests implements PeelerRunner.Framework {
    @Override
    public PeelerRunner.Result run(Class<?> testClass, final String method) {
        Request request = Request.aClass(testClass).filterWith(new Filter() {
            @Override
            public boolean shouldRun(Description description) {
                if (description.isTest()) {
                    return isNamed(description.getMethodName(), method);
                }
                for (Description child : description.getChildren()) {
                    if (shouldRun(child)) {
                        return true;
                    }
                }
                return false;
            }

            @Override
            public String describe() {
                return method;
            }
        });
        final List<Failure> assumptions = new ArrayList<Failure>();
        final List<Description> begun = new ArrayList<Description>();
        JUnitCore core = new JUnitCore();
        core.addListener(new RunListener() {
            @Override
            public void testStarted(Description description) {
                begun.add(description);
            }

            @Override
            public void testAssumptionFailure(Failure failure) {
                assumptions.add(failure);
            }
        });
        Result result = core.run(request);
        if (isUnknown(result, begun)) {
            return null;
        }
        for (Failure failure : result.getFailures()) {
            return PeelerRunner.Result.failed(failure.getDescription().getDisplayName(), failure.getException());
        }
        if (result.getRunCount() > assumptions.size()) {
            return PeelerRunner.Result.passed();
        }
        return PeelerRunner.Result.skipped(assumptions.isEmpty() ? "ignored" : assumptions.get(0).getMessage());
    }

    /** Whether a test has this name, or is a parameter set {@code method[...]} of it. */
    private static boolean isNamed(String name, String method) {
        return name != null && (name.equals(method) || name.startsWith(method + "["));
    }

    /** A class without tests, or a filter that leaves none, is reported as the failure of a test that does not exist. */
    private static boolean isUnknown(Result result, List<Description> begun) {
        if (result.getFailureCount() != 1) {
            return result.getRunCount() == 0 && result.getFailureCount() == 0 && result.getIgnoreCount() == 0;
        }
        Throwable thrown = result.getFailures().get(0).getException();
        String message = String.valueOf(thrown.getMessage());
        boolean isNoTest = thrown.getClass().getSimpleName().equals("NoTestsRemainException")
                || message.startsWith("No tests found matching")
                || message.contains("No runnable methods");
        return begun.size() <= 1 && isNoTest;
    }
}
