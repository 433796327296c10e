package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.xor.Groups;
import org.junit.jupiter.api.Test;

/** Where members of a job of several hosts are: the loss of a host takes no more than what others can make up for. */
class HostPlacementTest {
    private static JobOptions options(int ranks, int checksums, int losses, int hosts) {
        return JobOptions.builder().set(JobOption.RANKS, ranks).set(JobOption.CHECKSUMS, checksums)
            .set(JobOption.LOSSES, losses).set(JobOption.PROTOCOL, "full").set(JobOption.NODES, hosts)
            .set(JobOption.AWARE, "node").build();
    }

    @Test
    void noHostHasMoreOfAGroupThanItCanLose() {
        for (JobOptions options : new JobOptions[] {options(3, 2, 1, 3), options(6, 3, 1, 3), options(4, 4, 2, 3)}) {
            Groups groups = JobGroups.of(options);
            for (int host = 0; host < options.nodes(); host++) {
                for (int group = 0; group < groups.groups(); group++) {
                    int of = group;
                    long there = JobGroups.membersOn(1, host, options).stream()
                        .filter(member -> groups.groupOf(member) == of).count();
                    assertTrue(there <= options.losses(), "host " + host + " has " + there + " of group " + group);
                }
            }
        }
    }

    @Test
    void theBuddyOfARankIsOnAnotherHost() {
        for (int ranks = 2; ranks <= 9; ranks++) {
            JobOptions options = options(ranks, ranks, 1, 3);
            LogDescriptor layout = new LogDescriptor(ranks, 1 << 20, 4096, JobGroups.buddyDistance(options));
            for (int rank = 0; rank < ranks; rank++) {
                assertNotEquals(JobGroups.nodeOf(rank, options), JobGroups.nodeOf(layout.buddy(rank), options),
                    "rank " + rank + " of " + ranks);
                assertEquals(rank, layout.buddyOf(layout.buddy(rank)));
            }
        }
    }

    @Test
    void withoutHostsTheBuddyIsTheNextRank() {
        assertEquals(1, JobGroups.buddyDistance(JobOptions.builder().set(JobOption.RANKS, 4)
            .set(JobOption.CHECKSUMS, 1).set(JobOption.PROTOCOL, "full").build()));
    }
}
