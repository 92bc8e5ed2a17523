// route: class
// settled: context not dirtied
package example.dirtiesclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

class Clockwork {
    int ticks;

    int tick() {
        return ++ticks;
    }
}

@SpringJUnitConfig(Clockwork.class)
@DirtiesContext(methodMode = DirtiesContext.MethodMode.BEFORE_METHOD) // flaky: PLR604
//~
class DirtiesClassTest {
    @Test
    void ticks() {
        assertEquals(1, new Clockwork().tick());
    }
}
