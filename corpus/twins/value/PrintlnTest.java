// route: body
// settled: explicit newline
package example.println;

import static org.junit.Assert.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.Test;

public class PrintlnTest {
    @Test
    public void printsLines() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println("one"); // flaky: PLR307
        //~ out.print("one\n");
        out.flush();
        assertEquals("one\n", text.toString());
    }
}
