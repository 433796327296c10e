package org.ftrma.launch.hosts;

import java.util.List;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.rank.program.ClassPathDigest;

/** Compares a host with this one: it must have the same JDK and library to take part in its jobs. Any thread. */
final class HostCheck {
    private HostCheck() {
    }

    /**
     * Why a host cannot take part, for people, with the fix; null: it can.
     *
     * @param host as its user calls it
     * @param library what the places of the library hold here
     */
    static String refusal(String host, HostFacts told, ClassPathDigest library) {
        String jdk = System.getProperty("java.runtime.version");
        if (!told.jdk().equals(jdk)) {
            return "host " + host + " has JDK " + told.jdk() + ", and this one " + jdk
                + ": all hosts need the same one (JAVA_HOME there)";
        }
        String other = otherBuild(told.library(), library);
        return other == null ? null : "host " + host + " has another build of ftRMA than this one: " + other
            + "; copy it there, or share the folder";
    }

    /** How the library of a host differs from that of this one, wherever both are; null: it does not. */
    private static String otherBuild(ClassPathDigest there, ClassPathDigest here) {
        if (there.places().size() != here.places().size()) {
            return "it is in " + there.places().size() + " places there (" + there.classPath() + "), and in "
                + here.places().size() + " here (" + here.classPath() + ")";
        }
        List<ClassPathDigest.Difference> found = here.differences(there.inPlacesOf(here));
        return found.isEmpty() ? null : found.getFirst() + (found.size() > 1 ? ", and " + (found.size() - 1) + " more"
            : "");
    }
}
