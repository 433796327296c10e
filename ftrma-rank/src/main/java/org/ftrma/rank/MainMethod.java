package org.ftrma.rank;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.program.SimilarNames;
import org.ftrma.runtime.RankProcess;

/** Finds the main method of a program, and says what is wrong where there is none. Data thread. */
final class MainMethod {
    private MainMethod() {
    }

    /** The main method of a class that is initialized. */
    static Method of(RankOptions options, ClassLoader program) throws ReflectiveOperationException {
        String name = options.mainClass();
        Class<?> type;
        try {
            type = Class.forName(name, true, program);
        } catch (ClassNotFoundException e) {
            throw misuse(noClass(options), e);
        } catch (ExceptionInInitializerError e) {
            throw misuse("the class " + name + " cannot be initialized: " + describe(e.getCause() == null ? e
                : e.getCause()), e);
        }
        Method main;
        try {
            main = type.getMethod("main", String[].class);
        } catch (NoSuchMethodException e) {
            throw misuse(name + " has no public static void main(String[])", e);
        }
        if (!Modifier.isStatic(main.getModifiers())) {
            throw misuse(name + ".main is not static", null);
        }
        main.setAccessible(true);
        return main;
    }

    private static String noClass(RankOptions options) {
        String place = options.givenPath();
        String text = "no class " + options.mainClass() + (place.isEmpty()
            ? " on the class path; add its place with --class-path" : " in --class-path=" + place);
        List<String> similar = SimilarNames.of(options.mainClass(), options.program());
        return similar.isEmpty() ? text : text + "; there is " + String.join(", ", similar);
    }

    private static FtrmaException misuse(String text, Throwable cause) {
        return new FtrmaException(FtrmaException.Category.MISUSE, text, cause);
    }

    /** What a program threw before it called {@code Ftrma.run}, without the frames of who called it. */
    static String describe(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        int last = frames.length;
        while (last > 0 && isOfCaller(frames[last - 1].getClassName())) {
            last--;
        }
        thrown.setStackTrace(Arrays.copyOf(frames, last));
        return RankProcess.describe(thrown);
    }

    private static boolean isOfCaller(String name) {
        return name.startsWith("org.ftrma.rank.") || name.startsWith("java.lang.") || name.startsWith("jdk.internal.");
    }
}
