package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** State of a connection to a peer, with the resources to release when it is dropped. Data thread only. */
final class Connection {
    final int peer;
    final AddressDescriptor address;
    final Arena arena = Arena.ofShared();
    private final List<MappedDomain.Mapping> mappings = new ArrayList<>();
    final List<MappedMemory> memories = new ArrayList<>();
    NetworkPeer network;
    boolean attachedMapped;
    boolean attachedNetwork;

    Connection(int peer, AddressDescriptor address) {
        this.peer = peer;
        this.address = address;
    }

    /** Memory that is mapped here as long as the connection lasts. */
    MappedMemory opened(MappedDomain.Mapping mapping) {
        mappings.add(mapping);
        return opened(mapping.segment(arena));
    }

    MappedMemory opened(MemorySegment segment) {
        attachedMapped = true;
        MappedMemory memory = new MappedMemory(peer, segment);
        memories.add(memory);
        return memory;
    }

    /** First no access can start any more, then memory is unmapped. */
    void closeMemories() {
        memories.forEach(MappedMemory::disconnect);
        arena.close();
        mappings.forEach(MappedDomain.Mapping::close);
    }
}
