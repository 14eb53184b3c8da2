package upstream;

import java.net.URI;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpHost;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.web.client.RestTemplate;

/**
 * Makes the beans of a configuration class, the first argument, and prints the limit that
 * its handshakes have of their own. Then, for each pair of a method and a URL, it prints the
 * values that a call of that path has, and how one ended and when.
 */
public class ReadBackPaths {
    public static void main(String[] args) throws Exception {
        Class<?> configuration = Class.forName("upstream." + args[0]);
        AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext(configuration);
        Object client = beans.getBean(org.apache.hc.client5.http.impl.classic.CloseableHttpClient.class);
        var field = client.getClass().getDeclaredField("connManager");
        field.setAccessible(true);
        var tls = PoolingHttpClientConnectionManager.class.getDeclaredMethod("resolveTlsConfig", HttpHost.class);
        tls.setAccessible(true);
        System.out.println("handshake " + ((TlsConfig) tls.invoke(field.get(client), new HttpHost("https", "bank", 443))).getHandshakeTimeout());
        var own = configuration.getDeclaredMethod("ownContext", HttpMethod.class, URI.class);
        own.setAccessible(true);
        RestTemplate template = beans.getBean(RestTemplate.class);
        Timed.timed(() -> template.getForObject(args[2], String.class)); // loads what a first call needs
        for (int i = 1; i < args.length; i += 2) {
            HttpMethod method = HttpMethod.valueOf(args[i]);
            String url = args[i + 1];
            HttpClientContext context = (HttpClientContext) own.invoke(null, method, URI.create(url));
            if (context == null) {
                System.out.println("the client's own");
                continue;
            }
            RequestConfig request = context.getRequestConfig();
            @SuppressWarnings("deprecation")
            Object connect = request.getConnectTimeout();
            System.out.println(request.getConnectionRequestTimeout() + " " + connect + " " + request.getResponseTimeout() + " " + request.isRedirectsEnabled()
                    + " " + request.getMaxRedirects() + " " + request.isExpectContinueEnabled() + ", " + Timed.timed(() -> template.execute(url, method, null, null) + ""));
        }
        System.exit(0);
    }
}
