import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.testng.IAnnotationTransformer;
import org.testng.IConfigurationListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.TestNG;
import org.testng.annotations.ITestAnnotation;
import org.testng.annotations.Test;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlInclude;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/**
 * Tests of TestNG 6.8 and newer. All data sets of a method are one test.
 *
 * <p>The tests of its class that a test depends on run before it. Retry analyzers work as they do in the build.
 *
 * <p>Left out: {@code testng.xml} with its parameters and listeners, {@code @BeforeSuite} of other classes, and
 * dependencies on tests of other classes.
 */
final class TestNGTests implements PeelerRunner.Framework {
    /** The annotations whose methods are no tests although their class has {@code @Test}. */
    private static final String OTHER =
            "org\\.testng\\.annotations\\.(Before|After|Factory|DataProvider|ObjectFactory).*";

    @Override
    public PeelerRunner.Result run(Class<?> testClass, String method) {
        if (!isTest(testClass, method)) {
            return null;
        }
        Dependencies dependencies = new Dependencies(testClass);
        dependencies.add(method);
        List<XmlInclude> included = new ArrayList<XmlInclude>();
        for (String name : dependencies.names) {
            // The name is a regular expression, in which `$` is no letter.
            included.add(new XmlInclude(name.replace('$', '.')));
        }
        XmlSuite suite = new XmlSuite();
        XmlClass only = new XmlClass(testClass);
        only.setIncludedMethods(included);
        new XmlTest(suite).setXmlClasses(Collections.singletonList(only));
        // The default listeners write reports into the working folder.
        TestNG testng = new TestNG(false);
        testng.setVerbose(0);
        testng.setXmlSuites(Collections.singletonList(suite));
        Outcomes outcomes = new Outcomes(method);
        testng.addListener((Object) outcomes);
        if (dependencies.isIncomplete) {
            testng.addListener((Object) new MissingDependencies());
        }
        testng.run();
        return outcomes.result();
    }

