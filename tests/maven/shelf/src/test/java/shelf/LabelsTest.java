package shelf;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class LabelsTest {
    static {
        System.setProperty("labels.ran", "yes");
    }

    private final Labels labels = new Labels();

    @Before
    public void fill() {
        labels.put("a", 0);
        labels.put("b", 1);
        labels.put("c", 2);
        labels.put("d", 3);
        labels.put("e", 4);
    }

    @Test
    public void isOneText() {
        assertEquals("a0b1c2d3e4", labels.text());
    }

    @Test
    public void isSorted() {
        assertEquals("{a=0, b=1, c=2, d=3, e=4}", labels.sorted());
    }
}
