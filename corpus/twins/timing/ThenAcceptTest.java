// route: lambda
// settled: get
package example.thenaccept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThenAcceptTest {
    @Test
    void acceptsResult() throws Exception {
        AtomicReference<String> result = new AtomicReference<>();
        CompletableFuture<Void> done =
                CompletableFuture.supplyAsync(() -> "ok").thenAccept(result::set); // flaky: PLR202
        //+ done.get();
        assertEquals("ok", result.get());
    }
}