    /** Whether a class has a method of this name that TestNG takes for a test, disabled or not. */
    private static boolean isTest(Class<?> testClass, String name) {
        for (Method method : methods(testClass)) {
            if (method.getName().equals(name) && !annotations(method).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The methods of a class and of its superclasses and interfaces. */
    private static Set<Method> methods(Class<?> testClass) {
        Set<Method> found = new LinkedHashSet<Method>();
        for (Class<?> type = testClass; type != null && type != Object.class; type = type.getSuperclass()) {
            found.addAll(Arrays.asList(type.getDeclaredMethods()));
        }
        found.addAll(Arrays.asList(testClass.getMethods()));
        return found;
    }

    /** The annotations that make a method a test: its own and those of its class, which count for public methods. */
    private static List<Test> annotations(Method method) {
        List<Test> found = new ArrayList<Test>();
        if (method.isSynthetic() || method.getReturnType() != void.class) {
            return found;
        }
        Test own = method.getAnnotation(Test.class);
        if (own != null) {
            found.add(own);
        } else if (!Modifier.isPublic(method.getModifiers()) || isOtherwiseAnnotated(method)) {
            return found;
        }
        for (Class<?> type = method.getDeclaringClass(); type != null; type = type.getSuperclass()) {
            Test ofClass = type.getAnnotation(Test.class);
            if (ofClass != null) {
                found.add(ofClass);
            }
        }
        return found;
    }

    /** Whether a method has another annotation of TestNG, such as {@code @BeforeMethod}. */
    private static boolean isOtherwiseAnnotated(Method method) {
        for (java.lang.annotation.Annotation annotation : method.getAnnotations()) {
            if (annotation.annotationType().getName().matches(OTHER)) {
                return true;
            }
        }
        return false;
    }

    /** The names of tests of a class that must run, because a test depends on them. */
    private static final class Dependencies {
        final Set<String> names = new LinkedHashSet<String>();
        boolean isIncomplete;
        private final Set<Method> methods;

        Dependencies(Class<?> testClass) {
            methods = methods(testClass);
        }

        void add(String name) {
            if (!names.add(name)) {
                return;
            }
            for (Method method : methods) {
                if (method.getName().equals(name)) {
                    for (Test test : annotations(method)) {
                        for (String other : test.dependsOnMethods()) {
                            addAll(other, false);
                        }
                        for (String group : test.dependsOnGroups()) {
                            addAll(group, true);
                        }
                    }
                }
            }
        }

        /** Adds the tests whose name, or one of whose groups, matches a regular expression. */
        private void addAll(String expression, boolean isGroup) {
            boolean isFound = false;
            for (Method method : methods) {
                for (Test test : annotations(method)) {
                    String name = method.getName();
                    List<String> candidates = isGroup
                            ? Arrays.asList(test.groups())
                            : Arrays.asList(name, method.getDeclaringClass().getName() + "." + name);
                    for (String candidate : candidates) {
                        if (isMatch(expression, candidate)) {
                            isFound = true;
                            add(name);
                        }
                    }
                }
            }
            isIncomplete |= !isFound;
        }

        private static boolean isMatch(String expression, String text) {
            try {
                return expression.equals(text) || Pattern.matches(expression, text);
            } catch (PatternSyntaxException plain) {
                return false;
            }
        }
    }

    /** Lets tests run although tests of other classes, on which they depend, are not there. */
    private static final class MissingDependencies implements IAnnotationTransformer {
        @Override
        @SuppressWarnings("rawtypes")
        public void transform(ITestAnnotation annotation, Class type, Constructor constructor, Method method) {
            annotation.setIgnoreMissingDependencies(true);
        }
    }

    /** Gathers the results of one test and of the methods that set it up. */
    private static final class Outcomes implements ITestListener, IConfigurationListener {
        private final String method;
        private int passed;
        private String skipped;
        private PeelerRunner.Result failed;

        Outcomes(String method) {
            this.method = method;
        }

        @Override
        public synchronized void onTestSuccess(ITestResult result) {
            if (isOfTest(result)) {
                passed++;
            }
        }

        @Override
        public void onTestFailedButWithinSuccessPercentage(ITestResult result) {
            onTestSuccess(result);
        }

        @Override
        public synchronized void onTestFailure(ITestResult result) {
            if (isOfTest(result)) {
                fail(result);
            }
        }

        @Override
        public synchronized void onTestSkipped(ITestResult result) {
            if (isOfTest(result)) {
                skip(result);
            }
        }

        @Override
        public synchronized void onConfigurationFailure(ITestResult result) {
            // A failed set-up makes TestNG skip the tests. The build fails all the same.
            fail(result);
        }

        @Override
        public synchronized void onConfigurationSkip(ITestResult result) {
            skip(result);
        }

        @Override
        public void onConfigurationSuccess(ITestResult result) {}

        @Override
        public void onTestStart(ITestResult result) {}

        @Override
        public void onStart(ITestContext context) {}

        @Override
        public void onFinish(ITestContext context) {}

        private boolean isOfTest(ITestResult result) {
            return result.getMethod().getMethodName().equals(method);
        }

        private void fail(ITestResult result) {
            if (failed == null) {
                Throwable thrown = result.getThrowable();
                Throwable known = thrown == null ? new AssertionError("failed without a reason") : thrown;
                failed = PeelerRunner.Result.failed(result.getMethod().getMethodName(), known);
            }
        }

        private void skip(ITestResult result) {
            Throwable thrown = result.getThrowable();
            if (skipped == null && thrown != null) {
                skipped = String.valueOf(thrown.getMessage());
            }
        }

        /** The result of all data sets together; null if there are none. TestNG says nothing about disabled tests. */
        synchronized PeelerRunner.Result result() {
            if (failed != null) {
                return failed;
            }
            if (passed > 0) {
                return PeelerRunner.Result.passed();
            }
            if (skipped == null && method.indexOf('$') >= 0) {
                // Versions before 6.14 find no test with such a name.
                return null;
            }
            return PeelerRunner.Result.skipped(skipped == null ? "disabled" : skipped);
        }
    }
}
