package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.ftrma.xor.Groups;
import org.junit.jupiter.api.Test;

/** How many losses of hosts end a job. */
class HostRiskTest {
    /** Two ranks and a checksum rank: one group. */
    @Test
    void aHostWithTwoOfAGroupIsFatalAlone() {
        Groups groups = Groups.of(2, 1);
        assertEquals(new HostRisk(3, 0, 3, 3), HostRisk.of(new int[] {0, 1, 2}, groups, 1));
        assertEquals(new HostRisk(2, 1, 1, 1), HostRisk.of(new int[] {4, 4, 2}, groups, 1));
        assertEquals(new HostRisk(1, 1, 0, 0), HostRisk.of(new int[] {4, 4, 4}, groups, 1));
    }

    @Test
    void whatIsCountedIsWhatGroupsLose() {
        Random random = new Random(3);
        for (int round = 0; round < 200; round++) {
            int losses = 1 + random.nextInt(2);
            Groups groups = new Groups(6, 2, losses, Groups.Placement.values()[random.nextInt(2)]);
            int[] hostOf = random.ints(groups.members(), 0, 5).toArray();
            Set<Integer> hosts = new HashSet<>();
            for (int host : hostOf) {
                hosts.add(host);
            }
            int fatal = 0;
            int pairs = 0;
            int fatalPairs = 0;
            for (int one : hosts) {
                fatal += isFatal(hostOf, groups, losses, Set.of(one)) ? 1 : 0;
                for (int other : hosts) {
                    if (other > one) {
                        pairs++;
                        fatalPairs += isFatal(hostOf, groups, losses, Set.of(one, other)) ? 1 : 0;
                    }
                }
            }
            assertEquals(new HostRisk(hosts.size(), fatal, pairs, fatalPairs), HostRisk.of(hostOf, groups, losses));
        }
    }

    private static boolean isFatal(int[] hostOf, Groups groups, int losses, Set<Integer> failed) {
        for (int group = 0; group < groups.groups(); group++) {
            int lost = 0;
            for (int member : groups.membersOf(group)) {
                lost += failed.contains(hostOf[member]) ? 1 : 0;
            }
            if (lost > losses) {
                return true;
            }
        }
        return false;
    }
}
