package dev.peeler.maven;

import static java.util.Arrays.asList;
import static java.util.Collections.emptyList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class ProgramTest {
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();

    @TempDir
    File folder;

    private Program.Result shell(String script) throws Exception {
        return new Program(Paths.get("/bin/sh")).run(asList("-c", script), folder, out::add, err::add);
    }

    @Test
    void linesAndTheStatusArePassedOn() throws Exception {
        Program.Result result = shell("echo one; echo note >&2; printf 'zwölf\\nthree'; exit 1");
        assertEquals(1, result.status);
        assertEquals(asList("one", "zwölf", "three"), out);
        assertEquals(asList("note"), err);
    }

    @Test
    void theProgramRunsInTheFolderAndHasNoInput() throws Exception {
        assertEquals(0, shell("pwd; cat").status);
        assertEquals(asList(folder.getCanonicalPath()), out);
    }

    @Test
    void muchOutputOnBothStreamsBlocksNothing() throws Exception {
        Program.Result result = shell("i=0; while [ $i -lt 20000 ]; do echo out-$i; echo err-$i >&2; i=$((i+1)); done");
        assertEquals(20_000, out.size());
        assertEquals(20_000, err.size());
        assertEquals(10, result.lastErrors.split("\n").length);
        assertTrue(result.lastErrors.endsWith("err-19999"), result.lastErrors);
    }

    @Test
    void aProgramThatIsNotThereIsAnError() {
        Path missing = folder.toPath().resolve("missing");
        assertThrows(IOException.class, () -> new Program(missing).run(emptyList(), folder, out::add, err::add));
    }
}
