// route: body
// settled: asserted in the test's own thread
package example.assertinrun;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Greeter {
    String greet(String name) {
        return "Hi " + name;
    }
}

class AssertInRunTest {
    private String greeting;

    @Test
    void greets() throws Exception {
        Thread thread = new Thread(new Runnable() {
            @Override
            public void run() {
                greeting = new Greeter().greet("Ann");
                assertEquals("Hi Ann", greeting); // flaky: PLR205
                //~
            }
        });
        thread.start();
        thread.join();
        //+ assertEquals("Hi Ann", greeting);
    }
}
