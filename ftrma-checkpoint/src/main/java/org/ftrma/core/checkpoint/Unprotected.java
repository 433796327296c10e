package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.core.collective.CollectiveCall;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.image.ProtectedMemory;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.Waiter;

/** The checkpoints of a job that takes none. Data thread only. */
public final class Unprotected implements Checkpoints {
    private final Waiter waiter;
    private final Exchanges exchanges;
    private final Collectives collectives;

    public Unprotected(Waiter waiter, Exchanges exchanges, Collectives collectives) {
        this.waiter = waiter;
        this.exchanges = exchanges;
        this.collectives = collectives;
    }

    @Override
    public void announce(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotatingSegments) {
        // nobody keeps anything for this rank
    }

    @Override
    public void declare(DeclaredState all) {
        // nothing is restored
    }

    @Override
    public long open(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotatingSegments) {
        return 0;
    }

    /** Nobody is ever replaced, so nobody needs the coordinator's word. */
    @Override
    public void meet() {
        exchanges.goAtOnce();
        waiter.withoutDeadline(() -> collectives.barrier(CollectiveCall.Kind.START));
    }

    @Override
    public void atStart() {
        // there is no image to begin with
    }

    @Override
    public void askedFor() {
        // there is none to ask for
    }

    @Override
    public void atBoundary(long step) {
        // none is due
    }

    @Override
    public int rotatingBuffers() {
        return 2;
    }
}
