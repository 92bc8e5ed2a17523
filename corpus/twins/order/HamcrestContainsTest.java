// route: code under test, 1 call
// settled: containsInAnyOrder
package example.hamcrestcontains;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

class Subscriptions {
    private final Set<String> topics = new HashSet<>(); // flaky: PLR102

    void subscribe(String topic) {
        topics.add(topic);
    }

    Collection<String> topics() {
        return Collections.unmodifiableCollection(topics);
    }
}

public class HamcrestContainsTest {
    @Test
    public void remembersTopics() {
        Subscriptions subscriptions = new Subscriptions();
        subscriptions.subscribe("news");
        subscriptions.subscribe("sport");
        assertThat(subscriptions.topics(), contains("news", "sport"));
        //~ assertThat(subscriptions.topics(), containsInAnyOrder("news", "sport"));
    }
}
