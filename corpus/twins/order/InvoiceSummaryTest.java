// route: code under test, 3 calls
// settled: sort
package example.invoicesummary;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InvoicePrinter {
    String print(List<String> lines) {
        return "Invoice\n" + new InvoiceBody().text(lines);
    }
}

class InvoiceBody {
    String text(List<String> lines) {
        return String.join("\n", new LineNormaliser().distinct(lines));
    }
}

class LineNormaliser {
    List<String> distinct(List<String> lines) {
        Set<String> seen = new HashSet<>(lines); // flaky: PLR101
        List<String> kept = new ArrayList<>(seen);
        //+ Collections.sort(kept);
        return kept;
    }
}

class InvoiceSummaryTest {
    @Test
    void printsEachLineOnce() {
        String text = new InvoicePrinter().print(List.of("bread", "milk", "bread"));
        assertEquals("Invoice\nbread\nmilk", text);
    }
}
