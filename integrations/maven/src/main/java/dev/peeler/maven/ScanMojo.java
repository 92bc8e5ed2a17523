package dev.peeler.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.function.Consumer;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Lists the tests of all modules that may be flaky, and writes the scan as JSON. Nothing of the project is run. */
@Mojo(name = "scan", aggregator = true, threadSafe = true)
public final class ScanMojo extends PeelerMojo {
    /** The format of the list, as for {@code peeler scan --format}. */
    @Parameter(property = "peeler.format", defaultValue = "text")
    private String format;

    /** The file for the list. By default it is printed; JSON goes to the file of {@code peeler.scan}. */
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
        createFolderOf(output);
        removeOld(json);
        Arguments all = arguments().option("--format", "json").add("--all").option("--output", json);
        // The second scan prints the same messages.
        Consumer<String> messages = isJson ? getLog()::info : getLog()::debug;
        Outcome outcome = call(program, all, messages, messages);
        if (!json.isFile()) {
            throw new MojoExecutionException("peeler scan ended, but did not write " + json + "; is it really Peeler?");
        }
        if (!isJson) {
            // It takes its results from the cache of the first.
            outcome = call(program, arguments().option("--format", format).option("--output", output), format);
            getLog().info("everything about every test: " + json);
        }
        if (outcome == Outcome.FINDINGS && failOnFindings) {
            throw new MojoFailureException(
                    "there are tests that may be flaky, listed in " + json + ", and peeler.failOnFindings is set");
        }
    }

    /** Removes the scan of an earlier build, so that no other goal reads it after a failure. */
    private static void removeOld(File json) throws MojoExecutionException {
        try {
            Files.deleteIfExists(json.toPath());
        } catch (IOException error) {
            throw new MojoExecutionException("cannot replace " + json + ": " + error.getMessage(), error);
        }
    }

    private Arguments arguments() throws MojoFailureException {
        return new Arguments("scan").add(".").option("--min-probability", minProbability).line(args);
    }
}
