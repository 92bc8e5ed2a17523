// route: library
// settled: content().json
package example.mockmvctext;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class StatusController {
    @GetMapping("/status")
    public Map<String, Object> status() {
        Map<String, Object> status = new HashMap<>(); // flaky: PLR105 PLR101
        status.put("state", "up");
        status.put("users", 3);
        return status;
    }
}

class MockMvcTextTest {
    private final MockMvc mvc = MockMvcBuilders.standaloneSetup(new StatusController()).build();

    @Test
    void returnsStatus() throws Exception {
        mvc.perform(get("/status")).andExpect(content().string("{\"state\":\"up\",\"users\":3}")); // flaky: PLR105
        //~ mvc.perform(get("/status")).andExpect(content().json("{\"state\":\"up\",\"users\":3}"));
    }
}
