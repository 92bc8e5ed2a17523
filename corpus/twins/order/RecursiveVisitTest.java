// route: code under test, recursive
// settled: TreeMap
package example.recursivevisit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Folder {
    private final Map<String, Folder> children = new HashMap<>(); // flaky: PLR102
    //~ private final Map<String, Folder> children = new TreeMap<>();

    Folder child(String name) {
        return children.computeIfAbsent(name, key -> new Folder());
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        collect(names);
        return names;
    }

    private void collect(List<String> names) {
        for (Map.Entry<String, Folder> entry : children.entrySet()) {
            names.add(entry.getKey());
            entry.getValue().collect(names);
        }
    }
}

class RecursiveVisitTest {
    @Test
    void listsNamesDepthFirst() {
        Folder root = new Folder();
        root.child("docs").child("api");
        root.child("src");
        assertEquals(List.of("docs", "api", "src"), root.names());
    }
}
