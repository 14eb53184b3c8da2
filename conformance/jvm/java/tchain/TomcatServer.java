package tchain;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.modeler.Registry;

/** An embedded Tomcat that runs as long as the driver; its settings are Spring Boot's. */
final class TomcatServer {
    static {
        Registry.disableRegistry(); // several at once would take each other's names
    }

    private TomcatServer() {}

    static Map<String, Object> start(Scenario s) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        Http11NioProtocol protocol = (Http11NioProtocol) connector.getProtocolHandler();
        if (s.settings.containsKey("connectionTimeout")) {
            protocol.setConnectionTimeout((int) Setters.duration(s.settings, "connectionTimeout").toMillis());
        }
        if (s.settings.containsKey("disableUploadTimeout")) {
            protocol.setDisableUploadTimeout((Boolean) s.settings.get("disableUploadTimeout"));
        }
        if (s.settings.containsKey("connectionUploadTimeout")) {
            protocol.setConnectionUploadTimeout((int) Setters.duration(s.settings, "connectionUploadTimeout").toMillis());
        }
        if (s.settings.containsKey("keepAliveTimeout")) {
            protocol.setKeepAliveTimeout((int) Setters.duration(s.settings, "keepAliveTimeout").toMillis());
        }
        if (s.settings.containsKey("maxKeepAliveRequests")) {
            protocol.setMaxKeepAliveRequests((int) Scenario.number(s.settings, "maxKeepAliveRequests", 0));
        }
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "handler", new Handler());
        context.addServletMappingDecoded("/*", "handler");
        tomcat.start();
        return Map.of("port", connector.getLocalPort());
    }

    /** Reads the body, sleeps as long as it is told, and answers. */
    private static final class Handler extends HttpServlet {
        @Override
        protected void service(HttpServletRequest q, HttpServletResponse a) throws IOException {
            q.getInputStream().readAllBytes(); // what it throws is left to the container
            String sleep = q.getParameter("sleep");
            if (sleep != null) {
                try {
                    Thread.sleep(Long.parseLong(sleep));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            a.getWriter().print("ok");
        }
    }
}
