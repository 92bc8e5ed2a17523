// route: field of the code under test, through its constructor
// settled: LinkedHashMap filled in a defined order
package example.mailheader;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.Test;

class MailHeader {
    private final Map<String, String> fields;

    MailHeader(Map<String, String> fields) {
        this.fields = fields;
    }

    String format() {
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }
}

public class MailHeaderTest {
    @Test
    public void formatsFields() {
        Map<String, String> fields = new HashMap<>(); // flaky: PLR101
        //~ Map<String, String> fields = new LinkedHashMap<>();
        fields.put("From", "ann");
        fields.put("To", "bob");
        MailHeader header = new MailHeader(fields);
        assertEquals("From: ann\nTo: bob\n", header.format());
    }
}
