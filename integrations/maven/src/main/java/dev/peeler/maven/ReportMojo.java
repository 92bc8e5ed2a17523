package dev.peeler.maven;

import java.io.File;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Writes drafts of issues, or a report in another format, from the JSON of a scan. */
@Mojo(name = "report", aggregator = true, threadSafe = true)
public final class ReportMojo extends PeelerMojo {
    /** The format, as for {@code peeler report --format}; {@code markdown} writes drafts of issues. */
    @Parameter(property = "peeler.format", defaultValue = "markdown")
    private String format;

    /**
     * The folder for drafts, or the file for another format. By default it is {@code drafts} or {@code report.FORMAT}
     * beside the scan, and replaces that of an earlier build.
     */
    @Parameter(property = "peeler.output")
    private File output;

    /** The probability from which tests are reported that only the network found. */
    @Parameter(property = "peeler.minProbability")
    private String minProbability;

    /** Whether to draft issues also about tests that no run proved flaky. */
    @Parameter(property = "peeler.unproven", defaultValue = "false")
    private boolean unproven;

    /** Results of runs, which the goal {@code confirm} recorded. */
    @Parameter(
            property = "peeler.proof",
            defaultValue = "${session.executionRootDirectory}/.peeler/evidence.jsonl")
    private File proof;

    @Override
    void run(Program program) throws MojoExecutionException, MojoFailureException {
        if (!scan.isFile()) {
            throw missingScan();
        }
        File out = output != null ? output : new File(scan.getParentFile(), defaultName(format));
        createFolderOf(out);
        if (output == null) {
            removeDrafts(out);
        }
        Arguments arguments = new Arguments("report")
                .add(scan)
                .option("--format", format)
                .option("--out", out)
                .option("--min-probability", minProbability)
                .flag("--unproven", unproven)
                .option("--proof", proof.isFile() ? proof : null)
                .line(args);
        // Reports go to files, so only text can be on standard output.
        call(program, arguments, "text");
        getLog().info("the report is " + out);
    }

    /** Removes drafts of an earlier build: the program does not mix old and new ones. */
    private static void removeDrafts(File folder) throws MojoExecutionException {
        File[] drafts = folder.listFiles((parent, name) -> name.endsWith(".md"));
        if (drafts == null) {
            return;
        }
        for (File draft : drafts) {
            if (!draft.delete()) {
                throw new MojoExecutionException("cannot remove the old draft " + draft);
            }
        }
    }

    /** The name of a report that the user did not name. */
    static String defaultName(String format) {
        return format.equals("markdown") ? "drafts" : "report." + format;
    }
}
