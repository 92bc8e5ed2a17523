// route: code under test, 1 call
// settled: sorted stream
package example.propertiesdump;

import static org.junit.Assert.assertEquals;

import java.util.Properties;
import java.util.TreeSet;
import org.junit.Test;

class PropertiesDump {
    String dump(Properties properties) {
        StringBuilder text = new StringBuilder();
        for (String name : properties.stringPropertyNames()) { // flaky: PLR101
            //~ for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            text.append(name).append('=').append(properties.getProperty(name)).append(';');
        }
        return text.toString();
    }
}

public class PropertiesDumpTest {
    @Test
    public void dumpsAllProperties() {
        Properties properties = new Properties(); // flaky: PLR101
        properties.setProperty("host", "local");
        properties.setProperty("user", "ann");
        assertEquals("host=local;user=ann;", new PropertiesDump().dump(properties));
    }
}
