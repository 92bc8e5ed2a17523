package dev.peeler.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    @ParameterizedTest
    @CsvSource({
        "Linux,      amd64,   linux-x86_64",
        "Linux,      aarch64, linux-aarch_64",
        "Mac OS X,   x86_64,  osx-x86_64",
        "Mac OS X,   aarch64, osx-aarch_64",
        "Darwin,     arm64,   osx-aarch_64",
        "Windows 11, amd64,   windows-x86_64",
    })
    void everyReleasedPlatformHasAClassifier(String name, String processor, String classifier) {
        assertEquals(Optional.of(classifier), Platform.classifier(name, processor));
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, aarch64", "Linux, ppc64le", "SunOS, sparcv9", "FreeBSD, amd64"})
    void otherPlatformsHaveNone(String name, String processor) {
        assertEquals(Optional.empty(), Platform.classifier(name, processor));
    }

    @Test
    void capitalsDoNotDependOnTheLanguageOfTheUser() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(new Locale("tr"));
            assertEquals(Optional.of("linux-x86_64"), Platform.classifier("LINUX", "AMD64"));
        } finally {
            Locale.setDefault(before);
        }
    }
}
