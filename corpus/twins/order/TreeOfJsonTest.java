// route: code under test, 1 call
// settled: compared as JSON trees
package example.treeofjson;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class Exporter {
    private final Gson gson = new GsonBuilder().setPrettyPrinting().create();

    String export(Measurement measurement) {
        return gson.toJson(measurement); // flaky: PLR105
    }
}

class Measurement {
    double value = 1.5;
    String unit = "m";
}

class TreeOfJsonTest {
    @Test
    void exportsMeasurement() {
        String json = new Exporter().export(new Measurement());
        String expected = "{\n  \"value\": 1.5,\n  \"unit\": \"m\"\n}";
        assertThat(json).isEqualTo(expected);
        //~ assertThat(JsonParser.parseString(json)).isEqualTo(JsonParser.parseString(expected));
    }
}
