package tchain;

import static tchain.Scenario.map;

import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.transport.ProxyProvider;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/**
 * WebClient on Reactor Netty. Its settings are the builders' names; "operators"
 * are what is chained after retrieve(), in the order of the source.
 */
final class Web implements Main.Driver {
    private final WebClient client;
    private final Scenario scenario;
    private final ConnectionProvider provider;

    Web(Scenario s) throws Exception {
        scenario = s;
        ConnectionProvider.Builder pool = ConnectionProvider.builder("scenario");
        provider = Setters.apply(pool, map(s.settings, "connectionProvider")).build();
        client = WebClient.builder().clientConnector(new ReactorClientHttpConnector(http(s))).build();
    }

    private HttpClient http(Scenario s) throws Exception {
        Map<String, Object> block = map(s.settings, "httpClient");
        HttpClient http = HttpClient.create(provider);
        if (block.containsKey("connectTimeoutMillis")) {
            http = http.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Scenario.number(block, "connectTimeoutMillis", 0));
        }
        if (block.containsKey("responseTimeout")) {
            http = http.responseTimeout(Setters.duration(block, "responseTimeout"));
        }
        if (Boolean.TRUE.equals(block.get("disableRetry"))) {
            http = http.disableRetry(true);
        }
        if (s.scheme.equals("https")) {
            SslContext trusting = SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE).build();
            Duration handshake = Setters.duration(map(block, "secure"), "handshakeTimeout");
            http = http.secure(spec -> {
                if (handshake == null) {
                    spec.sslContext(trusting);
                } else {
                    spec.sslContext(trusting).handshakeTimeout(handshake);
                }
            });
        }
        return resolving(tunnelled(http, s, map(block, "proxy")), s, map(block, "resolver"));
    }

    private static HttpClient tunnelled(HttpClient http, Scenario s, Map<String, Object> block) {
        if (s.proxy == 0) {
            return http;
        }
        return http.proxy(spec -> {
            ProxyProvider.Builder proxy = spec.type(ProxyProvider.Proxy.HTTP).host("127.0.0.1").port(s.proxy);
            if (block.containsKey("connectTimeoutMillis")) {
                proxy.connectTimeoutMillis(Scenario.number(block, "connectTimeoutMillis", 0));
            }
        });
    }

    private static HttpClient resolving(HttpClient http, Scenario s, Map<String, Object> block) {
        if (s.nameserver == 0) {
            return http.resolver(DefaultAddressResolverGroup.INSTANCE); // the JDK's, and its hosts file
        }
        return http.resolver(spec -> {
            if (block.containsKey("queryTimeout")) {
                spec.queryTimeout(Setters.duration(block, "queryTimeout"));
            }
            spec.dnsAddressResolverGroupProvider(b -> new DnsAddressResolverGroup(
                    b.nameServerProvider(new SingletonDnsServerAddressStreamProvider(new InetSocketAddress("127.0.0.1", s.nameserver)))));
        });
    }

    @Override
    public void exchange(Scenario.Request q, Result r) {
        WebClient.RequestBodySpec spec = client.method(HttpMethod.valueOf(q.method)).uri(URI.create(scenario.url(q)));
        if (!q.body.isEmpty()) {
            spec.bodyValue(q.body);
        }
        Mono<ResponseEntity<String>> mono = spec.retrieve().toEntity(String.class);
        Object operators = scenario.settings.get("operators");
        if (operators != null) {
            for (Object o : (List<?>) operators) {
                mono = chained(mono, Scenario.cast(o));
            }
        }
        try {
            ResponseEntity<String> response = mono.block();
            r.header(response.getStatusCode().value());
            r.body(response.getBody() == null ? 0 : response.getBody().length());
        } catch (WebClientResponseException e) {
            r.header(e.getStatusCode().value());
            if (e.getCause() != null) {
                throw e; // the body did not come
            }
        }
    }

    private static Mono<ResponseEntity<String>> chained(Mono<ResponseEntity<String>> mono, Map<String, Object> operator) {
        if (operator.containsKey("timeout")) {
            return mono.timeout(Setters.duration(operator, "timeout"));
        }
        Map<String, Object> m = map(operator, "retryWhen");
        long n = Scenario.number(m, "maxAttempts", 0);
        RetryBackoffSpec spec = m.containsKey("fixedDelay")
                ? Retry.fixedDelay(n, Setters.duration(m, "fixedDelay"))
                : Retry.backoff(n, Setters.duration(m, "minBackoff")).jitter(0);
        List<?> statuses = (List<?>) m.get("statuses");
        if (statuses != null) {
            spec = spec.filter(e -> e instanceof WebClientResponseException
                    && statuses.contains((long) ((WebClientResponseException) e).getStatusCode().value()));
        }
        if (!Boolean.TRUE.equals(m.get("exhaustedException"))) {
            spec = spec.onRetryExhaustedThrow((s, signal) -> signal.failure());
        }
        return mono.retryWhen(spec);
    }

    @Override
    public void close() {
        provider.dispose();
    }
}
