package tchain;

import static tchain.Scenario.map;

import java.util.HashMap;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;

/** Apache HttpClient 5, the classic client. */
final class Hc5 {
    final CloseableHttpClient client;
    private final Scenario scenario;
    private final RequestConfig base; // null where the client has none of its own
    private final Map<String, RequestConfig> contexts = new HashMap<>();

    Hc5(Scenario s) throws Exception {
        scenario = s;
        Map<String, Object> block = map(s.settings, "client");
        HttpClientBuilder b = HttpClients.custom().setConnectionManager(manager(s));
        Setters.apply(b, block, "requestConfig", "retryStrategy");
        base = block.containsKey("requestConfig") ? config(RequestConfig.custom(), map(block, "requestConfig")) : null;
        if (base != null) {
            b.setDefaultRequestConfig(base);
        }
        if (block.containsKey("retryStrategy")) {
            Map<String, Object> retry = map(block, "retryStrategy");
            long interval = retry.containsKey("defaultRetryInterval") ? Setters.duration(retry, "defaultRetryInterval").toMillis() : 1000;
            b.setRetryStrategy(new DefaultHttpRequestRetryStrategy((int) Scenario.number(retry, "maxRetries", 1), TimeValue.ofMilliseconds(interval)));
        }
        if (s.proxy != 0) {
            b.setProxy(new HttpHost("http", "127.0.0.1", s.proxy));
        }
        client = b.build();
        for (Map.Entry<String, Object> e : map(s.settings, "context").entrySet()) {
            contexts.put(e.getKey(), context(Scenario.cast(e.getValue())));
        }
    }

    private static PoolingHttpClientConnectionManager manager(Scenario s) throws Exception {
        Map<String, Object> block = map(s.settings, "manager");
        PoolingHttpClientConnectionManagerBuilder b = PoolingHttpClientConnectionManagerBuilder.create();
        Setters.apply(b, block, "connectionConfig", "socketConfig", "tlsConfig");
        if (block.containsKey("connectionConfig")) {
            b.setDefaultConnectionConfig(Setters.apply(ConnectionConfig.custom(), map(block, "connectionConfig")).build());
        }
        if (block.containsKey("socketConfig")) {
            b.setDefaultSocketConfig(Setters.apply(SocketConfig.custom(), map(block, "socketConfig")).build());
        }
        if (block.containsKey("tlsConfig")) {
            b.setDefaultTlsConfig(Setters.apply(TlsConfig.custom(), map(block, "tlsConfig")).build());
        }
        if (s.scheme.equals("https")) {
            Hc5Tls.trust(b);
        }
        return b.build();
    }

    private static RequestConfig config(RequestConfig.Builder b, Map<String, Object> m) throws Exception {
        return Setters.apply(b, m, "copyOf").build();
    }

    private RequestConfig context(Map<String, Object> m) throws Exception {
        if (Scenario.text(m, "object", "").equals("DEFAULT")) {
            return RequestConfig.DEFAULT;
        }
        String of = Scenario.text(m, "copyOf", "");
        if (of.equals("client") && base != null) {
            return config(RequestConfig.copy(base), m);
        }
        return config(of.isEmpty() ? RequestConfig.custom() : RequestConfig.copy(RequestConfig.DEFAULT), m);
    }

    /** The context of a request to a path; null where it has none. */
    HttpClientContext contextOf(String path) {
        if (!contexts.containsKey(path)) {
            return null;
        }
        HttpClientContext c = HttpClientContext.create();
        c.setRequestConfig(contexts.get(path));
        return c;
    }

    Main.Driver plain() {
        return new Main.Driver() {
            @Override
            public void exchange(Scenario.Request q, Result r) throws Exception {
                HttpUriRequestBase request = new HttpUriRequestBase(q.method, java.net.URI.create(scenario.url(q)));
                if (!q.body.isEmpty()) {
                    request.setEntity(new StringEntity(q.body));
                }
                client.execute(request, contextOf(q.path), response -> {
                    r.header(response.getCode());
                    if (response.getEntity() != null) {
                        r.body(response.getEntity().getContent());
                    }
                    return null;
                });
            }

            @Override
            public void close() {
                client.close(CloseMode.IMMEDIATE);
            }
        };
    }
}
