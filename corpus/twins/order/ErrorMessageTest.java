// route: code under test, 1 call, exception message
// settled: TreeSet
package example.errormessage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FormValidator {
    void validate(Map<String, String> form) {
        Set<String> missing = new HashSet<>(); // flaky: PLR101
        //~ Set<String> missing = new TreeSet<>();
        for (String required : List.of("email", "name", "zip")) {
            if (!form.containsKey(required)) {
                missing.add(required);
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("missing fields " + missing);
        }
    }
}

class ErrorMessageTest {
    @Test
    void namesMissingFields() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                () -> new FormValidator().validate(Map.of("email", "a@b")));
        assertEquals("missing fields [name, zip]", error.getMessage());
    }
}
