package shop;

import org.junit.jupiter.api.Test;

class TillTest {
    @Test
    void opens() throws Exception {
        Till.open();
    }

    @Test
    void closes() throws Exception {
        Till.close();
    }
}
