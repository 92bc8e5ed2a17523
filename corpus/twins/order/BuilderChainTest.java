// route: field of the code under test, builder
// settled: LinkedHashMap filled in a defined order
package example.builderchain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class Request {
    private final Map<String, String> headers;

    private Request(Map<String, String> headers) {
        this.headers = headers;
    }

    static Builder builder() {
        return new Builder();
    }

    String curl() {
        StringBuilder text = new StringBuilder("curl");
        headers.forEach((name, value) -> text.append(" -H ").append(name).append(':').append(value));
        return text.toString();
    }

    static class Builder {
        private final Map<String, String> headers = new HashMap<>(); // flaky: PLR101
        //~ private final Map<String, String> headers = new LinkedHashMap<>();

        Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        Request build() {
            return new Request(headers);
        }
    }
}

class BuilderChainTest {
    @Test
    void printsCommand() {
        Request request = Request.builder().header("Accept", "json").header("Host", "me").build();
        assertEquals("curl -H Accept:json -H Host:me", request.curl());
    }
}
