package org.ftrma.core.coordinator;

/**
 * Checksum ranks that live and do not do their work: they are taken for lost, and killed for certain before another
 * process takes their place (design 6.9). Coordinator's thread.
 */
final class LateChecksumRanks {
    private final MemberTable members;
    private final CheckpointDeadlines patience;
    private final CoordinatorHost host;
    private final int ranks;

    LateChecksumRanks(MemberTable members, CheckpointDeadlines patience, CoordinatorHost host, int ranks) {
        this.members = members;
        this.patience = patience;
        this.host = host;
        this.ranks = ranks;
    }

    /** A parity was not made, or changed, in time. */
    void late(Member checksum, String reason) {
        if (patience.wasLate(checksum.number - ranks)) { // C22
            declareLost(checksum, reason);
        }
    }

    /**
     * A checksum rank that was replaced and does not get its parity back is replaced once more.
     *
     * @param isOwnTime whether all run, and nobody whom it would wait for is away
     */
    void onTick(boolean isOwnTime, long now) {
        for (Member member : members.checksums()) {
            if (!isOwnTime || member.holdsPart() || !member.isPlayed() || member.rebuildingSince == 0) {
                member.rebuildingSince = Math.max(1, now);
            } else if (now - member.rebuildingSince > patience.rebuildNanos()) { // C22
                declareLost(member, "has not made its parity anew within " + patience.rebuildNanos() / 1_000_000
                    + " ms (--recovery-deadline, and more for large images)");
                patience.parityMissed();
                member.rebuildingSince = now;
            }
        }
    }

    private void declareLost(Member member, String reason) {
        if (member.isPlayed() && !member.isBeingKilled) {
            member.isBeingKilled = true;
            host.fence(member.process(), reason + ", then killed");
        }
    }
}
