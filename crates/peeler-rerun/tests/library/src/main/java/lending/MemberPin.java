package lending;

import java.util.Random;

/** The number that a member types in at the returns machine. */
public final class MemberPin {
    private static final Random RANDOM = new Random();

    private MemberPin() {}

    /** A new PIN of four digits. */
    public static String create() {
        StringBuilder pin = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            pin.append(RANDOM.nextInt(10));
        }
        return pin.toString();
    }
}
