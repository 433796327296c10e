package org.ftrma.messaging.event;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.parity.ChecksumRank;
import org.ftrma.core.session.Session;
import org.ftrma.spi.MemoryRegion;

/**
 * The event logger of a group: memory of a checksum rank into which each rank of the group writes its events. Data
 * thread only.
 */
public final class EventKeeper implements ChecksumRank.GroupService {
    private final List<MemoryRegion> regions = new ArrayList<>();

    /** A region for each rank of the group, empty in each view. */
    @Override
    public void open(Session session, List<Integer> guarded) {
        while (regions.size() < guarded.size()) {
            regions.add(session.fabric.exposeLazily(EventDescriptor.bytes()));
        }
        for (MemoryRegion region : regions) {
            MemorySegment words = region.segment().asSlice(0, EventDescriptor.EVENTS);
            words.fill((byte) 0);
        }
        session.exchange(ControlMessage.Scope.ALL, Blob.pack(regions.stream().map(MemoryRegion::key).toList()));
    }
}
