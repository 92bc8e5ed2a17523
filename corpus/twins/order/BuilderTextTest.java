// route: library
// settled: appended by hand
package example.buildertext;

import static org.junit.Assert.assertEquals;

import org.apache.commons.lang3.builder.ReflectionToStringBuilder;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.junit.Test;

class Ticket {
    private final String seat = "12A";
    private final int price = 40;

    @Override
    public String toString() {
        return ReflectionToStringBuilder.toString(this, ToStringStyle.NO_CLASS_NAME_STYLE); // flaky: PLR104
        //~ return new ToStringBuilder(this, ToStringStyle.NO_CLASS_NAME_STYLE).append("seat", seat).append("price", price).toString();
    }
}

public class BuilderTextTest {
    @Test
    public void hasText() {
        assertEquals("[seat=12A,price=40]", new Ticket().toString());
    }
}
