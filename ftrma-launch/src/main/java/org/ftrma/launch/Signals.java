package org.ftrma.launch;

import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Signals that are to be more than the end of the JVM. Java has no other way than {@code sun.misc.Signal}, which is
 * there for that, and of which compilers warn; so it is called by its name. Any thread.
 */
final class Signals {
    private static final List<String> ENDING = List.of("TERM", "INT", "HUP");
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Signals() {
    }

    /**
     * Each signal that would end the JVM calls this from now on, on a thread of its own. One that is ignored since the
     * JVM began stays ignored; where a JVM leaves signals to the system, they end it.
     */
    static void handle(Runnable action) {
        try {
            Class<?> signal = Class.forName(SIGNAL);
            Class<?> handler = Class.forName(HANDLER);
            Object calls = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "handle" -> {
                        action.run();
                        yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "ftrma";
                });
            for (String name : ENDING) {
                signal.getMethod("handle", signal, handler).invoke(null,
                    signal.getConstructor(String.class).newInstance(name), calls);
            }
        } catch (ReflectiveOperationException e) {
            // without the module jdk.unsupported, or with -Xrs: a signal ends the job as it does without a disk
            Thread.onSpinWait();
        }
    }
}
