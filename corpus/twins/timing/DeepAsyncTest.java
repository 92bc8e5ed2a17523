// route: code under test, 6 calls
// settled: latch
package example.deepasync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class Shop {
    final Warehouse warehouse = new Warehouse();

    void order(String item) {
        warehouse.request(item);
    }
}

class Warehouse {
    final Shelf shelf = new Shelf();

    void request(String item) {
        shelf.reserve(item);
    }
}

class Shelf {
    final Picker picker = new Picker();

    void reserve(String item) {
        picker.pick(item);
    }
}

class Picker {
    final Belt belt = new Belt();

    void pick(String item) {
        belt.load(item);
    }
}

class Belt {
    final List<String> moved = new CopyOnWriteArrayList<>();
    final CountDownLatch arrived = new CountDownLatch(1);

    void load(String item) {
        move(() -> {
            moved.add(item);
            arrived.countDown();
        });
    }

    private void move(Runnable work) {
        new Thread(work).start(); // flaky: PLR202
    }
}

class DeepAsyncTest {
    @Test
    void movesItem() throws Exception {
        Shop shop = new Shop();
        shop.order("lamp"); // flaky: PLR202
        //+ shop.warehouse.shelf.picker.belt.arrived.await();
        assertEquals(1, shop.warehouse.shelf.picker.belt.moved.size());
    }
}
