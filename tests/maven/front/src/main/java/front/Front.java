package front;

import shelf.Labels;

public class Front {
    public String greeting(String name) {
        Labels labels = new Labels();
        labels.put(name, 1);
        return "hello " + labels.text();
    }
}
