package dev.waybill.orders.catalog;

import dev.waybill.orders.Sku;
import dev.waybill.orders.json.JsonReader;
import java.util.NoSuchElementException;

public final class ProductMetaService {

    private final Catalog catalog;
    private final JsonReader reader;

    public ProductMetaService(Catalog catalog) {
        this(catalog, new JsonReader());
    }

    public ProductMetaService(Catalog catalog, JsonReader reader) {
        this.catalog = catalog;
        this.reader = reader;
    }

    public ProductMeta fetch(Sku sku) {
        String document = catalog.document(sku);
        if (document == null) {
            throw new NoSuchElementException(sku.toString());
        }
        return new ProductMeta(reader.readObject(document));
    }
}
