package dev.waybill.orders.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.orders.OrderLine;
import dev.waybill.orders.pricing.Voucher;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BeanDescriberTest {

    interface Shelf {
        int row();

        int level();

        String label();
    }

    private final BeanDescriber describer = new BeanDescriber();

    @Test
    void describesFields() {
        assertEquals("OrderLine(sku, quantity, unitPrice)", describer.describe(OrderLine.class));
    }

    @Test
    void describesFieldsAlphabetically() {
        assertEquals("OrderLine(quantity, sku, unitPrice)", describer.describeSorted(OrderLine.class));
    }

    @Test
    void countsInstanceFieldsOnly() {
        assertEquals(2, describer.fieldNames(Voucher.class).size());
    }

    @Test
    void interfaceMethodsAreProperties() {
        StringBuilder names = new StringBuilder();
        for (Method method : Shelf.class.getDeclaredMethods()) {
            names.append(method.getName()).append(' ');
        }
        assertEquals("level label row ", names.toString());
    }

    @Test
    void accessorsAreListed() {
        String names = Arrays.stream(describer.accessors(Shelf.class))
                .map(Method::getName)
                .collect(Collectors.joining(" "));
        assertEquals("label level row", names);
    }

    @Test
    void accessorCanBeCalled() throws Exception {
        Shelf shelf = new Shelf() {
            @Override
            public int row() {
                return 4;
            }

            @Override
            public int level() {
                return 1;
            }

            @Override
            public String label() {
                return "tea";
            }
        };
        assertEquals(4, Shelf.class.getDeclaredMethod("row").invoke(shelf));
    }
}
