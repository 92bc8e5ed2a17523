package shelf;

import static org.junit.Assert.fail;

import org.junit.Test;

public class SlowTest {
    @Test
    public void isExcluded() {
        fail("the build does not run it");
    }
}
