package dev.waybill.delivery.client;

import static org.junit.Assert.assertEquals;

import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import org.junit.Test;

public class CarrierSiteTest {

    private static final String STATUS_PAGE = "http://www.example.com/";

    @Test
    public void statusPageIsUp() throws Exception {
        HttpURLConnection connection = (HttpURLConnection) new URL(STATUS_PAGE).openConnection();
        connection.setConnectTimeout(2_000);
        connection.setReadTimeout(2_000);
        assertEquals(200, connection.getResponseCode());
        connection.disconnect();
    }

    @Test
    public void statusPageAddressIsPlainHttp() {
        URI address = URI.create(STATUS_PAGE);
        assertEquals("http", address.getScheme());
        assertEquals("www.example.com", address.getHost());
    }

    @Test
    public void literalAddressNeedsNoLookup() throws Exception {
        InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        assertEquals("127.0.0.1", address.getHostAddress());
    }
}
