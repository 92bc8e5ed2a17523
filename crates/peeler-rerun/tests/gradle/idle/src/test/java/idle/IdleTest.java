package idle;

import org.junit.Test;

/** A test that the build never runs. */
public class IdleTest {
    @Test
    public void neverRuns() {}
}
