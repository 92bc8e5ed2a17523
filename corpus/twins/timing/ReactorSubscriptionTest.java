// route: library
// settled: StepVerifier
package example.reactorsubscription;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReactorSubscriptionTest {
    @Test
    void emitsUpperCase() {
        List<String> seen = new CopyOnWriteArrayList<>();
        Flux<String> words = Flux.just("a", "b").publishOn(Schedulers.parallel()).map(String::toUpperCase);
        words.subscribe(seen::add); // flaky: PLR202
        //~ StepVerifier.create(words.doOnNext(seen::add)).expectNextCount(2).verifyComplete();
        assertEquals(List.of("A", "B"), seen);
    }
}
