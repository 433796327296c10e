package org.ftrma.rank.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.spi.MemoryShare;

/**
 * Options that a process of a job needs before it has a role, besides those for joining: the same for all of them. What
 * belongs to a role it is told with that, as the job's options. Immutable; any thread.
 *
 * @param mainClass the program
 * @param arguments the program's arguments
 * @param givenPath where the program is, as its user gave it; empty: nowhere in particular
 * @param program where the classes of the program are, and what is there when the job begins
 * @param check what is looked for while it runs
 * @param members computing and checksum ranks: processes with greater numbers are spares, and replace others
 * @param groupSize computing ranks of the first group; 0 where there is none
 * @param losses checksum ranks of a group
 * @param oversubscribed whether the job has more computing ranks than the machine has cores: checksum ranks and spares
 *     sleep most of the time
 * @param sharing whether it has more computing and checksum ranks than cores
 * @param share who takes memory of the machine
 */
public record RankOptions(String mainClass, List<String> arguments, String givenPath, ClassPathDigest program,
    RankCheck check, int members, int groupSize, int losses, boolean oversubscribed, boolean sharing,
    MemoryShare share) {
    private static final String ARGUMENT = "argument.";

    /** Whether a process is beyond the job's members: a spare, or one that replaces another. */
    public boolean isReplacement(int process) {
        return process >= members;
    }

    /** Those of a job that is on one machine. */
    public RankOptions(String mainClass, List<String> arguments, String givenPath, ClassPathDigest program,
        RankCheck check, int members, int groupSize, int losses, boolean oversubscribed, boolean sharing) {
        this(mainClass, arguments, givenPath, program, check, members, groupSize, losses, oversubscribed, sharing,
            MemoryShare.ALL);
    }

    /**
     * The same on a host of several, which has so many cores. A rank has a thread there that serves ranks of other
     * hosts: a rank that waits must not keep that one from its core.
     */
    public RankOptions sharing(MemoryShare there, int cores) {
        return new RankOptions(mainClass, arguments, givenPath, program, check, members, groupSize, losses,
            2 * there.ranks() > cores, there.ranks() + there.checksums() > cores, there);
    }

    /** The same with another program. */
    public RankOptions running(ClassPathDigest other) {
        return new RankOptions(mainClass, arguments, givenPath, other, check, members, groupSize, losses,
            oversubscribed, sharing, share);
    }

    void write(Properties properties) {
        properties.setProperty("mainClass", mainClass);
        for (int i = 0; i < arguments.size(); i++) {
            properties.setProperty(ARGUMENT + i, arguments.get(i));
        }
        properties.setProperty("givenPath", givenPath);
        properties.setProperty("program", program.text());
        properties.setProperty("check", check.name());
        properties.setProperty("members", Integer.toString(members));
        properties.setProperty("groupSize", Integer.toString(groupSize));
        properties.setProperty("losses", Integer.toString(losses));
        properties.setProperty("oversubscribed", Boolean.toString(oversubscribed));
        properties.setProperty("sharing", Boolean.toString(sharing));
        properties.setProperty("share.host", share.host());
        properties.setProperty("share.ranks", Integer.toString(share.ranks()));
        properties.setProperty("share.checksums", Integer.toString(share.checksums()));
        properties.setProperty("share.spares", Integer.toString(share.spares()));
    }

    static RankOptions read(Properties properties) {
        List<String> arguments = new ArrayList<>();
        for (String next = properties.getProperty(ARGUMENT + 0); next != null; next = properties.getProperty(ARGUMENT
            + arguments.size())) {
            arguments.add(next);
        }
        return new RankOptions(text(properties, "mainClass"), List.copyOf(arguments), text(properties, "givenPath"),
            ClassPathDigest.parse(text(properties, "program")),
            RankCheck.valueOf(text(properties, "check")), number(properties, "members"), number(properties,
            "groupSize"),
            number(properties, "losses"), Boolean.parseBoolean(text(properties, "oversubscribed")),
            Boolean.parseBoolean(text(properties, "sharing")), new MemoryShare(text(properties, "share.host"),
            number(properties, "share.ranks"), number(properties, "share.checksums"), number(properties,
            "share.spares")));
    }

    private static int number(Properties properties, String key) {
        return Integer.parseInt(text(properties, key));
    }

    static String text(Properties properties, String key) {
        String text = properties.getProperty(key);
        if (text == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return text;
    }
}
