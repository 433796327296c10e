package org.ftrma.messaging.event;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.parity.ChecksumRank;
import org.ftrma.core.session.Session;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/**
 * Event logger of a group: memory of a checksum rank into which each rank of the group writes its events; or into which
 * this process stores the events that it is given, and acknowledges them (Open MPI-V, 3.2). Data thread only.
 */
public final class EventKeeper implements ChecksumRank.GroupService {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final boolean isActive;
    private final List<MemoryRegion> regions = new ArrayList<>();
    /** What all ranks of the group are told. */
    private MemoryRegion told;

    /** {@code isActive}: it stores events itself. */
    public EventKeeper(boolean isActive) {
        this.isActive = isActive;
    }

    /** A region for each rank of the group, empty in each view. */
    @Override
    public void open(Session session, List<Integer> guarded) {
        Fabric fabric = session.fabric;
        while (regions.size() < guarded.size()) {
            regions.add(fabric.exposeLazily(isActive ? EventDescriptor.activeBytes() : EventDescriptor.bytes()));
        }
        if (isActive && told == null) {
            told = fabric.exposeLazily(EventDescriptor.TOLD * guarded.size());
            session.besidesOften(this::store);
            session.waiter.meanwhile(this::store);
        }
        for (MemoryRegion region : regions) {
            region.segment().asSlice(0, EventDescriptor.EVENTS).fill((byte) 0);
            if (isActive) {
                region.segment().asSlice(EventDescriptor.GIVEN, EventDescriptor.EVENTS).fill((byte) 0);
            }
        }
        if (isActive) {
            told.segment().fill((byte) 0);
        }
        session.exchange(ControlMessage.Scope.ALL, Blob.pack(
            Stream.concat(regions.stream(), Stream.ofNullable(told)).map(MemoryRegion::key).toList()));
    }

    /** Stores what was given; returns whether there was any. It may be called in a turn of any wait. */
    private boolean store() {
        boolean any = false;
        for (int place = 0; place < regions.size(); place++) {
            any |= store(regions.get(place).segment(), told.segment(), EventDescriptor.TOLD * place);
        }
        return any;
    }

    private static boolean store(MemorySegment region, MemorySegment told, long at) {
        long giver = (long) WORD.getAcquire(region, EventDescriptor.GIVER);
        long stored = (long) WORD.getAcquire(region, EventDescriptor.COUNT);
        long given = (long) WORD.getAcquire(region, EventDescriptor.GIVEN);
        boolean isNew = giver != (long) WORD.getAcquire(told, at + EventDescriptor.TAKEN_FROM);
        boolean any = isNew || given > stored;
        if (!isNew && given > stored) {
            // a rank that had more events than there is room for gives the newest ones only
            for (long number = Math.max(stored, given - EventDescriptor.MOST_WAITING); number < given; number++) {
                MemorySegment.copy(region, EventDescriptor.waitingOffset(number), region,
                    EventDescriptor.offset(number), EventDescriptor.EVENT);
            }
            stored = given;
            WORD.setRelease(region, EventDescriptor.COUNT, stored);
        }
        WORD.setRelease(told, at + EventDescriptor.STORED, stored);
        WORD.setRelease(told, at + EventDescriptor.TAKEN_FROM, giver);
        return any;
    }
}
