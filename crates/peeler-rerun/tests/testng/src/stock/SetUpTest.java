package stock;

import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.BeforeSuite;
import org.testng.annotations.Test;

/** Classes whose set-up or clean-up fails or skips. */
public class SetUpTest {
    /** Its set-up of a method fails. */
    public static class OfMethod {
        @BeforeMethod
        public void fails() {
            throw new IllegalStateException("no scales");
        }

        @Test
        public void weighs() {}
    }

    /** Its set-up of the class fails. */
    public static class OfClass {
        @BeforeClass
        public void fails() {
            throw new IllegalStateException("no shelves");
        }

        @Test
        public void stores() {}
    }

    /** Its set-up of the suite fails. */
    public static class OfSuite {
        @BeforeSuite
        public void fails() {
            throw new IllegalStateException("no building");
        }

        @Test
        public void stands() {}
    }

    /** Its clean-up fails. */
    public static class CleanUp {
        @AfterClass
        public void fails() {
            throw new IllegalStateException("no broom");
        }

        @Test
        public void isSwept() {}
    }

    /** Its set-up skips the tests. */
    public static class Skipping {
        @BeforeClass
        public void skips() {
            throw new SkipException("only on Mondays");
        }

        @Test
        public void isMonday() {}
    }
}
