package dev.waybill.delivery.track;

import static org.junit.Assert.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import org.junit.Test;

public class TrackingProtocolTest {

    private final TrackingProtocol protocol = new TrackingProtocol().track("P-1", "in Malmö");

    @Test
    public void answersPing() {
        assertEquals("OK PONG", protocol.answer("PING"));
    }

    @Test
    public void answersEveryLineOfASession() throws IOException {
        StringWriter replies = new StringWriter();
        protocol.serve(new BufferedReader(new StringReader("PING\nSTATUS P-1\nSTATUS P-2")), new PrintWriter(replies));
        String[] lines = replies.toString().split("\\R");
        assertEquals(3, lines.length);
        assertEquals("OK in Malmö", lines[1]);
        assertEquals("ERROR unknown parcel", lines[2]);
    }

    @Test
    public void rejectsUnknownRequests() {
        assertEquals("ERROR unknown request", protocol.answer("HELLO"));
    }
}
