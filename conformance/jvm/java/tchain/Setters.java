package tchain;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Calls the setters that the names of settings stand for. A name is a setter's
 * without "set", so one driver serves all releases, and a setting that a release
 * does not have is a NoSuchMethodException.
 */
final class Setters {
    private Setters() {}

    /** Sets all of m, but for the keys that are listed. */
    static <T> T apply(T on, Map<String, Object> m, String... but) throws Exception {
        for (Map.Entry<String, Object> e : m.entrySet()) {
            if (!Arrays.asList(but).contains(e.getKey())) {
                set(on, e.getKey(), e.getValue());
            }
        }
        return on;
    }

    private static void set(Object on, String name, Object value) throws Exception {
        String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        Method best = null;
        for (Method m : on.getClass().getMethods()) {
            boolean ours = m.getName().equals(setter) || m.getName().equals(name);
            if (ours && m.getParameterCount() == 1 && fits(m.getParameterTypes()[0], value)) {
                best = m;
            } else if (m.getName().equals(name) && m.getParameterCount() == 0 && value.equals(true)) {
                best = m;
            }
        }
        if (best == null) {
            if (value.equals(false)) {
                return; // a switch that is not pressed
            }
            throw new NoSuchMethodException(on.getClass().getSimpleName() + "." + setter);
        }
        try {
            if (best.getParameterCount() == 0) {
                best.invoke(on);
            } else {
                best.invoke(on, convert(best.getParameterTypes()[0], value));
            }
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    private static boolean fits(Class<?> type, Object value) {
        if (value instanceof String) {
            return type == Timeout.class || type == TimeValue.class || type == Duration.class || type.isEnum();
        }
        return value instanceof Number ? type == int.class : type == boolean.class;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object convert(Class<?> type, Object value) {
        if (type.isEnum()) {
            return Enum.valueOf((Class) type, (String) value);
        }
        if (type == int.class) {
            return ((Number) value).intValue();
        }
        if (type == boolean.class) {
            return value;
        }
        Duration d = duration((String) value);
        if (type == Timeout.class) {
            return Timeout.of(d.toMillis(), TimeUnit.MILLISECONDS);
        }
        return type == TimeValue.class ? TimeValue.ofMilliseconds(d.toMillis()) : d;
    }

    static Duration duration(Map<String, Object> m, String key) {
        return m.containsKey(key) ? duration((String) m.get(key)) : null;
    }

    /** Reads a duration as stacks write it: "90s", "1.5s", "1m30s". */
    static Duration duration(String text) {
        java.util.regex.Matcher m = java.util.regex.Pattern.compile("(-?[0-9.]+)(ns|us|ms|s|m|h)").matcher(text);
        double nanos = 0;
        while (m.find()) {
            nanos += Double.parseDouble(m.group(1)) * unit(m.group(2));
        }
        return Duration.ofNanos(Math.round(nanos));
    }

    private static double unit(String u) {
        switch (u) {
            case "ns":
                return 1;
            case "us":
                return 1e3;
            case "ms":
                return 1e6;
            case "s":
                return 1e9;
            case "m":
                return 60e9;
            default:
                return 3600e9;
        }
    }
}
