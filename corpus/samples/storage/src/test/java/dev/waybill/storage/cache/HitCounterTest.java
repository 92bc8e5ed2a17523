package dev.waybill.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HitCounterTest {

    private final HitCounter counter = new HitCounter();

    @Test
    void countsHitsOfAllThreads() throws InterruptedException {
        runTwice(counter::hit);
        assertThat(counter.hits()).isEqualTo(20_000);
    }

    @Test
    void countsMissesOfAllThreads() throws InterruptedException {
        runTwice(counter::miss);
        assertThat(counter.misses()).isEqualTo(20_000);
    }

    @Test
    void loadsAllKeysInParallel() {
        List<String> loaded = new ArrayList<>();
        IntStream.range(0, 1_000).parallel().forEach(i -> loaded.add("key-" + i));
        assertThat(loaded).hasSize(1_000);
    }

    @Test
    void collectsAllKeysInParallel() {
        List<String> loaded = IntStream.range(0, 1_000).parallel()
                .mapToObj(i -> "key-" + i)
                .collect(Collectors.toList());
        assertThat(loaded).hasSize(1_000).startsWith("key-0", "key-1");
    }

    private static void runTwice(Runnable action) throws InterruptedException {
        Runnable loop = () -> {
            for (int i = 0; i < 10_000; i++) {
                action.run();
            }
        };
        Thread one = new Thread(loop);
        Thread two = new Thread(loop);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
