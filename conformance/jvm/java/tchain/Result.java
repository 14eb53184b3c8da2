package tchain;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came of one request, as far as the program that made it can see. */
final class Result {
    private final long begun = System.nanoTime();
    private volatile long endedMs = -1;
    private volatile long headerMs = -1;
    private volatile int status;
    private volatile long bytes;
    private volatile Throwable error;
    private Thread thread;
    private long observeMs;

    /** Starts a request in a thread of its own. */
    static Result of(Main.Driver d, Scenario.Request q, long observeMs) {
        Result r = new Result();
        r.observeMs = observeMs;
        r.thread = new Thread(() -> {
            try {
                d.exchange(q, r);
            } catch (Throwable t) {
                r.error = t;
            }
            r.endedMs = r.since();
        });
        r.thread.setDaemon(true);
        r.thread.start();
        return r;
    }

    private long since() {
        return (System.nanoTime() - begun) / 1_000_000;
    }

    /** The response's header is there. */
    void header(int code) {
        headerMs = since();
        status = code;
    }

    void body(InputStream in) throws IOException {
        if (in == null) {
            return;
        }
        byte[] some = new byte[8192];
        for (int n = in.read(some); n >= 0; n = in.read(some)) {
            bytes += n;
        }
    }

    void body(long n) {
        bytes = n;
    }

    /** Waits for the end of the request or of its observation. */
    Map<String, Object> join() throws InterruptedException {
        thread.join(observeMs);
        Map<String, Object> out = new LinkedHashMap<>();
        long ended = endedMs;
        out.put("running", ended < 0);
        out.put("elapsedMs", ended < 0 ? since() : ended);
        out.put("headerMs", headerMs);
        out.put("status", status);
        out.put("bytes", bytes);
        if (ended >= 0 && error != null) {
            List<Object> chain = new ArrayList<>();
            for (Throwable t = error; t != null && chain.size() < 8; t = t.getCause()) {
                chain.add(t.getClass().getSimpleName());
            }
            out.put("errors", chain);
            out.put("message", describe(error));
        }
        return out;
    }

    static String describe(Throwable t) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; t != null && i < 8; t = t.getCause(), i++) {
            b.append(i == 0 ? "" : " <- ").append(t);
        }
        return b.toString();
    }
}
