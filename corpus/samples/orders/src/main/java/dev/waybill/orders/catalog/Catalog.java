package dev.waybill.orders.catalog;

import dev.waybill.orders.Sku;

/** Where product documents come from. */
public interface Catalog {

    /** The JSON document of a product, or null. */
    String document(Sku sku);
}
