package tchain;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;

/**
 * The driver of the JVM's clients and servers. It reads one scenario a line from
 * standard input, as JSON, and prints one result a line, in the order in which
 * they end. Scenarios run at the same time. The driver ends with its input.
 */
public final class Main {
    private static final PrintStream OUT = System.out;

    public static void main(String[] args) throws Exception {
        System.setOut(System.err); // libraries may print; results alone go to standard output
        HttpsURLConnection.setDefaultSSLSocketFactory(Trust.all().getSocketFactory());
        print(Versions.all());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Scenario s = new Scenario(Json.parse(line));
            Thread t = new Thread(() -> print(answer(s)), "scenario " + s.id);
            t.setDaemon(true);
            t.start();
        }
        System.exit(0);
    }

    private static Map<String, Object> answer(Scenario s) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("id", s.id);
        try {
            out.putAll(run(s));
        } catch (Throwable t) {
            out.put("failed", Result.describe(t)); // the run itself, not the product
        }
        return out;
    }

    /** What a product is driven by. */
    interface Driver extends AutoCloseable {
        /** Makes one request, reads the whole response and tells r what comes. */
        void exchange(Scenario.Request q, Result r) throws Exception;

        @Override
        default void close() throws Exception {}
    }

    private static Map<String, Object> run(Scenario s) throws Exception {
        if (s.driver.equals("tomcat")) {
            return TomcatServer.start(s);
        }
        Driver d = driver(s);
        try {
            for (Scenario.Request q : s.before) {
                Result.of(d, q, s.observeMs).join();
                Thread.sleep(s.pauseMs);
            }
            for (int i = 0; i < s.hold; i++) {
                Result.of(d, s.holding, 0);
            }
            if (s.hold > 0) {
                Thread.sleep(300); // until the connections are leased
            }
            return Result.of(d, s.measured, s.observeMs).join();
        } finally {
            Thread closer = new Thread(() -> {
                try {
                    d.close();
                } catch (Exception ignored) {
                    // the scenario is over
                }
            });
            closer.setDaemon(true);
            closer.start();
        }
    }

    private static Driver driver(Scenario s) throws Exception {
        switch (s.driver) {
            case "httpclient5":
                return new Hc5(s).plain();
            case "resttemplate":
                return SpringClients.template(new Hc5(s), s);
            case "restclient":
                return SpringClients.client(new Hc5(s), s);
            case "webclient":
                return new Web(s);
            case "socket":
                return new RawSocket(s);
            case "jdkhttp":
                return new JdkHttp(s);
            case "jdkfactory":
                return SpringClients.jdk(s);
            case "simplefactory":
                return SpringClients.simple(s);
            case "urlconnection":
                return new UrlConnection(s);
            default:
                throw new IllegalArgumentException("no driver " + s.driver);
        }
    }

    private static void print(Map<String, Object> m) {
        synchronized (OUT) {
            OUT.println(Json.write(m));
            OUT.flush();
        }
    }
}
