package org.ftrma.messaging;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.image.Slots;

/** Delegates to the gate of the messages, which does not exist before the first channel. Data thread only. */
record DeferredUpdateGate(Supplier<UpdateGate> gate) implements UpdateGate {
    @Override
    public boolean replaying() {
        return gate.get().replaying();
    }

    @Override
    public boolean mayAsk() {
        return gate.get().mayAsk();
    }

    @Override
    public void askForDemand() {
        gate.get().askForDemand();
    }

    @Override
    public void checkpointsInto(Slots images) {
        gate.get().checkpointsInto(images);
    }

    @Override
    public long[] holdUpdates(BooleanSupplier isWanted) {
        return gate.get().holdUpdates(isWanted);
    }

    @Override
    public long[] demandTaken(long[] covered) {
        return gate.get().demandTaken(covered);
    }

    @Override
    public void allowUpdates() {
        gate.get().allowUpdates();
    }
}
