// route: code under test, 6 calls
// settled: TreeMap
package example.deeptemplate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class Page {
    String html(String... attributes) {
        return "<p" + new Layout().attributes(attributes) + "/>";
    }
}

class Layout {
    String attributes(String... attributes) {
        return new Section().render(attributes);
    }
}

class Section {
    String render(String... attributes) {
        return new Element().render(attributes);
    }
}

class Element {
    String render(String... attributes) {
        return new AttributeWriter().write(attributes);
    }
}

class AttributeWriter {
    String write(String... attributes) {
        StringBuilder text = new StringBuilder();
        Map<String, String> parsed = new AttributeParser().parse(attributes);
        parsed.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
        return text.toString();
    }
}

class AttributeParser {
    Map<String, String> parse(String... attributes) {
        Map<String, String> parsed = new HashMap<>(); // flaky: PLR101
        //~ Map<String, String> parsed = new TreeMap<>();
        for (String attribute : attributes) {
            String[] parts = attribute.split(":");
            parsed.put(parts[0], parts[1]);
        }
        return parsed;
    }
}

class DeepTemplateTest {
    @Test
    void rendersAttributes() {
        assertEquals("<p class=wide id=top/>", new Page().html("class:wide", "id:top"));
    }
}
