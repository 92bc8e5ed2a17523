// route: code under test, 1 call
// settled: sorted stream
package example.sqlbuilder;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Field;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

class InsertBuilder {
    String insert(Class<?> type) {
        Stream<String> columns = Stream.of(type.getDeclaredFields()).map(Field::getName); // flaky: PLR104
        return "insert into customer (" + columns.collect(Collectors.joining(", ")) + ")";
        //~ return "insert into customer (" + columns.sorted().collect(Collectors.joining(", ")) + ")";
    }
}

class Customer {
    long id;
    String mail;
}

public class SqlBuilderTest {
    @Test
    public void buildsInsert() {
        assertEquals("insert into customer (id, mail)", new InsertBuilder().insert(Customer.class));
    }
}
