// route: code under test, 6 calls
// settled: TreeMap
package example.breakinloop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Router {
    String route(String path) {
        return new Table().lookUp(path);
    }
}

class Table {
    String lookUp(String path) {
        return new Matching().match(path);
    }
}

class Matching {
    String match(String path) {
        return new Candidates().best(path);
    }
}

class Candidates {
    String best(String path) {
        return pick(new Routes().all(), path);
    }

    private String pick(Map<String, String> routes, String path) {
        String handler = "none";
        for (String prefix : routes.keySet()) {
            if (path.startsWith(prefix)) {
                handler = routes.get(prefix);
                break;
            }
        }
        return handler;
    }
}

class Routes {
    Map<String, String> all() {
        return new Defaults().routes();
    }
}

class Defaults {
    Map<String, String> routes() {
        Map<String, String> routes = new HashMap<>(); // flaky: PLR103
        //~ Map<String, String> routes = new TreeMap<>();
        routes.put("/", "home");
        routes.put("/users", "users");
        return routes;
    }
}

class BreakInLoopTest {
    @Test
    void routesToHome() {
        assertEquals("home", new Router().route("/users/7"));
    }
}
