// route: setup, setter of the code under test
// settled: LinkedHashSet filled in a defined order
package example.defaultedbean;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.Before;
import org.junit.Test;

class Newsletter {
    private Set<String> readers;

    void setReaders(Set<String> readers) {
        this.readers = readers;
    }

    List<String> mails() {
        List<String> mails = new ArrayList<>();
        for (String reader : readers) {
            mails.add("Dear " + reader);
        }
        return mails;
    }
}

public class DefaultedBeanTest {
    private final Newsletter newsletter = new Newsletter();

    @Before
    public void setReaders() {
        Set<String> readers = new HashSet<>(); // flaky: PLR102
        //~ Set<String> readers = new LinkedHashSet<>();
        readers.add("zoe");
        readers.add("adam");
        newsletter.setReaders(readers);
    }

    @Test
    public void greetsReaders() {
        assertEquals(Arrays.asList("Dear zoe", "Dear adam"), newsletter.mails());
    }
}
