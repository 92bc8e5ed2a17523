package dev.waybill.storage;

import java.io.Closeable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Reads a blob piece by piece. */
public final class BlobReader implements Closeable {

    private final byte[] content;
    private final HandleTable handles;
    private int position;

    public BlobReader(byte[] content) {
        this(content, HandleTable.system());
    }

    public BlobReader(byte[] content, HandleTable handles) {
        this.content = content.clone();
        this.handles = handles;
        handles.opened(this);
    }

    public int read() {
        return position < content.length ? content[position++] & 0xff : -1;
    }

    public String text() {
        return text(StandardCharsets.UTF_8);
    }

    public String text(Charset charset) {
        String text = new String(content, position, content.length - position, charset);
        position = content.length;
        return text;
    }

    @Override
    public void close() {
        handles.closed(this);
    }
}
