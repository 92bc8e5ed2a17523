// route: superclass
// settled: createTempFile
package example.fixedpathconstant;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import org.junit.Test;

abstract class ExportTestCase {
    protected File target() throws IOException {
        return new File("/tmp/export.csv"); // flaky: PLR403
        //~ return File.createTempFile("export", ".csv");
    }
}

public class FixedPathConstantTest extends ExportTestCase {
    @Test
    public void exports() throws Exception {
        File target = target();
        try (FileWriter out = new FileWriter(target)) { // flaky: PLR403
            out.write("a;b");
        }
        assertEquals(3, target.length());
        target.delete();
    }
}
