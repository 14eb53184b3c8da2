package upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How calls end, and after how many milliseconds. */
class Timed {
    /** Makes n calls at once, begun one after the other, and says how the last one ended. */
    static String last(int n, Callable<String> get) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(n);
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            calls.add(threads.submit(() -> timed(get)));
            Thread.sleep(200);
        }
        String out = calls.get(n - 1).get();
        for (Future<String> c : calls) {
            c.get();
        }
        threads.shutdown();
        return out;
    }

    static String timed(Callable<String> get) {
        long start = System.nanoTime();
        String ended;
        try {
            ended = get.call();
        } catch (Throwable t) {
            while (t.getCause() != null && !t.getClass().getSimpleName().endsWith("TimeoutException")) {
                t = t.getCause();
            }
            ended = t.getClass().getSimpleName();
        }
        return ended + " " + (System.nanoTime() - start) / 1_000_000;
    }
}
