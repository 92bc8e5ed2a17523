package dev.waybill.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoneyTest {

    private final Money price = Money.of("1234.5", "EUR");

    @Test
    void addsAmountsOfTheSameCurrency() {
        assertEquals(Money.of("1240.00", "EUR"), price.plus(Money.of("5.50", "EUR")));
    }

    @Test
    void rejectsMixedCurrencies() {
        assertThrows(IllegalArgumentException.class, () -> price.plus(Money.of("1", "PLN")));
    }

    @Test
    void displaysThousandsSeparator() {
        assertEquals("1,234.50 EUR", price.toDisplay());
    }

    @Test
    void displaysInGermanStyle() {
        assertEquals("1.234,50 EUR", price.toDisplay(Locale.GERMANY));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "en-US;1,234.50 EUR",
            "en-GB;1,234.50 EUR",
            "de-DE;1.234,50 EUR"
    })
    void displaysForCustomerLocale(String tag, String expected) {
        assertEquals(expected, price.toDisplay(Locale.forLanguageTag(tag)));
    }

    @Nested
    class Rounding {

        @Test
        void halfCentsGoToTheEvenNeighbour() {
            assertEquals("0.12 EUR", Money.of("0.125", "EUR").toString());
            assertEquals("0.14 EUR", Money.of("0.135", "EUR").toString());
        }

        @Test
        void restOfASplitGoesToTheFirstShares() {
            assertEquals(
                    Arrays.asList(Money.of("0.34", "EUR"), Money.of("0.33", "EUR"), Money.of("0.33", "EUR")),
                    Money.of("1.00", "EUR").split(3));
        }
    }
}
