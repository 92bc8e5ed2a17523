package dev.peeler.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.inject.Inject;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/** A goal that runs a command of Peeler in the root folder of the build, once for all modules. */
abstract class PeelerMojo extends AbstractMojo {
    /** The program to run. By default it is resolved as an artifact, {@code dev.peeler:peeler:VERSION:exe:PLATFORM}. */
    @Parameter(property = "peeler.executable")
    private File executable;

    /** The version of the program that is resolved. */
    @Parameter(property = "peeler.version", defaultValue = "${plugin.version}")
    private String version;

    /** JSON of a scan, which the goal {@code scan} writes and the other goals read. */
    @Parameter(property = "peeler.scan", defaultValue = "${project.build.directory}/peeler/scan.json")
    File scan;

    /** Further arguments of the command, separated by blanks. Quotes keep blanks inside an argument. */
    @Parameter(property = "peeler.args")
    String args;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${project.remotePluginRepositories}", readonly = true, required = true)
    private List<RemoteRepository> repositories;

    @Inject
    private RepositorySystem repositorySystem;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        // A goal that a parent POM binds to a phase is called for every module.
        if (!project.isExecutionRoot()) {
            getLog().debug("peeler runs at the root of the build only");
            return;
        }
        run(new Program(executable == null ? resolved() : given()));
    }

    abstract void run(Program program) throws MojoExecutionException, MojoFailureException;

    /** Runs a command whose standard output has a format. Its messages go to the log, and text does too. */
    final Outcome call(Program program, Arguments arguments, String format) throws MojoExecutionException {
        // Prefixes of the log would break all other formats.
        Consumer<String> out = format.equals("text") ? getLog()::info : System.out::println;
        return call(program, arguments, out, getLog()::info);
    }

    /** Runs a command. Its failure repeats its last messages. */
    final Outcome call(Program program, Arguments arguments, Consumer<String> out, Consumer<String> messages)
            throws MojoExecutionException {
        List<String> words = arguments.words();
        String command = "peeler " + words.get(0);
        getLog().debug("peeler " + String.join(" ", words));
        Program.Result result;
        try {
            result = program.run(words, folder(), out, messages);
        } catch (IOException error) {
            String remedy = "; -Dpeeler.executable=PATH names a program for this machine";
            throw new MojoExecutionException(command + " cannot be started: " + error.getMessage() + remedy, error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException(command + " was interrupted", error);
        }
        Outcome outcome = Outcome.of(result.status);
        if (outcome == Outcome.FAILURE) {
            String reason = command + " " + Outcome.reason(result.status);
            throw new MojoExecutionException(
                    result.lastErrors.isEmpty() ? reason : reason + ":\n" + result.lastErrors);
        }
        return outcome;
    }

    final MojoFailureException missingScan() {
        return new MojoFailureException(
                scan + " does not exist; run the goal scan first, or name the JSON of a scan with -Dpeeler.scan=FILE");
    }

    /** Creates the folder of an output file; {@code null} is standard output. */
    static void createFolderOf(File output) throws MojoExecutionException {
        if (output == null) {
            return;
        }
        Path folder = output.toPath().toAbsolutePath().getParent();
        try {
            Files.createDirectories(folder);
        } catch (IOException error) {
            throw new MojoExecutionException("cannot create the folder " + folder + ": " + error.getMessage(), error);
        }
    }

    private File folder() {
        return new File(session.getExecutionRootDirectory());
    }

    private Path given() throws MojoExecutionException {
        if (!executable.isFile()) {
            throw new MojoExecutionException("there is no file " + executable + ", which peeler.executable names");
        }
        return executable.toPath().toAbsolutePath();
    }

    private Path resolved() throws MojoExecutionException {
        String name = System.getProperty("os.name");
        String processor = System.getProperty("os.arch");
        String classifier = Platform.classifier(name, processor)
                .orElseThrow(() -> new MojoExecutionException("there is no program for " + name + " on " + processor
                        + ", only for " + String.join(", ", Platform.CLASSIFIERS)
                        + "; build one and name it with -Dpeeler.executable=PATH"));
        DefaultArtifact artifact = new DefaultArtifact("dev.peeler", "peeler", classifier, "exe", version);
        File file;
        try {
            ArtifactRequest request = new ArtifactRequest(artifact, repositories, null);
            file = repositorySystem
                    .resolveArtifact(session.getRepositorySession(), request)
                    .getArtifact()
                    .getFile();
        } catch (ArtifactResolutionException error) {
            throw new MojoExecutionException(
                    "the program cannot be resolved: " + error.getMessage()
                            + "; install it, or name a program that is here with -Dpeeler.executable=PATH",
                    error);
        }
        // Repositories do not keep permissions.
        if (!file.canExecute() && !file.setExecutable(true, false)) {
            throw new MojoExecutionException(file + " cannot be made executable; copy it, and name the copy with"
                    + " -Dpeeler.executable=PATH");
        }
        return file.toPath();
    }
}
