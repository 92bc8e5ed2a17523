// route: setup
// settled: count
package example.classesoftype;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClassesOfTypeTest {
    static class Outer {
        static class First {
        }

        static class Second {
        }
    }

    private Class<?>[] members;

    @BeforeEach
    void readMembers() {
        members = Outer.class.getDeclaredClasses(); // flaky: PLR104
    }

    @Test
    void knowsMembers() {
        assertEquals("First", members[0].getSimpleName());
        //~ assertEquals(2, members.length);
    }
}
