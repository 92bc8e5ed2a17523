// route: body
// settled: getDeclaredMethod by name
package example.firstmethod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class Greeter {
    public String hello() {
        return "hello";
    }

    public String bye() {
        return "bye";
    }
}

class FirstMethodTest {
    @Test
    void invokesHello() throws Exception {
        Method method = Greeter.class.getDeclaredMethods()[0]; // flaky: PLR104
        //~ Method method = Greeter.class.getDeclaredMethod("hello");
        assertEquals("hello", method.invoke(new Greeter()));
    }
}
