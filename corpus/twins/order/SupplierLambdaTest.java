// route: lambda given to the code under test
// settled: TreeSet
package example.supplierlambda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class Loader {
    private final Supplier<Set<String>> source;

    Loader(Supplier<Set<String>> source) {
        this.source = source;
    }

    String[] load() {
        return source.get().toArray(new String[0]);
    }
}

class SupplierLambdaTest {
    @Test
    void loadsFromSupplier() {
        Loader loader = new Loader(() -> new HashSet<>(List.of("one", "two"))); // flaky: PLR102
        //~ Loader loader = new Loader(() -> new TreeSet<>(List.of("one", "two")));
        assertArrayEquals(new String[] {"one", "two"}, loader.load());
    }
}
