package org.ftrma.core.coordinator;

/**
 * The rules by which the coordinator decides what counts and who waits for whom, each of which has a method. They are
 * correct here. A simulation that shows what goes wrong without one of them hands in a subclass that breaks it;
 * nothing else overrides them. Coordinator's thread.
 */
public class CoordinatorRules {
    /** Correct rules. */
    public CoordinatorRules() {
        // there is nothing to choose
    }

    /**
     * Whether a coordinated checkpoint counts: when all checksum ranks have made its parity, so that any losses from
     * then on can be rebuilt from it.
     *
     * @param parities checksum ranks that have made theirs
     * @param checksums all checksum ranks
     */
    public boolean generationCounts(int parities, int checksums) {
        return parities == checksums;
    }

    /**
     * Whether a demand checkpoint counts, and ranks drop what it covers: when all parities of its group include the
     * image.
     *
     * @param parities checksum ranks of the group whose parity includes it, or is to be made anew with it
     * @param checksums all checksum ranks of the group
     */
    public boolean demandCounts(int parities, int checksums) {
        return parities == checksums;
    }

    /**
     * Whether a generation on disk is given its name: when all ranks have written their images.
     *
     * @param images ranks whose image is written
     * @param ranks all computing ranks
     */
    public boolean flushCounts(int images, int ranks) {
        return images == ranks;
    }

    /**
     * Whether a cut that all have arrived at waits before anybody copies.
     *
     * @param intoParity whether the image of a demand checkpoint is ready, or goes into a parity: the copies would
     *     overwrite it
     */
    public boolean cutWaits(boolean intoParity) {
        return intoParity;
    }

    /**
     * Whether a demand checkpoint may be begun.
     *
     * @param besideCut whether a cut is under way or a generation pending: records that the demand checkpoint drops
     *     may be newer than that
     */
    public boolean demandMayBegin(boolean besideCut) {
        return !besideCut;
    }

    /**
     * Whether a member that has restored its state waits for all others before it runs: until they have, it could
     * write into what they restore.
     */
    public boolean waitsForAll() {
        return true;
    }

    /**
     * Whether a computing rank that runs on must confirm a loss before the replacement reads logs: until it has, it
     * may be in the middle of an access.
     *
     * @param rank the computing rank
     */
    public boolean mustConfirmLoss(int rank) {
        return true;
    }

    /**
     * Whether two lost ranks may need each other's logs, which are gone on both sides.
     *
     * @param mayHaveMet whether one of them may have accessed the other one, or keeps something for it
     */
    public boolean needEachOther(boolean mayHaveMet) {
        return mayHaveMet;
    }

    /**
     * What a loss leads to.
     *
     * @param loss how things stand right after it
     */
    public LossDecision onLoss(LossSnapshot loss) {
        return LossPolicy.decide(loss);
    }
}
