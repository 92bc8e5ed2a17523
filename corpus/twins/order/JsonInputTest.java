// route: code under test, 1 call
// settled: literal is input, not expectation
package example.jsoninput;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class Order {
    public String id;
    public int amount;
}

class OrderReader {
    private final ObjectMapper mapper = new ObjectMapper();

    Order read(String json) throws JsonProcessingException {
        return mapper.readValue(json, Order.class);
    }

    String write(Order order) throws JsonProcessingException {
        return mapper.writeValueAsString(order); // flaky: PLR105
    }
}

class JsonInputTest {
    @Test
    void readsOrders() throws Exception {
        OrderReader reader = new OrderReader();
        Order order = reader.read("{\"id\":\"A1\",\"amount\":3}");
        assertEquals("{\"id\":\"A1\",\"amount\":3}", reader.write(order));
        //~ assertEquals("A1", order.id);
    }
}
