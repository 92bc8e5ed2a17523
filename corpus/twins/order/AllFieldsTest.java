// route: library
// settled: sorted stream
package example.allfields;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Field;
import java.util.stream.Collectors;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.junit.Test;

class Ticket {
    private final String seat = "12A";
    private final int price = 40;
}

public class AllFieldsTest {
    @Test
    public void namesColumns() {
        String columns = FieldUtils.getAllFieldsList(Ticket.class).stream() // flaky: PLR104
                .map(Field::getName)
                //+ .sorted()
                .collect(Collectors.joining("|"));
        assertEquals("price|seat", columns);
    }
}
