package stock;

import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

/** A class whose public methods are tests. */
@Test(groups = "whole")
public class WholeClassTest {
    public void isTest() {}

    public void fails() {
        throw new AssertionError("it fails");
    }

    void isNoTest() {}

    @AfterMethod
    public void cleans() {}
}
