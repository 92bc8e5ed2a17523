// route: library
// settled: fields looked up by key
package example.fastjson;

import static org.junit.Assert.assertEquals;

import com.alibaba.fastjson.JSON;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class FastjsonTest {
    @Test
    public void writesPair() {
        Map<String, Integer> pair = new HashMap<>(); // flaky: PLR105 PLR101
        pair.put("left", 1);
        pair.put("right", 2);
        String json = JSON.toJSONString(pair); // flaky: PLR105
        assertEquals("{\"left\":1,\"right\":2}", json);
        //~ assertEquals(2, JSON.parseObject(json).getIntValue("right"));
    }
}
