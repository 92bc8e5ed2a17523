package dev.waybill.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class UsageReportTest {

    private final UsageReport report = new UsageReport().add(Tier.HOT, 10).add(Tier.COLD, 700).add(Tier.HOT, 5);

    @Test
    void summarisesTiers() {
        assertThat(report.summary()).isEqualTo("HOT:15 COLD:700");
    }

    @Test
    void summarisesTiersInOrder() {
        assertThat(report.summaryByTier()).isEqualTo("{HOT=15, COLD=700}");
    }

    @Test
    void summarisesSingleTier() {
        assertThat(new UsageReport().add(Tier.WARM, 3).add(Tier.WARM, 4).summary()).isEqualTo("WARM:7");
    }

    @Test
    void totalIsTheSumOfAllTiers() {
        assertThat(report.total()).isEqualTo(715);
    }

    @Test
    void sizesComeSmallestFirst() {
        assertThat(report.sizes()).containsExactly(15L, 700L);
    }

    @Test
    void sharesAddUpExactly() {
        LoadFactors factors = new LoadFactors().share("ams", 0.1).share("fra", 0.2).share("waw", 0.3).share("dub", 0.4);
        assertThat(factors.total()).isEqualTo(0.1 + 0.2 + 0.3 + 0.4);
    }

    @Test
    void sharesAddUp() {
        LoadFactors factors = new LoadFactors().share("ams", 0.1).share("fra", 0.2).share("waw", 0.3).share("dub", 0.4);
        assertThat(factors.total()).isEqualTo(1.0, within(1e-9));
    }
}
