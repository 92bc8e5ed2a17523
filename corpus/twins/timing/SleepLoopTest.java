// route: body
// settled: bounded polling
package example.sleeploop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Elevator {
    private volatile int floor;

    void go(int target) {
        new Thread(() -> floor = target).start();
    }

    int floor() {
        return floor;
    }
}

class SleepLoopTest {
    @Test
    void arrives() throws Exception {
        Elevator elevator = new Elevator();
        elevator.go(3);
        Thread.sleep(250); // flaky: PLR201
        //~ for (int wait = 0; wait < 3000 && elevator.floor() != 3; wait++) {
        //~     Thread.sleep(10);
        //~ }
        assertEquals(3, elevator.floor());
    }
}
