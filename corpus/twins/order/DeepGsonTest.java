// route: code under test, 6 calls
// settled: compared as JSON trees
package example.deepgson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class Hook {
    String fire(String name) {
        return new Dispatcher().dispatch(name);
    }
}

class Dispatcher {
    String dispatch(String name) {
        return new Channel().send(name);
    }
}

class Channel {
    String send(String name) {
        return new Encoder().encode(name);
    }
}

class Encoder {
    String encode(String name) {
        return new Envelope(name).text();
    }
}

class Envelope {
    private final String name;
    private final int version = 2;

    Envelope(String name) {
        this.name = name;
    }

    String text() {
        return Json.write(this);
    }
}

class Json {
    static String write(Object value) {
        return new Gson().toJson(value); // flaky: PLR105
    }
}

class DeepGsonTest {
    @Test
    void firesHook() {
        String sent = new Hook().fire("push");
        assertEquals("{\"name\":\"push\",\"version\":2}", sent);
        //~ assertEquals(JsonParser.parseString("{\"version\":2,\"name\":\"push\"}"), JsonParser.parseString(sent));
    }
}
