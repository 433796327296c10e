package org.ftrma.rank;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Signals that are to be more than the end of the JVM. Java has no other way than {@code sun.misc.Signal}, which is
 * there for that, and of which compilers warn; so it is called by its name. Any thread.
 */
public final class Signals {
    private static final List<String> ENDING = List.of("TERM", "INT", "HUP");
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";
    /** A signal to a group of processes comes twice, once by the script that waits for this JVM. */
    private static final long ONE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Signals() {
    }

    /**
     * Each signal that would end the JVM calls this from now on, on a thread of its own; signals that come within a
     * second of one are that one. One that is ignored since the JVM began stays ignored; where a JVM leaves signals to
     * the system, they end it.
     */
    public static void handle(Runnable action) {
        Runnable once = once(action, System::nanoTime);
        try {
            Class<?> signal = Class.forName(SIGNAL);
            Class<?> handler = Class.forName(HANDLER);
            Object calls = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "handle" -> {
                        once.run();
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

    /** The same action, but not within a second of the last time. Any thread. */
    public static Runnable once(Runnable action, LongSupplier nanos) {
        return new Runnable() {
            private boolean isCalled;
            private long calledNanos;

            @Override
            public void run() {
                if (counts(nanos.getAsLong())) {
                    action.run();
                }
            }

            private synchronized boolean counts(long now) {
                if (isCalled && now - calledNanos < ONE_NANOS) {
                    return false;
                }
                isCalled = true;
                calledNanos = now;
                return true;
            }
        };
    }
}
