package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DrawTest {
    @Test
    void drawsTheSameCard() throws Exception {
        assertTrue(Chance.passes("draw", "fpppppppppp"));
    }

    @Test
    void drawsSeldomTheSameCard() throws Exception {
        assertTrue(Chance.passes("seldom", "pppppppppf"));
    }

    @Test
    void drawsOftenTheSameCard() throws Exception {
        assertTrue(Chance.passes("often", "ppfppp"));
    }
}
