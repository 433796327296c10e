package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.junit.jupiter.api.Test;

/** Coordinated checkpoints of two ranks, and losses while they arrive. */
class CutArbiterTest implements CutArbiter.Actions {
    private static final int VIEW = 1;

    private final List<String> told = new ArrayList<>();
    private final CutArbiter cuts = new CutArbiter(this, 2, 1,
        new CheckpointDeadlines(1_000_000_000L, 10_000_000_000L, 1));

    @Override
    public void toComputing(ControlMessage.ToMember message) {
        told.add(message.getClass().getSimpleName());
    }

    @Override
    public void toChecksums(ControlMessage.ToMember message) {
        told.add("checksums: " + message.getClass().getSimpleName());
    }

    @Override
    public void toMember(int member, ControlMessage.ToMember message) {
        told.add(member + ": " + message.getClass().getSimpleName());
    }

    @Override
    public void committed(long generation, long step, long parityNanos, long takenNanos) {
        told.add("committed");
    }

    @Override
    public void askDoing(BitSet ranks) {
        told.add("ask " + ranks);
    }

    @Override
    public void abandoned(long generation, String reason, long waitedNanos) {
        told.add("abandoned");
    }

    @Override
    public void late(int checksum, String reason) {
        told.add("late");
    }

    @Override
    public boolean staysThere() {
        return false;
    }

    @Override
    public void copies() {
        // nobody asked for it
    }

    @Override
    public void begins(int view) {
        // somebody has arrived
    }

    @Override
    public boolean mustWait() {
        return false;
    }

    private void arrive(int rank) {
        cuts.onArrived(rank, new ControlMessage.CutArrived(VIEW, 5, ""), true, 0, 0);
    }

    @Test
    void aRankThatArrivedAndWasLostArrivesAnew() {
        arrive(1);
        cuts.computingLost(VIEW, 1);
        arrive(0);
        assertEquals(List.of(), told, "its replacement has not come there");
        arrive(1);
        assertEquals(List.of("CutGo"), told);
    }
}
