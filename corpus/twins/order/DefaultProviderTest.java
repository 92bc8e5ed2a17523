// route: code under test, 3 calls
// settled: LinkedHashMap filled in a defined order
package example.defaultprovider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Providers {
    private final Map<String, String> providers = new HashMap<>(); // flaky: PLR103
    //~ private final Map<String, String> providers = new LinkedHashMap<>();

    Providers() {
        providers.put("basic", "Basic");
        providers.put("token", "Bearer");
    }

    Collection<String> all() {
        return providers.values();
    }
}

class ProviderSelector {
    private final Providers providers = new Providers();

    String selected() {
        return providers.all().iterator().next();
    }
}

class Client {
    private final ProviderSelector selector = new ProviderSelector();

    String header(String value) {
        return selector.selected() + " " + value;
    }
}

class DefaultProviderTest {
    @Test
    void usesTheDefaultProvider() {
        assertEquals("Basic abc", new Client().header("abc"));
    }
}
