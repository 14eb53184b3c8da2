package tchain;

import static tchain.Scenario.map;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** java.net.http.HttpClient. */
final class JdkHttp implements Main.Driver {
    private final HttpClient client;
    private final Scenario scenario;

    JdkHttp(Scenario s) {
        client = builder(s).build();
        scenario = s;
    }

    static HttpClient.Builder builder(Scenario s) {
        HttpClient.Builder b = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        Duration connect = Setters.duration(map(s.settings, "client"), "connectTimeout");
        if (connect != null) {
            b.connectTimeout(connect);
        }
        return s.scheme.equals("https") ? b.sslContext(Trust.all()) : b;
    }

    @Override
    public void exchange(Scenario.Request q, Result r) throws Exception {
        HttpRequest.Builder b = HttpRequest.newBuilder(URI.create(scenario.url(q)));
        b.method(q.method, q.body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(q.body));
        Duration limit = Setters.duration(map(scenario.settings, "request"), "timeout");
        if (limit != null) {
            b.timeout(limit);
        }
        HttpResponse<InputStream> response = client.send(b.build(), HttpResponse.BodyHandlers.ofInputStream());
        r.header(response.statusCode());
        r.body(response.body());
    }
}
