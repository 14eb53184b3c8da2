package tchain;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts the certificates of the fault server, which are their own roots. */
final class Trust extends X509ExtendedTrustManager {
    static SSLContext all() {
        try {
            SSLContext c = SSLContext.getInstance("TLS");
            c.init(null, new TrustManager[] {new Trust()}, null);
            return c;
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket s) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket s) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine e) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine e) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
