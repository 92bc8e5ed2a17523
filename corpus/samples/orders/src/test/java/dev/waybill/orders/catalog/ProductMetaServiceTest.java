package dev.waybill.orders.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.waybill.orders.Sku;
import dev.waybill.orders.json.JsonReader;
import java.math.BigDecimal;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProductMetaServiceTest {

    private static final Sku TEA = Sku.parse("TEA-0042");
    private static final String DOCUMENT =
            "{\"vendor\":{\"name\":\"Leaf & Co\",\"id\":17},\"origin\":\"Assam\",\"title\":\"Morning blend\",\"grams\":250}";

    private Catalog catalog;

    @BeforeEach
    void publishDocument() {
        catalog = sku -> sku.equals(TEA) ? DOCUMENT : null;
    }

    @Test
    void fetchedMetaSerialisesToThePublishedDocument() {
        ProductMeta meta = new ProductMetaService(catalog).fetch(TEA);
        assertEquals(DOCUMENT, meta.toJson());
    }

    @Test
    void fetchedMetaKeepsThePublishedLayout() {
        ProductMeta meta = new ProductMetaService(catalog, JsonReader.keepingFieldOrder()).fetch(TEA);
        assertEquals(DOCUMENT, meta.toJson());
    }

    @Test
    void fetchedMetaHoldsThePublishedFields() {
        ProductMeta meta = new ProductMetaService(catalog).fetch(TEA);
        assertEquals(new JsonReader().readObject(DOCUMENT), meta.fields());
    }

    @Test
    void fieldsCanBeLookedUp() {
        ProductMeta meta = new ProductMetaService(catalog).fetch(TEA);
        assertEquals("Assam", meta.field("origin"));
        assertEquals(new BigDecimal(250), meta.field("grams"));
    }

    @Test
    void unknownProductIsAnError() {
        ProductMetaService service = new ProductMetaService(catalog);
        assertThrows(NoSuchElementException.class, () -> service.fetch(Sku.parse("POT-0001")));
    }
}
