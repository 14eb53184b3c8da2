package tchain;

import java.io.BufferedInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/** java.net.Socket, with an HTTP request written by hand. */
final class RawSocket implements Main.Driver {
    private final Scenario scenario;

    RawSocket(Scenario s) {
        scenario = s;
    }

    @Override
    public void exchange(Scenario.Request q, Result r) throws Exception {
        Socket plain = open();
        try {
            Duration read = Setters.duration(scenario.settings, "soTimeout");
            if (read != null) {
                plain.setSoTimeout((int) read.toMillis());
            }
            Socket s = plain;
            if (scenario.scheme.equals("https")) {
                s = Trust.all().getSocketFactory().createSocket(plain, scenario.host, scenario.port, true);
                ((SSLSocket) s).startHandshake();
            }
            String head = q.method + " " + q.path + " HTTP/1.1\r\nHost: " + scenario.host + "\r\nConnection: close\r\n\r\n";
            s.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            InputStream in = new BufferedInputStream(s.getInputStream());
            r.header(Integer.parseInt(line(in).split(" ")[1]));
            while (!line(in).isEmpty()) {
                // the header's lines say nothing that is needed here
            }
            r.body(in);
        } finally {
            plain.close();
        }
    }

    /** Without a connectTimeout it is the constructor that connects. */
    private Socket open() throws Exception {
        Duration connect = Setters.duration(scenario.settings, "connectTimeout");
        if (connect == null) {
            return new Socket(scenario.host, scenario.port);
        }
        Socket s = new Socket();
        s.connect(new InetSocketAddress(scenario.host, scenario.port), (int) connect.toMillis());
        return s;
    }

    private static String line(InputStream in) throws java.io.IOException {
        StringBuilder b = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new java.io.EOFException();
            }
            if (c != '\r') {
                b.append((char) c);
            }
        }
        return b.toString();
    }
}
