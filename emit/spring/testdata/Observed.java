package upstream;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The beans of a configuration beside a registry of observations, as Spring Boot has one, and what that was told of. */
class Observed {
    final Set<String> names = new ConcurrentSkipListSet<>();
    final AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext();

    Observed(Class<?> configuration) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                names.add(context.getName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        beans.register(configuration);
        beans.registerBean(ObservationRegistry.class, () -> registry);
        beans.refresh();
    }
}
