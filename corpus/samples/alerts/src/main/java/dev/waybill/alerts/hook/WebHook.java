package dev.waybill.alerts.hook;

import dev.waybill.alerts.Notice;
import dev.waybill.alerts.digest.NoticeJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public final class WebHook {

    /** Posts a body and returns the status code. */
    @FunctionalInterface
    public interface Poster {
        int post(URI target, String body) throws IOException, InterruptedException;
    }

    private final URI target;
    private final Poster poster;

    public WebHook(URI target) {
        this(target, WebHook::postOverHttp);
    }

    public WebHook(URI target, Poster poster) {
        this.target = target;
        this.poster = poster;
    }

    public boolean send(Notice notice) throws IOException, InterruptedException {
        return poster.post(target, new NoticeJson().writeOrdered(notice)) == 204;
    }

    private static int postOverHttp(URI target, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(target)
                .timeout(Duration.ofSeconds(3))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
