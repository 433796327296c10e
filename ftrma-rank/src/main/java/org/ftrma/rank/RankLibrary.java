package org.ftrma.rank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ftrma.Job;
import org.ftrma.check.race.RaceCheck;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.MessageEngine;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.runtime.RankProcess;
import org.ftrma.ucp.CFunction;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.xor.XorCode;
import org.openucx.jucx.UcxException;

/**
 * The places of the classes that a rank's process needs besides its program: of this module, and of each that it
 * depends on. Any thread.
 */
public final class RankLibrary {
    /** The property of a launcher with other places. */
    private static final String GIVEN = "ftrma.rank.class.path";
    /** One class of each. */
    private static final List<Class<?>> MEMBERS = List.of(RankMain.class, Job.class, CFunction.class, UcxFabric.class,
        XorCode.class, Session.class, WindowImpl.class, MessageEngine.class, RankProcess.class, RaceCheck.class,
        UcxException.class);

    private RankLibrary() {
    }

    /** A class path of jars and folders, wherever this process has found them. */
    public static String classPath() {
        String given = System.getProperty(GIVEN);
        if (given != null) {
            return given;
        }
        Set<String> places = new LinkedHashSet<>();
        MEMBERS.forEach(member -> places.add(placeOf(member)));
        return String.join(":", places);
    }

    /** The jar or folder that a class was loaded from. */
    public static String placeOf(Class<?> type) {
        try {
            URL location = type.getProtectionDomain().getCodeSource().getLocation();
            // The virtual machine knows none of a class in an ahead-of-time cache whose jars were moved since.
            return Path.of((location == null ? jarOf(type) : location).toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of " + type + " has no name", e);
        } catch (IOException e) {
            throw new UncheckedIOException("the jar of " + type + " cannot be read", e);
        }
    }

    /** The jar where the class path has the file of a class that is in a jar. */
    static URL jarOf(Class<?> type) throws IOException {
        URL file = type.getResource("/" + type.getName().replace('.', '/') + ".class");
        if (file == null || !(file.openConnection() instanceof JarURLConnection connection)) {
            throw new IllegalStateException(type + " is in no jar, but in " + file);
        }
        return connection.getJarFileURL();
    }
}
