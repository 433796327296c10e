package org.ftrma.launch.hosts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;

/**
 * Slurm's short forms of long lists, written out. What is expanded is bounded, and whatever else an environment has is
 * refused by name. Pure functions; any thread.
 *
 * <pre>
 *   h[1-3,07],login       h1 h2 h3 h07 login           nodes; digits keep their width
 *   r[1-2]n[0-1]          r1n0 r1n1 r2n0 r2n1
 *   2(x3),4               2 2 2 4                      a number for each node
 * </pre>
 */
final class SlurmNodes {
    private static final int MOST_CHARACTERS = 1 << 17;
    private static final int MOST_BRACKETS = 8;
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");
    private static final Pattern COUNT = Pattern.compile("([0-9]{1,9})(?:\\(x([0-9]{1,9})\\))?");

    private final String name;
    private final String text;

    private SlurmNodes(String name, String text) {
        this.name = name;
        this.text = text;
        if (text.length() > MOST_CHARACTERS) {
            throw new MisuseException(name + " has " + text.length() + " characters, and " + MOST_CHARACTERS
                + " at most are read; name the hosts with --hostfile");
        }
    }

    /**
     * The names of nodes, in the order of the list.
     *
     * @param name of the variable that has the list
     */
    static List<String> names(String name, String text) {
        return new SlurmNodes(name, text).names();
    }

    /**
     * A number for each node.
     *
     * @param name of the variable that has the list
     * @param nodes so many numbers there must be
     */
    static int[] counts(String name, String text, int nodes) {
        return new SlurmNodes(name, text).counts(nodes);
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        int begin = 0;
        boolean inside = false;
        for (int i = 0; i <= text.length(); i++) {
            char next = i == text.length() ? ',' : text.charAt(i);
            if (next == '[' && inside || next == ']' && !inside || i == text.length() && inside) {
                throw wrong("brackets do not match");
            }
            inside = next == '[' || inside && next != ']';
            if (next == ',' && !inside) {
                expand("", text.substring(begin, i), MOST_BRACKETS, names);
                begin = i + 1;
            }
        }
        Set<String> seen = new HashSet<>();
        for (String one : names) {
            if (!seen.add(one)) {
                throw wrong("node " + one + " is in it twice");
            }
        }
        return names;
    }

    /** Adds all names that begin with what is complete; each pair of brackets makes at least one of them. */
    private void expand(String complete, String rest, int mostBrackets, List<String> names) {
        int open = rest.indexOf('[');
        if (open < 0) {
            if (names.size() == HostList.MOST_HOSTS) {
                throw wrong("more than " + HostList.MOST_HOSTS + " nodes");
            }
            if (!HostList.NAME.matcher(complete + rest).matches()) {
                throw wrong("'" + shortened(complete + rest) + "' is not a host name");
            }
            names.add(complete + rest);
            return;
        }
        if (mostBrackets == 0) {
            throw wrong("more than " + MOST_BRACKETS + " pairs of brackets in a name");
        }
        int close = rest.indexOf(']');
        for (String range : rest.substring(open + 1, close).split(",", -1)) {
            Matcher digits = RANGE.matcher(range);
            if (!digits.matches()) {
                throw wrong("'" + shortened(range) + "' is not a range of numbers");
            }
            int first = Integer.parseInt(digits.group(1));
            int last = digits.group(2) == null ? first : Integer.parseInt(digits.group(2));
            if (last < first || last - first >= HostList.MOST_HOSTS) {
                throw wrong("range " + range + " has " + (last < first ? "no numbers" : "more than "
                    + HostList.MOST_HOSTS + " nodes"));
            }
            int width = digits.group(1).length();
            for (int number = first; number <= last; number++) {
                String written = Integer.toString(number);
                expand(complete + rest.substring(0, open) + "0".repeat(Math.max(0, width - written.length()))
                    + written, rest.substring(close + 1), mostBrackets - 1, names);
            }
        }
    }

    private int[] counts(int nodes) {
        int[] counts = new int[nodes];
        int known = 0;
        for (String one : text.split(",", -1)) {
            Matcher count = COUNT.matcher(one);
            if (!count.matches()) {
                throw wrong("'" + shortened(one) + "' is no number, or N(xTIMES)");
            }
            int value = Integer.parseInt(count.group(1));
            int times = count.group(2) == null ? 1 : Integer.parseInt(count.group(2));
            if (value < 1 || value > HostList.MOST_SLOTS) {
                throw wrong("a node with " + value + "; must be 1 to " + HostList.MOST_SLOTS);
            }
            if (times < 1 || times > nodes - known) {
                throw wrong("numbers for " + (known + (long) times) + " nodes or more, and there are " + nodes);
            }
            Arrays.fill(counts, known, known + times, value);
            known += times;
        }
        if (known < nodes) {
            throw wrong("numbers for " + known + " nodes, and there are " + nodes);
        }
        return counts;
    }

    private MisuseException wrong(String what) {
        return new MisuseException(name + "=" + shortened(text) + ": " + what
            + "; --hosts names hosts and slots instead");
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }
}
