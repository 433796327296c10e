package org.ftrma.rank;

import java.io.PrintStream;
import java.lang.System.Logger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Messages of the library in the process of a rank, for people: to the {@code System.Logger} of the name
 * {@code org.ftrma} where the process has logging of its own, else as a line of its error stream, which the launcher
 * takes for one of its own messages. Any thread.
 */
final class RankMessages {
    private static final String LOGGER = "org.ftrma";
    /** Either of them makes java.util.logging something that somebody has chosen. */
    private static final String[] CONFIGURED = {"java.util.logging.config.file", "java.util.logging.config.class"};

    private final boolean isLogged;
    private final Supplier<Logger> logger;
    private final PrintStream err;

    /**
     * Those of a process.
     *
     * @param isLogged whether it has logging of its own
     */
    RankMessages(boolean isLogged, Supplier<Logger> logger, PrintStream err) {
        this.isLogged = isLogged;
        this.logger = logger;
        this.err = err;
    }

    /** Something is not as it should be, and the process goes on. */
    static void warn(String text) {
        new RankMessages(isLogged(System.LoggerFinder.getLoggerFinder(), name -> System.getProperty(name) != null),
            () -> System.getLogger(LOGGER), System.err).tell(text);
    }

    /** Whether somebody has chosen where messages go: by a finder of loggers, or for the one that Java has. */
    static boolean isLogged(System.LoggerFinder finder, Predicate<String> hasProperty) {
        boolean isOfJava = finder.getClass().getModule().getLayer() == ModuleLayer.boot()
            && finder.getClass().getClassLoader() == null;
        return !isOfJava || hasProperty.test(CONFIGURED[0]) || hasProperty.test(CONFIGURED[1]);
    }

    void tell(String text) {
        if (isLogged) {
            logger.get().log(Logger.Level.WARNING, text);
        } else {
            err.println("ftrma: " + text);
        }
    }
}
