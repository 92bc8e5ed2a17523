package dev.peeler.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Runs suspected tests for proof: compiles the project with a Maven of its own, and runs tests repeatedly. */
@Mojo(name = "confirm", aggregator = true, threadSafe = true)
public final class ConfirmMojo extends PeelerMojo {
    /** Tests to run, as {@code package.Class#method}. By default the scan says about which tests it is not sure. */
    @Parameter(property = "peeler.test")
    private List<String> test;

    /** The time for all runs, such as {@code 10m}, or a share of the cost of running everything, such as 50%. */
    @Parameter(property = "peeler.budget")
    private String budget;

    /** How often a test is run at most. */
    @Parameter(property = "peeler.runs")
    private String runs;

    /** Conditions to vary, as for {@code peeler confirm --perturb}. */
    @Parameter(property = "peeler.perturb")
    private String perturb;

    /** Whether to print what would be run, and to run nothing. */
    @Parameter(property = "peeler.dryRun", defaultValue = "false")
    private boolean dryRun;

    /** The format of the result: {@code text}, {@code json} or {@code junit}. */
    @Parameter(property = "peeler.format", defaultValue = "text")
    private String format;

    /** The file for the result. By default it is printed. */
    @Parameter(property = "peeler.output")
    private File output;

    /** Whether a test that is proven flaky fails the build. */
    @Parameter(property = "peeler.failOnFindings", defaultValue = "false")
    private boolean failOnFindings;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException {
        Arguments arguments = new Arguments("confirm").add(".");
        if (test == null || test.isEmpty()) {
            if (!scan.isFile()) {
                throw missingScan();
            }
            arguments.option("--from", scan);
        } else {
            test.forEach(it -> arguments.option("--test", it));
        }
        createFolderOf(output);
        arguments
                .option("--budget", budget)
                .option("--runs", runs)
                .option("--perturb", perturb)
                .flag("--dry-run", dryRun)
                .option("--format", format)
                .option("--output", output)
                .line(args);
        if (call(program, arguments, format) == Outcome.FINDINGS && failOnFindings) {
            throw new MojoFailureException("there are tests that runs proved flaky, and peeler.failOnFindings is set");
        }
    }
}
