// route: setup
// settled: fields instead of the default text
package example.identityinsetup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdentityInSetupTest {
    static class Car {
        final String plate;

        Car(String plate) {
            this.plate = plate;
        }
    }

    private String description;

    @BeforeEach
    void describe() {
        Car car = new Car("B-7");
        description = "car " + car; // flaky: PLR108
        //~ description = "car " + car.plate;
    }

    @Test
    void isDescribed() {
        assertEquals("car B-7", description);
    }
}
