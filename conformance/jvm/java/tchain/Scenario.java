package tchain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One run: the settings of a product in its own names, where to call, and what. */
final class Scenario {
    /** One request. */
    static final class Request {
        final String method;
        final String path;
        final String body;

        Request(Map<String, Object> m) {
            method = text(m, "method", "GET");
            path = text(m, "path", "/");
            body = text(m, "body", "");
        }
    }

    final Object id;
    final String driver;
    final Map<String, Object> settings;
    final String scheme;
    final String host;
    final int port;
    final int proxy; // the port of a CONNECT proxy on loopback; 0 is none
    final int nameserver; // the port of a name server on loopback; 0 is the system's
    final int hold; // requests that are under way while the measured one is made
    final long pauseMs; // after each request before
    final long observeMs; // ends the observation of a request; 0 is never
    final List<Request> before = new ArrayList<>();
    final Request holding;
    final Request measured;

    Scenario(Map<String, Object> m) {
        id = m.get("id");
        driver = text(m, "driver", "");
        settings = map(m, "settings");
        scheme = text(m, "scheme", "http");
        host = text(m, "host", "127.0.0.1");
        port = (int) number(m, "port", 0);
        proxy = (int) number(m, "proxy", 0);
        nameserver = (int) number(m, "nameserver", 0);
        hold = (int) number(m, "hold", 0);
        pauseMs = number(m, "pauseMs", 0);
        observeMs = number(m, "observeMs", 15000);
        if (m.get("before") instanceof List) {
            for (Object q : (List<?>) m.get("before")) {
                before.add(new Request(cast(q)));
            }
        }
        holding = new Request(map(m, "holding"));
        measured = new Request(map(m, "measured"));
    }

    String url(Request q) {
        return scheme + "://" + host + ":" + port + q.path;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> cast(Object v) {
        return v == null ? Map.of() : (Map<String, Object>) v;
    }

    static Map<String, Object> map(Map<String, Object> m, String key) {
        return cast(m.get(key));
    }

    static String text(Map<String, Object> m, String key, String unset) {
        return m.containsKey(key) ? (String) m.get(key) : unset;
    }

    static long number(Map<String, Object> m, String key, long unset) {
        return m.containsKey(key) ? ((Number) m.get(key)).longValue() : unset;
    }
}
