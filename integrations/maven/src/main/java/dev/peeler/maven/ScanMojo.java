package dev.peeler.maven;

import java.io.File;
import java.util.function.Consumer;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Lists the tests of all modules that may be flaky, and writes the scan as JSON. Nothing of the project is run. */
@Mojo(name = "scan", aggregator = true, requiresProject = false, threadSafe = true)
public final class ScanMojo extends PeelerMojo {
    /** The format of the list, as for {@code peeler scan --format}. */
    @Parameter(property = "peeler.format", defaultValue = "text")
    private String format;

    /** The file for the list. By default it is printed. The format {@code json} always has a file, {@code scan}. */
    @Parameter(property = "peeler.output")
    private File output;

    /** The probability from which the network reports a test. By default it is the model's own. */
    @Parameter(property = "peeler.minProbability")
    private String minProbability;

    /** Whether findings fail the build. */
    @Parameter(property = "peeler.failOnFindings", defaultValue = "false")
    private boolean failOnFindings;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException {
        boolean isJson = format.equals("json");
        File json = isJson && output != null ? output : scan;
        createFolderOf(json);
        Arguments all = arguments().option("--format", "json").add("--all").option("--output", json);
        Outcome outcome = isJson ? call(program, all) : call(program, all.add("--quiet").add("--exit-zero"));
        if (!isJson) {
            // This scan takes its results from the cache of the first.
            outcome = list(program);
        }
        getLog().info("everything about every test: " + json);
        if (outcome == Outcome.FINDINGS && failOnFindings) {
            throw new MojoFailureException(
                    "there are tests that may be flaky, listed in " + json + ", and peeler.failOnFindings is set");
        }
    }

    private Outcome list(Program program) throws MojoExecutionException {
        Arguments arguments = arguments().option("--format", format).option("--output", output);
        if (output != null) {
            createFolderOf(output);
        }
        // Prefixes of the log would break all formats but text.
        Consumer<String> out = format.equals("text") ? getLog()::info : System.out::println;
        return call(program, arguments, out);
    }

    private Arguments arguments() {
        return new Arguments("scan").add(".").option("--min-probability", minProbability).line(args);
    }
}
