package dev.waybill.delivery.track;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers the line based requests of couriers and shops. */
public final class TrackingProtocol {

    private final Map<String, String> states = new ConcurrentHashMap<>();

    public TrackingProtocol track(String parcelId, String state) {
        states.put(parcelId, state);
        return this;
    }

    public String answer(String request) {
        String[] words = request.split(" ", 2);
        switch (words[0]) {
            case "PING":
                return "OK PONG";
            case "STATUS":
                String state = states.get(words[1]);
                return state == null ? "ERROR unknown parcel" : "OK " + state;
            case "QUOTE":
                BigDecimal price = new BigDecimal(words[1]).multiply(new BigDecimal("0.005")).add(BigDecimal.ONE);
                return "OK " + price.toPlainString() + " EUR";
            default:
                return "ERROR unknown request";
        }
    }

    public void serve(BufferedReader in, PrintWriter out) throws IOException {
        String request = in.readLine();
        while (request != null) {
            out.println(answer(request));
            request = in.readLine();
        }
        out.flush();
    }
}
