// route: body
// settled: sort
package example.fieldnames;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

class Person {
    String name;
    int age;
    String city;
}

public class FieldNamesTest {
    @Test
    public void listsFields() {
        List<String> names = new ArrayList<>();
        for (Field field : Person.class.getDeclaredFields()) { // flaky: PLR104
            names.add(field.getName());
        }
        //+ Collections.sort(names);
        assertEquals(Arrays.asList("age", "city", "name"), names);
    }
}
