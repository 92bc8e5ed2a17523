package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MemberPinTest {
    @Test
    void hasFourDigits() {
        assertTrue(MemberPin.create().matches("\\d{4}"));
    }

    @Test
    void noDigitComesTwice() {
        String pin = MemberPin.create();
        assertEquals(4, pin.chars().distinct().count(), pin);
    }
}
