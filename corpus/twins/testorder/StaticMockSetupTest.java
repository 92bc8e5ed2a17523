// route: setup
// settled: closed in teardown
package example.staticmocksetup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mockStatic;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

class Ids {
    static String next() {
        return "x";
    }
}

class StaticMockSetupTest {
    private MockedStatic<Ids> ids;

    @BeforeEach
    void mockIds() {
        ids = mockStatic(Ids.class); // flaky: PLR506
        ids.when(Ids::next).thenReturn("id-1");
    }

    //+ @AfterEach
    //+ void close() {
    //+     ids.close();
    //+ }
    //+
    @Test
    void usesIds() {
        assertEquals("id-1", Ids.next());
    }
}
