package dev.waybill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextCodecTest {

    private final TextCodec codec = new TextCodec();

    @Test
    void encodesAccents() {
        assertThat(codec.encode("Łódź")).hasSize(7);
    }

    @Test
    void encodesAccentsAsUtf8() {
        assertThat(codec.encodeUtf8("Łódź")).hasSize(7);
    }
}
