package stock;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** Tests of every kind that TestNG knows. */
public class StockTest extends StockContract {
    private static boolean isOpen;
    private static boolean isSorted;

    @Test
    public void adds() {
        assertEquals(1 + 1, 2);
    }

    @Test
    public void losesOne() {
        assertEquals(2 - 1, 2);
    }

    @Override
    @Test
    public void isOverridden() {}

    @DataProvider
    public Object[][] numbers() {
        return new Object[][] {{1}, {2}, {3}};
    }

    @Test(dataProvider = "numbers")
    public void isPositive(int number) {
        assertTrue(number > 0);
    }

    @Test(dataProvider = "numbers")
    public void isSmall(int number) {
        assertTrue(number < 3, number + " is not small");
    }

    @Test(dataProvider = "numbers")
    public void isOdd(int number) {
        if (number % 2 == 0) {
            throw new SkipException(number + " is even");
        }
    }

    @DataProvider
    public Object[][] broken() {
        throw new IllegalStateException("no numbers today");
    }

    @Test(dataProvider = "broken")
    public void hasNoNumbers(int number) {}

    @Test(enabled = false)
    public void isOff() {
        throw new AssertionError("it is off");
    }

    @Test
    public void isClosedToday() {
        throw new SkipException("closed today");
    }

    @Test(expectedExceptions = IllegalStateException.class)
    public void refuses() {
        throw new IllegalStateException("refused");
    }

    @Test(expectedExceptions = IllegalStateException.class)
    public void acceptsEverything() {}

    @Test(timeOut = 30000)
    public void isQuick() {}

    @Test(timeOut = 50)
    public void isSlow() throws InterruptedException {
        Thread.sleep(20000);
    }

    @Test(invocationCount = 4, successPercentage = 50)
    public void worksMostly() {
        isSorted = !isSorted;
        assertTrue(isSorted);
    }

    @Test
    public void opens() {
        isOpen = true;
    }

    @Test(groups = "sorting")
    public void sorts() {
        isSorted = true;
    }

    @Test(dependsOnMethods = "opens", dependsOnGroups = "sort.*")
    public void sells() {
        assertTrue(isOpen && isSorted);
    }

    @Test(dependsOnMethods = "losesOne")
    public void countsTheLost() {}

    @Test(dependsOnGroups = "tests-of-another-class")
    public void followsAnotherClass() {}

    @Test
    public void costs$5() {}

    @Test
    public int returnsSomething() {
        return 5;
    }

    public void isNoTest() {}

    @Test
    public void isFlaky() throws IOException {
        File seen = new File(System.getProperty("sample.dir"), "seen");
        assertTrue(!seen.createNewFile(), "the first run fails");
    }
}
