// route: library
// settled: block
package example.reactorblock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class ReactorBlockTest {
    private String last;

    private Mono<String> load(String id) {
        return Mono.fromCallable(() -> "item " + id).subscribeOn(Schedulers.boundedElastic()).doOnNext(it -> last = it);
    }

    @Test
    void loadsItem() {
        load("7").subscribe(); // flaky: PLR202
        //~ load("7").block();
        assertEquals("item 7", last);
    }
}
