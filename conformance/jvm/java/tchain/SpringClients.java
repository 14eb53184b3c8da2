package tchain;

import static tchain.Scenario.map;

import java.net.URI;
import java.net.http.HttpClient;
import org.apache.hc.core5.io.CloseMode;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.HttpStatusCodeException;
import org.springframework.web.client.RequestCallback;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Spring's blocking clients over a request factory. */
final class SpringClients {
    private SpringClients() {}

    static Main.Driver template(Hc5 hc5, Scenario s) throws Exception {
        return new Template(factory(hc5, s), s, () -> hc5.client.close(CloseMode.IMMEDIATE));
    }

    static Main.Driver client(Hc5 hc5, Scenario s) throws Exception {
        RestClient client = RestClient.builder().requestFactory(factory(hc5, s)).build();
        return new Main.Driver() {
            @Override
            public void exchange(Scenario.Request q, Result r) {
                RestClient.RequestBodySpec spec = client.method(HttpMethod.valueOf(q.method)).uri(URI.create(s.url(q)));
                if (!q.body.isEmpty()) {
                    spec.body(q.body);
                }
                spec.exchange((request, response) -> {
                    r.header(response.getStatusCode().value());
                    r.body(response.getBody());
                    return "";
                });
            }

            @Override
            public void close() {
                hc5.client.close(CloseMode.IMMEDIATE);
            }
        };
    }

    static Main.Driver jdk(Scenario s) throws Exception {
        HttpClient.Builder b = JdkHttp.builder(s);
        return new Template(Setters.apply(new JdkClientHttpRequestFactory(b.build()), map(s.settings, "factory")), s, () -> {});
    }

    static Main.Driver simple(Scenario s) throws Exception {
        return new Template(Setters.apply(new SimpleClientHttpRequestFactory(), map(s.settings, "factory")), s, () -> {});
    }

    private static ClientHttpRequestFactory factory(Hc5 hc5, Scenario s) throws Exception {
        HttpComponentsClientHttpRequestFactory f = new HttpComponentsClientHttpRequestFactory(hc5.client);
        Setters.apply(f, map(s.settings, "factory"));
        if (s.settings.containsKey("context")) {
            f.setHttpContextFactory((method, uri) -> hc5.contextOf(uri.getPath()));
        }
        return f;
    }

    private static final class Template implements Main.Driver {
        private final RestTemplate template;
        private final Scenario scenario;
        private final Runnable end;

        Template(ClientHttpRequestFactory f, Scenario s, Runnable end) {
            template = new RestTemplate();
            template.setRequestFactory(f);
            scenario = s;
            this.end = end;
        }

        @Override
        public void exchange(Scenario.Request q, Result r) {
            RequestCallback body = q.body.isEmpty() ? null : template.httpEntityCallback(q.body);
            try {
                template.execute(URI.create(scenario.url(q)), HttpMethod.valueOf(q.method), body, response -> {
                    r.header(response.getStatusCode().value());
                    r.body(response.getBody());
                    return null;
                });
            } catch (HttpStatusCodeException e) {
                r.header(e.getStatusCode().value());
            }
        }

        @Override
        public void close() {
            end.run();
        }
    }
}
