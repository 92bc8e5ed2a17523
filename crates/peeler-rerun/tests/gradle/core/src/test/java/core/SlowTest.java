package core;

import org.junit.Test;

/** A class that the build leaves out. */
public class SlowTest {
    @Test
    public void isSlow() {}
}
