package lending;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The table with new books at the entrance. */
public final class DisplayTable {
    private final List<String> titles;

    public DisplayTable(List<String> titles) {
        this.titles = new ArrayList<>(titles);
    }

    /** Puts the books in another order, so that each lies in front some day. */
    public void rearrange() {
        Collections.shuffle(titles);
    }

    public List<String> titles() {
        return titles;
    }
}
