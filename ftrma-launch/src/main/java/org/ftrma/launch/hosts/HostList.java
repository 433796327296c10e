package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOptions;

/**
 * The hosts of a job as its user lists them: in a file, in the form of Open MPI ({@code a slots=4}) or MPICH
 * ({@code a:4}), or on the command line ({@code a:4,b:4}). Pure functions; any thread.
 *
 * <pre>
 *   a                 as many processes as it has cores
 *   b slots=4         4 processes
 *   c:4 rack=r1       the same in MPICH's form; a level of failure domains above the hosts
 *   d spare           runs processes only when another host does not
 *   # a comment
 * </pre>
 */
public final class HostList {
    /** As many as a job has processes at most. */
    public static final int MOST_SLOTS = 8192;
    /** Members of a job, and as many spare ones. */
    static final int MOST_HOSTS = 8192;
    private static final int MOST_BYTES = 1 << 20;
    /** Names, and addresses of IPv4. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?");
    private static final Pattern WORD = Pattern.compile("(slots|rack|max_slots|max-slots)=(.*)");

    private final String source;
    private final List<HostSpec> hosts = new ArrayList<>();
    private final Map<String, String> places = new HashMap<>();

    private HostList(String source) {
        this.source = source;
    }

    /**
     * Hosts from the command line: names with slots, separated by commas.
     *
     * @param option the option that has them, as it was typed
     * @param isSpare whether they are spare ones
     */
    public static List<HostSpec> parse(String option, String text, boolean isSpare) {
        HostList list = new HostList(option + "=" + text);
        for (String one : text.split(",", -1)) {
            list.add(one.strip(), isSpare, "");
        }
        return list.hosts;
    }

    /** Hosts from a file. */
    public static List<HostSpec> read(Path file) {
        byte[] contents;
        try (var in = Files.newInputStream(file)) {
            contents = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw refused("--hostfile=" + file + ": cannot be read: " + e.getMessage() + " ("
                + e.getClass().getSimpleName() + ")", e);
        }
        if (contents.length > MOST_BYTES) {
            throw new MisuseException("--hostfile=" + file + ": more than " + MOST_BYTES + " bytes");
        }
        HostList list = new HostList("--hostfile=" + file);
        int number = 0;
        for (String line : new String(contents, StandardCharsets.UTF_8).split("\n", -1)) {
            number++;
            String words = line.replaceFirst("#.*", "").strip();
            if (!words.isEmpty()) {
                list.add(words, false, ", line " + number);
            }
        }
        if (list.hosts.isEmpty()) {
            throw new MisuseException("--hostfile=" + file + ": names no host");
        }
        return list.hosts;
    }

    /** Puts lists together; a host may be in one of them only. */
    public static List<HostSpec> together(List<HostSpec> first, List<HostSpec> second) {
        List<HostSpec> all = new ArrayList<>(first);
        for (HostSpec host : second) {
            if (all.stream().anyMatch(other -> other.name().equals(host.name()))) {
                throw new MisuseException("host " + host.name() + " is named twice: as a spare one and as one that is"
                    + " not; leave one of them out");
            }
            all.add(host);
        }
        return all;
    }

    private void add(String text, boolean isSpare, String where) {
        String[] words = text.split("\\s+");
        String name = words[0];
        int slots = 0;
        Matcher withSlots = Pattern.compile("([^:]*):(.*)").matcher(name);
        if (withSlots.matches()) {
            name = withSlots.group(1);
            slots = slots(withSlots.group(2), name, where);
        }
        if (!NAME.matcher(name).matches()) {
            throw wrong(where, "'" + name + "' is not a host name; names are of letters, digits, '.', '-' and '_'");
        }
        boolean spare = isSpare;
        String rack = "";
        for (int i = 1; i < words.length; i++) {
            Matcher word = WORD.matcher(words[i]);
            if (words[i].equals("spare")) {
                spare = true;
            } else if (!word.matches()) {
                throw wrong(where, "'" + words[i] + "' after host " + name
                    + ": must be slots=N, rack=NAME or spare (or N after a colon)");
            } else if (word.group(1).equals("slots")) {
                if (slots > 0) {
                    throw wrong(where, "host " + name + " has its slots twice: name them once, as " + name
                        + ":N or as slots=N");
                }
                slots = slots(word.group(2), name, where);
            } else if (word.group(1).equals("rack")) {
                if (!NAME.matcher(word.group(2)).matches()) {
                    throw wrong(where, "'" + word.group(2) + "' is no name of host " + name
                        + "'s rack; names are of letters, digits, '.', '-' and '_'");
                }
                rack = word.group(2);
            }
        }
        String before = places.put(name, where);
        if (before != null) {
            throw wrong(where, "host " + name + " is named twice" + before.replaceFirst("^,", ", before in")
                + "; name it once, with the sum of its slots");
        }
        if (hosts.size() == MOST_HOSTS) {
            throw wrong(where, "more than " + MOST_HOSTS + " hosts");
        }
        hosts.add(new HostSpec(name, slots, spare, rack));
    }

    private int slots(String text, String name, String where) {
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_SLOTS) {
            throw wrong(where, "'" + text + "' slots of host " + name + ": must be 1 to " + MOST_SLOTS);
        }
        return Integer.parseInt(text);
    }

    private MisuseException wrong(String where, String what) {
        return new MisuseException(source + where + ": " + what);
    }

    private static MisuseException refused(String text, Exception why) {
        MisuseException refusal = new MisuseException(text);
        refusal.initCause(why);
        return refusal;
    }

    /** Refuses more members than these hosts, whose slots are known, have slots. */
    public static void checkSlots(List<HostSpec> hosts, JobOptions options, boolean mayOversubscribe) {
        int slots = hosts.stream().filter(host -> !host.isSpare()).mapToInt(HostSpec::slots).sum();
        int spare = hosts.stream().filter(HostSpec::isSpare).mapToInt(HostSpec::slots).sum();
        int members = options.ranks() + options.checksums();
        if (members > slots && !mayOversubscribe) {
            throw new MisuseException("--ranks=" + options.ranks() + " and --checksums=" + options.checksums() + " are "
                + members + " processes, and the hosts have " + slots + " slots" + (spare > 0 ? " (and " + spare
                + " on spare hosts)" : "") + "; name more hosts or slots, or add --oversubscribe");
        }
    }
}
