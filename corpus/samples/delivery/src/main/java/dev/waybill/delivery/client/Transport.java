package dev.waybill.delivery.client;

import java.io.IOException;

/** Sends one request line and returns the reply line. */
public interface Transport {

    String exchange(String request) throws IOException;
}
