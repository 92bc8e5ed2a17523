package dev.waybill.orders.pricing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaxTableTest {

    private TaxTable table;

    @BeforeEach
    void fillTable() {
        table = new TaxTable().rate("DE", "0.19").rate("PL", "0.23").rate("FR", "0.20").rate("IE", "0.23");
    }

    @Test
    void findsRateOfCountry() {
        assertEquals(new BigDecimal("0.20"), table.rateOf("FR"));
    }

    @Test
    void unknownCountryIsAnError() {
        assertThrows(IllegalArgumentException.class, () -> table.rateOf("XX"));
    }

    @Test
    void listsCountries() {
        assertThat(table.countries(), contains("DE", "PL", "FR", "IE"));
    }

    @Test
    void knowsAllCountries() {
        assertThat(table.countries(), containsInAnyOrder("DE", "FR", "IE", "PL"));
    }

    @Test
    void findsHighestRate() {
        assertEquals(new BigDecimal("0.23"), table.highestRate());
    }

    @Test
    void findsMostTaxedCountry() {
        assertEquals("PL", table.mostTaxedCountry());
    }

    @Test
    void findsMostTaxedCountryOfThree() {
        TaxTable small = new TaxTable().rate("DE", "0.19").rate("HU", "0.27").rate("FR", "0.20");
        assertEquals("HU", small.mostTaxedCountry());
    }

    @Test
    void describesRatesByCountry() {
        assertEquals("DE 0.19;FR 0.20;IE 0.23;PL 0.23;", table.describe());
    }
}
