package lending.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2024-03-04T12:00:00Z"), ZoneOffset.UTC);

    private final Membership membership = new Membership(NOON);

    @Test
    void beginsWithAnApplication() {
        assertEquals(Membership.State.APPLIED, membership.state());
    }

    @Test
    void lastsAYear() {
        membership.activate();
        assertEquals(LocalDate.of(2025, 3, 4), membership.until());
    }

    @Test
    void canBeSuspendedAndResumed() {
        membership.activate();
        membership.suspend();
        assertEquals(Membership.State.SUSPENDED, membership.state());
        membership.resume();
        assertEquals(Membership.State.ACTIVE, membership.state());
    }

    @Test
    void cannotBeSuspendedBeforeItBegan() {
        assertThrows(IllegalStateException.class, membership::suspend);
    }

    @Test
    void cannotBeginTwice() {
        membership.activate();
        assertThrows(IllegalStateException.class, membership::activate);
    }

    @Test
    void endsAfterAYear() {
        MovingClock clock = new MovingClock();
        Membership moving = new Membership(clock);
        moving.activate();
        clock.now = clock.now.plus(Duration.ofDays(365));
        assertEquals(Membership.State.ACTIVE, moving.state());
        clock.now = clock.now.plus(Duration.ofDays(1));
        assertEquals(Membership.State.ENDED, moving.state());
    }

    private static final class MovingClock extends Clock {
        private Instant now = NOON.instant();

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }
}
