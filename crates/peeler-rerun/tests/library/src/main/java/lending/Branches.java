package lending;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Asks all branches for a book at once. */
public final class Branches {
    private final List<Branch> branches;

    public Branches(List<Branch> branches) {
        this.branches = branches;
    }

    /** The name of the branch that answers first. */
    public String whoHas(String title) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(branches.size());
        try {
            List<Callable<String>> questions = new ArrayList<>();
            for (Branch branch : branches) {
                questions.add(() -> branch.has(title) ? branch.name() : "nobody");
            }
            return pool.invokeAny(questions);
        } finally {
            pool.shutdownNow();
        }
    }

    /** A branch on the other side of a line. */
    public interface Branch {
        String name();

        boolean has(String title) throws InterruptedException;
    }
}
