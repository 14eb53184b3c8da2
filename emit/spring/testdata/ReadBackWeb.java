package upstream;

import io.netty.channel.ChannelOption;
import java.util.concurrent.Callable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientConfig;
import reactor.netty.resources.ConnectionProvider;

/** As ReadBack, for a WebClient. */
public class ReadBackWeb {
    public static void main(String[] args) throws Exception {
        Observed observed = new Observed(AuthClientConfiguration.class);
        AnnotationConfigApplicationContext beans = observed.beans;
        HttpClientConfig client = beans.getBean(HttpClient.class).configuration();
        System.out.println("values " + beans.getBean(ConnectionProvider.class).maxConnections() + " " + client.options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS)
                + " " + client.responseTimeout().toMillis() + " " + client.isRetryDisabled());
        WebClient web = beans.getBean(WebClient.class);
        for (boolean measured : new boolean[] {false, true}) { // the first round loads what calls need
            for (int i = 0; i < args.length; i += 2) {
                String url = args[i];
                Callable<String> get = () -> web.get().uri(url).retrieve().bodyToMono(String.class).transform(AuthClientConfiguration::limited).block();
                String ended = Timed.last(Integer.parseInt(args[i + 1]), get);
                if (measured) {
                    System.out.println("web " + ended + " " + observed.names);
                }
            }
        }
        System.exit(0);
    }
}
