package org.ftrma.rma.logging;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.parity.ChecksumRank;
import org.ftrma.core.session.Session;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.spi.MemoryRegion;

/**
 * The regions at a checksum rank into which the ranks of its group log their accesses with protocol ml. Data thread
 * only.
 */
public final class ChecksumLogKeeper implements ChecksumRank.GroupService {
    private final List<MemoryRegion> regions = new ArrayList<>();

    /** A region for each rank of the group, made anew in each view. */
    @Override
    public void open(Session session, List<Integer> guarded) {
        LogDescriptor layout = LogRegions.layout(session.options);
        while (regions.size() < guarded.size()) {
            regions.add(session.fabric.exposeLazily(layout.regionBytes()));
        }
        regions.forEach(region -> layout.format(region.segment(), session.inbox.view()));
        session.exchange(ControlMessage.Scope.ALL, Blob.pack(regions.stream().map(MemoryRegion::key).toList()));
    }
}
