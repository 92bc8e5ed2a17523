package dev.waybill.storage;

import java.nio.charset.StandardCharsets;

public final class TextCodec {

    public byte[] encode(String text) {
        return text.getBytes();
    }

    public byte[] encodeUtf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
