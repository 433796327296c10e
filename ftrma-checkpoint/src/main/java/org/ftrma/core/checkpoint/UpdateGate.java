package org.ftrma.core.checkpoint;

import java.util.function.BooleanSupplier;
import org.ftrma.core.image.Slots;

/**
 * Gate through which a demand checkpoint holds others' updates during its copy, and learns what of their accesses the
 * copy includes. Data thread.
 */
public interface UpdateGate {
    /** Whether this rank is behind the others and replays: then it takes none. */
    boolean replaying();

    /** Whether this rank may ask for demand checkpoints: it logs, does not replay, and a generation counts. */
    boolean mayAsk();

    /**
     * At a step boundary, if it may: asks for demand checkpoints of other ranks where logs run low, or lack something.
     */
    void askForDemand();

    /** Where demand checkpoints of this rank go, in this view. */
    void checkpointsInto(Slots images);

    /**
     * Others' atomic updates of this rank's memory wait from now on, until {@link #allowUpdates}; all earlier ones are
     * complete when this returns.
     *
     * @param isWanted whether the demand checkpoint is still wanted
     * @return what an image includes that is taken now; null if it is not wanted any more
     */
    long[] holdUpdates(BooleanSupplier isWanted);

    /**
     * The image is complete: it includes all results so far. Returns what it includes of others' accesses, given what
     * {@link #holdUpdates} said.
     */
    long[] demandTaken(long[] covered);

    /** Others may go on with atomic updates. */
    void allowUpdates();
}
