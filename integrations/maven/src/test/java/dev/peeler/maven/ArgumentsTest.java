package dev.peeler.maven;

import static java.util.Arrays.asList;
import static java.util.Collections.emptyList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    @Test
    void optionsWithoutAValueAreLeftOut() {
        Arguments arguments = new Arguments("scan")
                .add(".")
                .option("--format", "json")
                .option("--output", null)
                .flag("--all", true)
                .flag("--quiet", false);
        assertEquals(asList("scan", ".", "--format=json", "--all"), arguments.words());
    }

    @Test
    void aLineBecomesWords() throws Exception {
        assertEquals(
                asList("scan", "--select", "PLR1,PLR2", "--top", "3"),
                new Arguments("scan").line("  --select PLR1,PLR2\n--top 3 ").words());
        assertEquals(emptyList(), Arguments.split(null));
        assertEquals(emptyList(), Arguments.split("  "));
    }

    @Test
    void quotesKeepBlanksTogether() throws Exception {
        assertEquals(
                asList("--config", "my settings.toml", "it's", ""),
                Arguments.split("--config 'my settings.toml' \"it's\" ''"));
        assertEquals(asList("--config=my settings.toml"), Arguments.split("--config=\"my settings.toml\""));
        assertEquals(asList("--config", "C:\\work\\peeler.toml"), Arguments.split("--config C:\\work\\peeler.toml"));
    }

    @Test
    void anOpenQuoteIsRefused() {
        Exception error = assertThrows(MojoFailureException.class, () -> Arguments.split("--config 'a b"));
        assertEquals("peeler.args: a quote is not closed: --config 'a b", error.getMessage());
    }
}
