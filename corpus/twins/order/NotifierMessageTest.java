// route: code under test, 1 call, verified mock
// settled: TreeSet
package example.notifiermessage;

import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

interface Mailer {
    void send(String to, String text);
}

class Notifier {
    private final Mailer mailer;
    private final Set<String> changes = new HashSet<>(); // flaky: PLR101
    //~ private final Set<String> changes = new TreeSet<>();

    Notifier(Mailer mailer) {
        this.mailer = mailer;
    }

    void changed(String what) {
        changes.add(what);
    }

    void flush(String to) {
        mailer.send(to, "changed: " + String.join(", ", changes));
    }
}

class NotifierMessageTest {
    @Test
    void sendsAllChanges() {
        Mailer mailer = mock(Mailer.class);
        Notifier notifier = new Notifier(mailer);
        notifier.changed("price");
        notifier.changed("title");
        notifier.flush("ann");
        verify(mailer).send(eq("ann"), eq("changed: price, title"));
    }
}
