package org.ftrma.launch.job;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.ftrma.xor.Groups;

/**
 * The risk of losing hosts, for members on the hosts that they are on now: the conditional probability P(cf | x) of a
 * catastrophic failure (ftRMA, section 5.2) if x hosts fail at once, any of them equally likely, for x = 1 and 2. It is
 * counted; how often hosts fail does not matter to it. Immutable; any thread.
 *
 * @param hosts that have members
 * @param fatal those whose loss alone ends the job
 * @param pairs of hosts; 0: too many to be counted
 * @param fatalPairs those whose loss at the same time ends the job
 */
record HostRisk(int hosts, int fatal, int pairs, int fatalPairs) {
    private static final int MOST_FOR_PAIRS = 512;

    /**
     * That of a placement.
     *
     * @param hostOf of each member
     * @param losses members of a group that it survives losing
     */
    static HostRisk of(int[] hostOf, Groups groups, int losses) {
        TreeMap<Integer, int[]> groupsOf = new TreeMap<>();
        for (int member = 0; member < hostOf.length; member++) {
            int[] one = {groups.groupOf(member)};
            groupsOf.merge(hostOf[member], one, HostRisk::together);
        }
        List<int[]> hosts = List.copyOf(groupsOf.values());
        int fatal = (int) hosts.stream().filter(host -> isFatal(host, losses)).count();
        int pairs = 0;
        int fatalPairs = 0;
        for (int one = 0; one < hosts.size() && hosts.size() <= MOST_FOR_PAIRS; one++) {
            for (int other = 0; other < one; other++) {
                pairs++;
                fatalPairs += isFatal(together(hosts.get(one), hosts.get(other)), losses) ? 1 : 0;
            }
        }
        return new HostRisk(hosts.size(), fatal, pairs, fatalPairs);
    }

    private static int[] together(int[] some, int[] others) {
        int[] all = Arrays.copyOf(some, some.length + others.length);
        System.arraycopy(others, 0, all, some.length, others.length);
        Arrays.sort(all);
        return all;
    }

    /** Whether a group has lost too many: groups of lost members, in their order. */
    private static boolean isFatal(int[] lost, int losses) {
        for (int at = losses; at < lost.length; at++) {
            if (lost[at] == lost[at - losses]) {
                return true;
            }
        }
        return false;
    }

    /** For people, beside what it was. */
    String text(HostRisk before) {
        return "if a host fails now, that ends the job in " + fatal + " of " + hosts + " cases (before: " + before.fatal
            + " of " + before.hosts + ")" + (pairs == 0 || before.pairs == 0 ? "" : "; if two fail at once, in "
            + fatalPairs + " of " + pairs + " (before: " + before.fatalPairs + " of " + before.pairs + ")");
    }
}
