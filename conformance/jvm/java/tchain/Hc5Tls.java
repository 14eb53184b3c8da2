package tchain;

import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;

/** TLS of HttpClient 5.4 and newer; apart, since older ones do not have it. */
final class Hc5Tls {
    private Hc5Tls() {}

    static void trust(PoolingHttpClientConnectionManagerBuilder b) {
        b.setTlsSocketStrategy(new DefaultClientTlsStrategy(Trust.all(), NoopHostnameVerifier.INSTANCE));
    }
}
