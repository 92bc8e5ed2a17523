// route: body
// settled: Arrays.sort
package example.filelist;

import static org.junit.Assert.assertArrayEquals;

import java.util.Arrays;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class FileListTest {
    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void listsFiles() throws Exception {
        folder.newFile("a.txt");
        folder.newFile("b.txt");
        String[] names = folder.getRoot().list(); // flaky: PLR106
        //+ Arrays.sort(names);
        assertArrayEquals(new String[] {"a.txt", "b.txt"}, names);
    }
}
