package upstream;

import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.Configurable;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.HttpHost;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Makes the beans, prints the values that they have, and then how a call ended and
 * when, for each pair of arguments: a URL and how many calls are made at once, of
 * which the last one counts.
 */
public class ReadBack {
    public static void main(String[] args) throws Exception {
        Observed observed = new Observed(AuthClientConfiguration.class);
        AnnotationConfigApplicationContext beans = observed.beans;
        CloseableHttpClient client = beans.getBean(CloseableHttpClient.class);
        PoolingHttpClientConnectionManager pool = (PoolingHttpClientConnectionManager) field(client, "connManager");
        HttpHost host = new HttpHost("https", "auth", 443);
        ConnectionConfig connection = (ConnectionConfig) call(pool, "resolveConnectionConfig", HttpRoute.class, new HttpRoute(host));
        TlsConfig tls = (TlsConfig) call(pool, "resolveTlsConfig", HttpHost.class, host);
        RequestConfig request = ((Configurable) client).getConfig();
        System.out.println("values " + pool.getMaxTotal() + " " + pool.getDefaultMaxPerRoute() + " "
                + request.getConnectionRequestTimeout().toMilliseconds() + " " + connection.getConnectTimeout().toMilliseconds() + " "
                + tls.getHandshakeTimeout().toMilliseconds() + " " + request.getResponseTimeout().toMilliseconds() + " "
                + request.getConnectionKeepAlive().toMilliseconds() + " " + connection.getValidateAfterInactivity().toMilliseconds());
        RestTemplate template = beans.getBean(RestTemplate.class);
        RestClient rest = beans.getBean(RestClient.class);
        for (int i = 0; i < args.length; i += 2) {
            String url = args[i];
            Timed.timed(() -> template.getForObject(url, String.class)); // loads what the first call of each kind needs
        }
        for (int i = 0; i < args.length; i += 2) {
            String url = args[i];
            int n = Integer.parseInt(args[i + 1]);
            observed.names.clear();
            System.out.println("template " + Timed.last(n, () -> template.getForObject(url, String.class)) + " " + observed.names);
            observed.names.clear();
            System.out.println("client " + Timed.last(n, () -> rest.get().uri(url).retrieve().body(String.class)) + " " + observed.names);
        }
        System.exit(0);
    }

    private static Object field(Object of, String name) throws Exception {
        var f = of.getClass().getDeclaredField(name);
        f.setAccessible(true);
        return f.get(of);
    }

    private static Object call(Object of, String name, Class<?> type, Object arg) throws Exception {
        var m = of.getClass().getDeclaredMethod(name, type);
        m.setAccessible(true);
        return m.invoke(of, arg);
    }
}
