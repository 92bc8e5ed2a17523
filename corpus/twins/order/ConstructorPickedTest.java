// route: code under test, 1 call
// settled: getConstructor by types
package example.constructorpicked;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Factory {
    static Object create(Class<?> type) throws Exception {
        return type.getConstructors()[0].newInstance("x"); // flaky: PLR104
        //~ return type.getConstructor(String.class).newInstance("x");
    }
}

class ConstructorPickedTest {
    public static class Label {
        final String text;

        public Label(String text) {
            this.text = text;
        }

        public Label(Object text) {
            this.text = "object " + text;
        }
    }

    @Test
    void createsLabel() throws Exception {
        assertEquals("x", ((Label) Factory.create(Label.class)).text);
    }
}
