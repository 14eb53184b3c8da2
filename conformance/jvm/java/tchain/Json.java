package tchain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Just enough JSON: objects are maps, arrays lists, numbers longs or doubles. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> parse(String text) {
        return (Map<String, Object>) new Json(text).value();
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private boolean take(char c) {
        if (next() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void need(char c) {
        if (!take(c)) {
            throw new IllegalArgumentException("no " + c + " at " + at + " of " + text);
        }
    }

    private Object value() {
        switch (next()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            default:
                return word();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> out = new LinkedHashMap<>();
        need('{');
        while (!take('}')) {
            next();
            String key = string();
            need(':');
            out.put(key, value());
            take(',');
        }
        return out;
    }

    private List<Object> array() {
        List<Object> out = new ArrayList<>();
        need('[');
        while (!take(']')) {
            out.add(value());
            take(',');
        }
        return out;
    }

    private String string() {
        StringBuilder b = new StringBuilder();
        need('"');
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            b.append(c == '\\' ? escaped() : c);
        }
        return b.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                return c;
        }
    }

    private Object word() {
        int from = at;
        while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String w = text.substring(from, at);
        switch (w) {
            case "null":
                return null;
            case "true":
                return true;
            case "false":
                return false;
            default:
                return w.contains(".") ? (Object) Double.valueOf(w) : (Object) Long.valueOf(w);
        }
    }

    static String write(Object v) {
        StringBuilder b = new StringBuilder();
        write(b, v);
        return b.toString();
    }

    private static void write(StringBuilder b, Object v) {
        String sep = "";
        if (v instanceof Map) {
            b.append('{');
            for (Map.Entry<?, ?> e : ((Map<?, ?>) v).entrySet()) {
                b.append(sep);
                write(b, e.getKey());
                b.append(':');
                write(b, e.getValue());
                sep = ",";
            }
            b.append('}');
        } else if (v instanceof List) {
            b.append('[');
            for (Object e : (List<?>) v) {
                b.append(sep);
                write(b, e);
                sep = ",";
            }
            b.append(']');
        } else if (v instanceof Number || v instanceof Boolean || v == null) {
            b.append(v);
        } else {
            quote(b, v.toString());
        }
    }

    private static void quote(StringBuilder b, String s) {
        b.append('"');
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\') {
                b.append('\\').append(c);
            } else if (c < ' ') {
                b.append(String.format("\\u%04x", (int) c));
            } else {
                b.append(c);
            }
        }
        b.append('"');
    }
}
