// route: helper
// settled: closed in teardown
package example.mockinhelper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.mockito.Mockito.mockStatic;

import org.junit.After;
import org.junit.Test;
import org.mockito.MockedStatic;

class Weather {
    static int degrees() {
        return 20;
    }
}

public class MockInHelperTest {
    private MockedStatic<Weather> weather;

    private void makeItCold() {
        weather = mockStatic(Weather.class); // flaky: PLR506
        weather.when(Weather::degrees).thenReturn(-5);
    }

    @After
    public void finish() {
        assertNotNull(weather);
        //~ weather.close();
    }

    @Test
    public void isCold() {
        makeItCold();
        assertEquals(-5, Weather.degrees());
    }
}
