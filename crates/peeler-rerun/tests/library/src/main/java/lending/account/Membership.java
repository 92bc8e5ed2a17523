package lending.account;

import java.time.Clock;
import java.time.LocalDate;

/** A membership: applied for, active for a year, suspended, ended. */
public final class Membership {
    /** Where it stands. */
    public enum State {
        APPLIED, ACTIVE, SUSPENDED, ENDED
    }

    private final Clock clock;
    private State state = State.APPLIED;
    private LocalDate until;

    public Membership(Clock clock) {
        this.clock = clock;
    }

    public void activate() {
        require(State.APPLIED);
        state = State.ACTIVE;
        until = LocalDate.now(clock).plusYears(1);
    }

    public void suspend() {
        require(State.ACTIVE);
        state = State.SUSPENDED;
    }

    public void resume() {
        require(State.SUSPENDED);
        state = State.ACTIVE;
    }

    public State state() {
        boolean isOver = until != null && LocalDate.now(clock).isAfter(until);
        return isOver ? State.ENDED : state;
    }

    public LocalDate until() {
        return until;
    }

    private void require(State expected) {
        if (state != expected) {
            throw new IllegalStateException("is " + state + ", not " + expected);
        }
    }
}
