package org.ftrma.rma.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.ftrma.DataType;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.rma.replay.ReplayedWindows.ConflictException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What is in the windows of rank 0, which was lost, while its program runs again; ranks 1 and 2 accessed them. */
class ReplayedWindowsTest {
    private static final int RANKS = 3;
    private static final int PROTECTED = 0;
    private static final int SCRATCH = 1;
    private static final long AT = 8;

    private final MemorySegment memory = Arena.ofAuto().allocate(64, 8);
    private final LockOrder order = new LockOrder(RANKS);
    private final ReplayedWindows windows = new ReplayedWindows(0, order, window -> memory,
        window -> window == SCRATCH);

    private static Incoming put(int source, long value, long lockEvents) {
        MemorySegment data = MemorySegment.ofArray(new long[] {value});
        return new Incoming(source, PROTECTED, AT, lockEvents, 0, data, null);
    }

    private static Incoming.Update change(long old, long updated) {
        return new Incoming.Update(DataType.INT64, false, old, updated);
    }

    private static Incoming update(int source, long old, long updated) {
        return new Incoming(source, PROTECTED, AT, 0, 0, null, change(old, updated));
    }

    private static Incoming replacement(int source, int window, long old, long updated) {
        return new Incoming(source, window, AT, 0, 0, null, new Incoming.Update(DataType.INT64, true, old, updated));
    }

    private static Incoming sum(int source, long old, long updated) {
        return new Incoming(source, SCRATCH, AT, 0, 0, null, change(old, updated));
    }

    private void apply(Incoming... accesses) throws ConflictException {
        List<ArrayDeque<Incoming>> bySource = Stream.generate(ArrayDeque<Incoming>::new).limit(RANKS).toList();
        for (Incoming access : accesses) {
            bySource.get(access.source()).add(access);
        }
        windows.apply(bySource);
    }

    private void write(long value) {
        memory.set(ValueLayout.JAVA_LONG, AT, value);
    }

    private void assertHolds(long value) {
        assertEquals(value, memory.get(ValueLayout.JAVA_LONG, AT));
    }

    private static void assertGoesBack(FallbackReason reason, Executable what) {
        assertEquals(reason, assertThrows(ConflictException.class, what).reason());
    }

    @Test
    void atomicUpdatesNeedNoOrder() throws ConflictException {
        write(5);
        apply(update(1, 7, 9), update(2, 5, 7));
        assertHolds(9);
        windows.endPhase();
        assertHolds(9);
    }

    @Test
    void anAtomicUpdateThatIsMissingIsMissedAtTheBarrier() throws ConflictException {
        write(5);
        apply(update(1, 7, 9), update(2, 5, 7), update(2, 11, 13));
        assertHolds(5);
        assertGoesBack(FallbackReason.LOG_GAP, windows::endPhase);
    }

    @Test
    void aPathThatLeavesTheValueOfTheImageOutIsMissedAtTheBarrier() throws ConflictException {
        write(5);
        apply(update(1, 7, 9), update(2, 11, 7));
        assertHolds(5);
        assertGoesBack(FallbackReason.LOG_GAP, windows::endPhase);
    }

    @Test
    void aPathBeginsWhereverItDoesInAScratchWindowOnly() throws ConflictException {
        apply(replacement(1, SCRATCH, 3, 9), sum(2, 1, 3));
        windows.endPhase();
        assertHolds(9);
        apply(sum(1, 20, 21));
        windows.endPhase();
        assertHolds(21);
        apply(sum(1, 3, 9), sum(2, 11, 13));
        assertGoesBack(FallbackReason.LOG_GAP, windows::endPhase);
        write(0);
        apply(replacement(1, PROTECTED, 3, 9));
        assertGoesBack(FallbackReason.LOG_GAP, windows::endPhase);
    }

    @Test
    void aCircleInAScratchWindowEndsWhereSomeRankBeganAndSomeRankEnded() throws ConflictException {
        write(9);
        // locks of two ranks: each takes it, and gives it back
        apply(replacement(1, SCRATCH, 0, 1), replacement(1, SCRATCH, 1, 0), replacement(2, SCRATCH, 0, 2),
            replacement(2, SCRATCH, 2, 0));
        windows.endPhase();
        assertHolds(0);
        apply(replacement(1, SCRATCH, 7, 8), replacement(1, SCRATCH, 8, 7));
        windows.endPhase();
        assertHolds(7);
    }

    @Test
    void aCircleInAScratchWindowThatMayEndAnywhereIsUnorderedIfItSetsTheValue() throws ConflictException {
        write(4);
        apply(sum(1, 4, 9), sum(2, 9, 4));
        windows.endPhase();
        assertHolds(4); // if it was set before, it was that
        apply(replacement(1, SCRATCH, 4, 9), sum(2, 9, 4));
        assertGoesBack(FallbackReason.UNORDERED_CONFLICT, windows::endPhase);
    }

    @Test
    void theOwnAtomicUpdateIsInMemoryAtOnce() throws ConflictException {
        write(5);
        windows.ownUpdate(PROTECTED, AT, change(7, 9), 0);
        assertHolds(9);
        apply(update(1, 5, 7));
        assertHolds(9);
        windows.endPhase();
        assertHolds(9);
    }

    @Test
    void whatTheProgramWroteAfterUpdatesBeginsThePathAnew() throws ConflictException {
        apply(replacement(1, SCRATCH, 3, 9));
        assertHolds(9);
        write(20);
        windows.ownUpdate(SCRATCH, AT, change(20, 25), 0);
        windows.endPhase();
        assertHolds(25);
    }

    @Test
    void putsThatNothingOrdersAreNotDoneAgain() throws ConflictException {
        assertGoesBack(FallbackReason.UNORDERED_CONFLICT, () -> apply(put(1, 11, 0), put(2, 22, 0)));
        windows.endPhase();
        apply(put(1, 11, 0));
        assertGoesBack(FallbackReason.UNORDERED_CONFLICT, () -> windows.ownPut(PROTECTED, AT, 8, 0));
    }

    @Test
    void aPutAndAnAtomicUpdateThatNothingOrdersAreNotDoneAgain() throws ConflictException {
        apply(update(1, 0, 7));
        assertHolds(7);
        assertGoesBack(FallbackReason.UNORDERED_CONFLICT, () -> apply(put(2, 22, 0)));
        assertGoesBack(FallbackReason.UNORDERED_CONFLICT, () -> windows.ownPut(PROTECTED, AT, 8, 0));
    }

    @Test
    void aBarrierOrdersAll() throws ConflictException {
        apply(put(1, 11, 0));
        windows.endPhase();
        windows.ownPut(PROTECTED, AT, 8, 0);
        windows.endPhase();
        apply(update(2, 11, 12));
        windows.endPhase();
        apply(put(1, 13, 0));
        assertHolds(13);
    }

    @Test
    void putsUnderALockAreDoneAgainInTheOrderOfItsHolders() throws ConflictException {
        order.take(2, PROTECTED, 0, 1, false, 1);
        order.release(2, PROTECTED, 0, 1, false, 2);
        order.take(1, PROTECTED, 0, 2, false, 1);
        apply(put(1, 11, 1), put(2, 22, 1));
        assertHolds(11);
    }
}
