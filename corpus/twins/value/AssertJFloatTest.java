// route: helper
// settled: tolerance
package example.assertjfloat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AssertJFloatTest {
    private double fahrenheit(double celsius) {
        return celsius * 9 / 5 + 32; // flaky: PLR308
    }

    @Test
    void converts() {
        assertThat(fahrenheit(36.6)).isEqualTo(97.88); // flaky: PLR308
        //~ assertThat(fahrenheit(36.6)).isCloseTo(97.88, within(0.001));
    }
}
