package org.ftrma.mutations;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests one after the other, up to the first that fails, in a process of its own. Each one's outcome is a line of
 * a file, which is there when the test ends: passed or failed, milliseconds, and, of one that failed, its method and
 * the reason, with tabs in between.
 */
public final class TestMain {
    static final String PASSED = "passed";
    static final String FAILED = "failed";

    private TestMain() {
    }

    /** Arguments: the file, then binary names of classes, with {@code #} and the name of a method if it is one. */
    public static void main(String[] arguments) throws IOException {
        Path outcomes = Path.of(arguments[0]);
        for (String test : Arrays.copyOfRange(arguments, 1, arguments.length)) {
            long began = System.nanoTime();
            String end = run(test);
            String[] outcome = end.split("\t", 2);
            String line = outcome[0] + "\t" + (System.nanoTime() - began) / 1_000_000 + "\t"
                + (outcome.length > 1 ? outcome[1] : "") + "\n";
            Files.writeString(outcomes, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (!outcome[0].equals(PASSED)) {
                break;
            }
        }
        System.exit(0); // whatever threads tests left
    }

    private static String run(String test) {
        try {
            FirstFailure failure = new FirstFailure();
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(selectors(test))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true").build();
            LauncherFactory.create().execute(request, failure);
            if (failure.test() != null) {
                return FAILED + "\t" + failure.test() + "\t" + failure.reason();
            }
            return failure.run() > 0 ? PASSED : FAILED + "\t\tit has no tests";
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return FAILED + "\t\t" + e;
        }
    }

    private static List<DiscoverySelector> selectors(String test) throws ClassNotFoundException {
        int sharp = test.indexOf('#');
        if (sharp < 0) {
            return List.of(DiscoverySelectors.selectClass(test));
        }
        List<DiscoverySelector> selectors = new ArrayList<>();
        String wanted = test.substring(sharp + 1);
        Class<?> type = Class.forName(test.substring(0, sharp));
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(wanted) && !method.isSynthetic()) {
                    selectors.add(DiscoverySelectors.selectMethod(type, method));
                }
            }
        }
        if (selectors.isEmpty()) {
            throw new IllegalArgumentException("there is no method " + wanted);
        }
        return selectors;
    }
}
