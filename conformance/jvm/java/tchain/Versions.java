package tchain;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The releases that run here, by the names of their jars. */
final class Versions {
    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");

    private Versions() {}

    static Map<String, Object> all() {
        Map<String, Object> jars = new LinkedHashMap<>();
        jars.put("jdk", System.getProperty("java.version"));
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Matcher m = JAR.matcher(new File(path).getName());
            if (m.matches()) {
                jars.put(m.group(1), m.group(2));
            }
        }
        return Map.of("versions", jars);
    }
}
