package dev.waybill.orders.pricing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class VoucherCodesTest {

    private static final List<String> PRIZES = Arrays.asList("mug", "tea", "pot", "spoon");

    @Test
    void everyPrizeIsDrawn() {
        VoucherCodes codes = new VoucherCodes();
        assertEquals(PRIZES.size(), drawnBy(codes, 20).size());
    }

    @Test
    void everyPrizeIsDrawnFromKnownSeed() {
        VoucherCodes codes = new VoucherCodes(new Random(20220504L));
        assertEquals(PRIZES.size(), drawnBy(codes, 40).size());
    }

    @Test
    void sameSeedGivesSameCodes() {
        assertEquals(new VoucherCodes(new Random(5)).next(), new VoucherCodes(new Random(5)).next());
    }

    @RepeatedTest(5)
    void codeHasTheAgreedForm() {
        assertThat(new VoucherCodes().next(), matchesPattern("[A-Z]\\d-\\d{3}"));
    }

    @Test
    void consecutiveCodesDiffer() {
        VoucherCodes codes = new VoucherCodes();
        assertNotEquals(codes.next(), codes.next());
    }

    @Test
    void mixingChangesTheOrder() {
        assertNotEquals(PRIZES, new VoucherCodes().mix(PRIZES));
    }

    @Test
    void mixingKeepsAllItems() {
        assertThat(new VoucherCodes().mix(PRIZES), containsInAnyOrder("tea", "mug", "spoon", "pot"));
    }

    private static Set<String> drawnBy(VoucherCodes codes, int times) {
        Set<String> drawn = new HashSet<>();
        for (int i = 0; i < times; i++) {
            drawn.add(codes.draw(PRIZES));
        }
        return drawn;
    }
}
