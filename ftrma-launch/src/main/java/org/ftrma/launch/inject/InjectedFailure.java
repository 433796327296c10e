package org.ftrma.launch.inject;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.domains.Topology;

/**
 * A failure that is to be injected from outside.
 *
 * @param action what is done to the processes
 * @param members who is hit, all at once: computing ranks, then checksum ranks
 * @param watched the computing rank whose step decides when
 * @param step the step in which it happens; 0: during initialization; {@link ControlMessage.Watch#DEMAND}: in the
 *     watched rank's demand checkpoint
 * @param again whether the replacement is hit too, in its recovery; then there is one member
 */
public record InjectedFailure(Action action, List<Integer> members, int watched, long step, boolean again) {
    private static final String AGAIN = "+recovery";
    private static final String NODE = "node";
    private static final String CHECKSUM = "checksum";

    /** A failure that leaves replacements alone. */
    public InjectedFailure(Action action, List<Integer> members, int watched, long step) {
        this(action, members, watched, step, false);
    }

    /** What is done to a process. */
    public enum Action {
        /** SIGKILL. */
        KILL("kill"),
        /** SIGSTOP. */
        STOP("stop"),
        /** The host that it is on is lost, with all that runs there, and comes back. */
        HOST("chaos-hosts");

        private final String option;

        Action(String option) {
            this.option = option;
        }

        String option() {
            return option;
        }
    }

    private static final String DEMAND = "demand";

    /**
     * Parses {@code R@K}, {@code R@demand}, {@code checksumJ@K}, {@code nodeX@K} (or another element of the machine) or
     * several joined by {@code +}, or one rank followed by {@code +recovery}; the job's options say which ranks and
     * nodes there are.
     */
    public static InjectedFailure parse(Action action, String given, JobOptions options) {
        String name = "--" + action.option() + "=" + given;
        boolean again = given.endsWith(AGAIN);
        String text = again ? given.substring(0, given.length() - AGAIN.length()) : given;
        int at = text.lastIndexOf('@');
        if (at < 1 || at == text.length() - 1) {
            throw new MisuseException(name
                + ": must be RANK@STEP, such as 2@5, checksum0@5, 1+3@5, 2@demand or 2@5+recovery");
        }
        boolean inDemand = text.substring(at + 1).equals(DEMAND);
        if (inDemand && !options.hasDemandCheckpoints()) {
            throw new MisuseException(name + ": there are no demand checkpoints (--protocol full or pessimistic-v, "
                + "--checksums 1 or more, --demand bulk or streaming)");
        }
        long step = inDemand ? ControlMessage.Watch.DEMAND : number(name, text.substring(at + 1));
        List<Integer> members = new ArrayList<>();
        for (String part : text.substring(0, at).split("\\+", -1)) {
            for (int member : named(name, part.trim(), options)) {
                if (members.contains(member)) {
                    throw new MisuseException(name + ": " + part + " is named twice");
                }
                members.add(member);
            }
        }
        if (again && members.size() > 1) {
            throw new MisuseException(name + ": +recovery goes with one rank");
        }
        if (again && !options.isProtected()) {
            throw new MisuseException(name
                + ": +recovery needs a job that is protected; add --checksums 1 --protocol coordinated");
        }
        int watched = members.stream().filter(member -> member < options.ranks()).findFirst().orElse(0);
        return new InjectedFailure(action, List.copyOf(members), watched, step, again);
    }

    private static List<Integer> named(String name, String text, JobOptions options) {
        if (!text.isEmpty() && Character.isDigit(text.charAt(0)) || text.startsWith(CHECKSUM)) {
            return List.of(member(name, text, options));
        }
        if (!options.hasNodes() || !options.isProtected()) {
            if (text.startsWith(NODE)) {
                throw new MisuseException(name
                    + ": there are 0 nodes; nodes are those of --nodes or --topology in a protected job");
            }
            return List.of(member(name, text, options));
        }
        Topology topology = JobGroups.topology(options);
        // Nodes may be called node1, node2, ...: their own names go before level and number.
        for (boolean own : new boolean[] {true, false}) {
            for (int level = 1; level <= topology.levels(); level++) {
                for (int element = 0; element < topology.count(level); element++) {
                    if (text.equals(own ? topology.domainName(level, element) : topology.levelName(level) + element)) {
                        return on(name, text, level, element, options);
                    }
                }
            }
        }
        List<String> levels = new ArrayList<>();
        for (int level = 1; level <= topology.levels(); level++) {
            levels.add(topology.count(level) + " " + topology.levelName(level) + "s");
        }
        throw new MisuseException(name + ": there is no " + text + "; there are " + String.join(", ", levels)
            + ", numbered from 0");
    }

    private static List<Integer> on(String name, String text, int level, int element, JobOptions options) {
        List<Integer> members = JobGroups.membersOn(level, element, options);
        if (members.isEmpty()) {
            throw new MisuseException(name + ": nothing runs on " + text + ": there are more nodes than members");
        }
        return members;
    }

    /** When it happens, for people. */
    String when(boolean held) {
        if (step == ControlMessage.Watch.DEMAND) {
            return "in a demand checkpoint of rank " + watched;
        }
        return step == 0 ? "during initialization" : (held ? "at the end of step " : "in step ") + step;
    }

    private static int member(String name, String text, JobOptions options) {
        if (text.startsWith(CHECKSUM)) {
            int index = (int) number(name, text.substring(CHECKSUM.length()));
            if (index >= options.checksums()) {
                throw new MisuseException(name + ": there are " + options.checksums() + " checksum ranks");
            }
            return options.ranks() + index;
        }
        int rank = (int) number(name, text);
        if (rank >= options.ranks()) {
            throw new MisuseException(name + ": there are " + options.ranks() + " computing ranks, 0 to "
                + (options.ranks() - 1));
        }
        return rank;
    }

    private static long number(String name, String text) {
        if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new MisuseException(name + ": \"" + text + "\" is not a rank or step number (of at most 9 digits)");
        }
        return Long.parseLong(text);
    }

    /** How a member is called by people. */
    public static String memberName(int member, JobOptions options) {
        return member < options.ranks() ? "rank " + member : "checksum rank " + (member - options.ranks());
    }

    /** All members hit, for people. */
    String victims(JobOptions options) {
        return (action == Action.HOST ? "the host of " : "") + String.join(" and ",
            members.stream().map(member -> memberName(member, options)).toList());
    }
}
