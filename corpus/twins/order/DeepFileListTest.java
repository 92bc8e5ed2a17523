// route: code under test, 6 calls
// settled: Arrays.sort
package example.deepfilelist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Archive {
    List<String> entries(File folder) {
        return new Scanner().scan(folder);
    }
}

class Scanner {
    List<String> scan(File folder) {
        return new Walker().walk(folder);
    }
}

class Walker {
    List<String> walk(File folder) {
        return new Visitor().visit(folder);
    }
}

class Visitor {
    List<String> visit(File folder) {
        return names(files(folder));
    }

    private List<String> names(File[] files) {
        List<String> names = new ArrayList<>();
        for (File file : files) {
            names.add(file.getName());
        }
        return names;
    }

    private File[] files(File folder) {
        return Listing.of(folder);
    }
}

class Listing {
    static File[] of(File folder) {
        File[] files = folder.listFiles(); // flaky: PLR106
        //+ Arrays.sort(files);
        return files;
    }
}

class DeepFileListTest {
    @TempDir
    File folder;

    @Test
    void listsEntries() throws Exception {
        new File(folder, "m.zip").createNewFile();
        new File(folder, "n.zip").createNewFile();
        assertEquals(List.of("m.zip", "n.zip"), new Archive().entries(folder));
    }
}
