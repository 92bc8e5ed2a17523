// route: code under test, 1 call
// settled: ConcurrentSkipListMap
package example.concurrentregistry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;

class ServiceRegistry {
    private final ConcurrentMap<String, String> services = new ConcurrentHashMap<>(); // flaky: PLR101
    //~ private final ConcurrentMap<String, String> services = new ConcurrentSkipListMap<>();

    void register(String name, String address) {
        services.put(name, address);
    }

    @Override
    public String toString() {
        return "ServiceRegistry" + services;
    }
}

class ConcurrentRegistryTest {
    private final ServiceRegistry registry = new ServiceRegistry();

    @Test
    void printsServices() {
        registry.register("billing", "b:1");
        registry.register("stock", "s:2");
        assertEquals("ServiceRegistry{billing=b:1, stock=s:2}", registry.toString());
    }
}
