// route: body
// settled: poll in order
package example.priorityqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PriorityQueueTest {
    @Test
    void servesInOrder() {
        Set<String> waiting = new HashSet<>(List.of("b", "a")); // flaky: PLR102 PLR103
        List<String> served = new ArrayList<>();
        Queue<String> queue = new ArrayDeque<>(waiting);
        //~ Queue<String> queue = new PriorityQueue<>(waiting);
        while (!queue.isEmpty()) {
            served.add(queue.poll());
        }
        assertEquals(List.of("a", "b"), served);
    }
}
