// route: superclass
// settled: TreeSet
package example.joinedfilenames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

abstract class FolderTestCase {
    @TempDir
    File folder;

    protected String names() {
        return String.join(",", Arrays.asList(folder.list())); // flaky: PLR106
        //~ return String.join(",", new TreeSet<>(Arrays.asList(folder.list())));
    }
}

class JoinedFileNamesTest extends FolderTestCase {
    @Test
    void namesFiles() throws Exception {
        new File(folder, "in.txt").createNewFile();
        new File(folder, "out.txt").createNewFile();
        assertEquals("in.txt,out.txt", names());
    }
}
