package tchain;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** java.net.HttpURLConnection, with a buffered body. */
final class UrlConnection implements Main.Driver {
    private final Scenario scenario;

    UrlConnection(Scenario s) {
        scenario = s;
    }

    @Override
    public void exchange(Scenario.Request q, Result r) throws Exception {
        HttpURLConnection c = (HttpURLConnection) new URL(scenario.url(q)).openConnection();
        c.setRequestMethod(q.method);
        Duration connect = Setters.duration(scenario.settings, "connectTimeout");
        Duration read = Setters.duration(scenario.settings, "readTimeout");
        if (connect != null) {
            c.setConnectTimeout((int) connect.toMillis());
        }
        if (read != null) {
            c.setReadTimeout((int) read.toMillis());
        }
        if (!q.body.isEmpty()) {
            c.setDoOutput(true);
            c.getOutputStream().write(q.body.getBytes(StandardCharsets.UTF_8));
        }
        r.header(c.getResponseCode());
        InputStream in = c.getResponseCode() < 400 ? c.getInputStream() : c.getErrorStream();
        r.body(in);
    }
}
