package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
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

    /** Each rank keeps results for one other: where a host has more than half of them, some have to stay there. */
    @Test
    void theBuddyOfARankIsOnAnotherHost() {
        int kept = 0;
        for (int ranks = 2; ranks <= 12; ranks++) {
            JobOptions options = options(ranks, ranks, 1, 3);
            LogDescriptor layout = new LogDescriptor(ranks, 1 << 20, 4096, JobGroups.buddyDistance(options));
            long most = IntStream.range(0, options.nodes()).mapToLong(host -> JobGroups.membersOn(1, host, options)
                .stream().filter(member -> member < options.ranks()).count()).max().orElseThrow();
            kept += 2 * most <= ranks ? 1 : 0;
            for (int rank = 0; rank < ranks; rank++) {
                int buddy = layout.buddy(rank);
                assertEquals(rank, layout.buddyOf(buddy));
                assertTrue(2 * most > ranks || JobGroups.nodeOf(rank, options) != JobGroups.nodeOf(buddy, options),
                    "rank " + rank + " of " + ranks + " is with its buddy, rank " + buddy);
            }
        }
        assertTrue(kept >= 5, "only " + kept + " jobs have no host with more than half of the ranks");
    }

    @Test
    void withoutHostsTheBuddyIsTheNextRank() {
        assertEquals(1, JobGroups.buddyDistance(JobOptions.builder().set(JobOption.RANKS, 4)
            .set(JobOption.CHECKSUMS, 1).set(JobOption.PROTOCOL, "full").build()));
    }
}
