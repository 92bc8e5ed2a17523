package dev.peeler.maven;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Classifiers of the program's artifact, one for each operating system and processor. */
final class Platform {
    /** The platforms that a release has a program for. */
    static final List<String> CLASSIFIERS = Collections.unmodifiableList(Arrays.asList(
            "linux-x86_64", "linux-aarch_64", "osx-x86_64", "osx-aarch_64", "windows-x86_64"));

    private Platform() {}

    /** The classifier for the values of {@code os.name} and {@code os.arch}; empty if there is no program for them. */
    static Optional<String> classifier(String osName, String osArch) {
        String classifier = system(osName.toLowerCase(Locale.ROOT)) + "-" + processor(osArch.toLowerCase(Locale.ROOT));
        return Optional.of(classifier).filter(CLASSIFIERS::contains);
    }

    private static String system(String name) {
        if (name.startsWith("linux")) {
            return "linux";
        }
        if (name.startsWith("mac") || name.startsWith("darwin")) {
            return "osx";
        }
        return name.startsWith("windows") ? "windows" : name;
    }

    private static String processor(String name) {
        switch (name) {
            case "amd64":
            case "x86_64":
            case "x86-64":
                return "x86_64";
            case "aarch64":
            case "arm64":
                return "aarch_64";
            default:
                return name;
        }
    }
}
