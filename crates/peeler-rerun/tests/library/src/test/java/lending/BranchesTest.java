package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class BranchesTest {
    @Test
    void onlyBranchAnswers() throws Exception {
        assertEquals("North", new Branches(List.of(branch("North"))).whoHas("Emma"));
    }

    @Test
    void nearestBranchAnswersFirst() throws Exception {
        Branches branches = new Branches(List.of(branch("North"), branch("South")));
        assertEquals("North", branches.whoHas("Emma"));
    }

    /** A branch whose line is as slow as a real one. */
    private static Branches.Branch branch(String name) {
        return new Branches.Branch() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public boolean has(String title) throws InterruptedException {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                return true;
            }
        };
    }
}
