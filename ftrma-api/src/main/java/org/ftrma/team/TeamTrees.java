package org.ftrma.team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Elements;

/**
 * The collectives of a team over its links. Broadcasts, reductions, gathers and scatters go along a binomial tree:
 * counted from the root, the parent of v is v without its lowest bit, so that the subtree of v is a row of positions
 * that begins with v. Reductions combine neighbouring rows, the lower one on the left, whatever arrives first. Scans
 * double their distance in each round (Hillis and Steele, "Data parallel algorithms", 1986). Data thread only;
 * allocates nothing but memory for pieces, once.
 */
final class TeamTrees {
    private final TeamLinks links;
    private final TeamStream in;
    private final TeamStream out;
    /** Where the part of each position begins, and its bytes, in the memory of a gather or scatter. */
    private final long[] offsets;
    private final long[] lengths;
    private final MemorySegment sum;
    private final MemorySegment before;

    TeamTrees(TeamLinks links) {
        this.links = links;
        this.in = new TeamStream(links);
        this.out = new TeamStream(links);
        this.offsets = new long[links.size];
        this.lengths = new long[links.size];
        this.sum = Arena.ofAuto().allocate(TeamLayout.PIECE_BYTES, 64);
        this.before = Arena.ofAuto().allocate(TeamLayout.PIECE_BYTES, 64);
    }

    /** This position counted from the root. */
    private int from(int root) {
        return Math.floorMod(links.position - root, links.size);
    }

    private int at(int place, int root) {
        return (place + root) % links.size;
    }

    /** Its children are at a distance of 2^0 up to less than 2^level. */
    private int level(int place) {
        return place == 0 ? links.layout.rounds : Integer.numberOfTrailingZeros(place);
    }

    /** The first place behind the subtree of a place. */
    private int end(int place) {
        return place == 0 ? links.size : Math.min(links.size, place + Integer.lowestOneBit(place));
    }

    void broadcast(MemorySegment data, int root) {
        long bytes = data.byteSize();
        for (long offset = 0; offset < bytes; offset += TeamLayout.PIECE_BYTES) {
            broadcast(data, offset, Math.min(TeamLayout.PIECE_BYTES, bytes - offset), root);
        }
        if (bytes == 0) {
            broadcast(data, 0, 0, root);
        }
    }

    private void broadcast(MemorySegment data, long offset, long length, int root) {
        int place = from(root);
        int level = level(place);
        if (place > 0) {
            MemorySegment.copy(links.memory(), links.receive(TeamLayout.LEFT, level), data, offset, length);
            links.take(TeamLayout.LEFT, level);
        }
        for (int round = level - 1; round >= 0; round--) {
            if (place + (1 << round) < links.size) {
                MemorySegment.copy(data, offset, links.staging, TeamLayout.HEADER_BYTES, length);
                links.send(TeamLayout.LEFT, round, length);
            }
        }
    }

    void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        long bytes = source.byteSize();
        for (long offset = 0; offset < bytes; offset += TeamLayout.PIECE_BYTES) {
            long length = Math.min(TeamLayout.PIECE_BYTES, bytes - offset);
            MemorySegment.copy(source, offset, sum, 0, length);
            combine(op, type, length, root);
            if (links.position == root) {
                MemorySegment.copy(sum, 0, destination, offset, length);
            }
        }
    }

    private void combine(AtomicOp op, DataType type, long length, int root) {
        int place = from(root);
        int level = level(place);
        for (int round = 0; round < level && place + (1 << round) < links.size; round++) {
            long data = links.receive(TeamLayout.RIGHT, round);
            Elements.combine(op, type, sum, 0, links.memory(), data, sum, 0, length);
            links.take(TeamLayout.RIGHT, round);
        }
        if (place > 0) {
            MemorySegment.copy(sum, 0, links.staging, TeamLayout.HEADER_BYTES, length);
            links.send(TeamLayout.RIGHT, level, length);
        }
    }

    void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, boolean isExclusive) {
        long bytes = source.byteSize();
        for (long offset = 0; offset < bytes; offset += TeamLayout.PIECE_BYTES) {
            long length = Math.min(TeamLayout.PIECE_BYTES, bytes - offset);
            MemorySegment.copy(source, offset, sum, 0, length);
            scan(op, type, length);
            if (!isExclusive) {
                MemorySegment.copy(sum, 0, destination, offset, length);
            } else if (links.position > 0) {
                MemorySegment.copy(before, 0, destination, offset, length);
            }
        }
    }

    /** After each round the sum is that of twice as many positions, up to this one. */
    private void scan(AtomicOp op, DataType type, long length) {
        for (int round = 0; 1 << round < links.size; round++) {
            int distance = 1 << round;
            if (links.position + distance < links.size) {
                MemorySegment.copy(sum, 0, links.staging, TeamLayout.HEADER_BYTES, length);
                links.send(TeamLayout.LEFT, round, length);
            }
            if (links.position >= distance) {
                long data = links.receive(TeamLayout.LEFT, round);
                MemorySegment own = links.memory();
                Elements.combine(op, type, own, data, sum, 0, sum, 0, length);
                if (round == 0) {
                    MemorySegment.copy(own, data, before, 0, length);
                } else {
                    Elements.combine(op, type, own, data, before, 0, before, 0, length);
                }
                links.take(TeamLayout.LEFT, round);
            }
        }
    }

    /** The parts of a gather or scatter, of the same size. */
    private void parts(long bytes) {
        for (int i = 0; i < links.size; i++) {
            offsets[i] = i * bytes;
            lengths[i] = bytes;
        }
    }

    private long bytes(int first, int end, int root) {
        long bytes = 0;
        for (int place = first; place < end; place++) {
            bytes += lengths[at(place, root)];
        }
        return bytes;
    }

    void gather(MemorySegment source, MemorySegment destination, int root) {
        parts(source.byteSize());
        gatherParts(source, destination, root);
    }

    private void gatherParts(MemorySegment source, MemorySegment destination, int root) {
        int place = from(root);
        int level = level(place);
        if (place > 0) {
            out.begin(TeamLayout.RIGHT, level, bytes(place, end(place), root));
            out.write(source, 0, source.byteSize());
        } else {
            MemorySegment.copy(source, 0, destination, offsets[root], source.byteSize());
        }
        for (int round = 0; round < level && place + (1 << round) < links.size; round++) {
            int child = place + (1 << round);
            long bytes = bytes(child, end(child), root);
            in.begin(TeamLayout.RIGHT, round, bytes);
            if (place > 0) {
                in.forward(out, bytes);
            } else {
                readParts(destination, child, end(child), root);
            }
        }
    }

    private void readParts(MemorySegment destination, int first, int end, int root) {
        for (int place = first; place < end; place++) {
            int part = at(place, root);
            in.read(destination, offsets[part], lengths[part]);
        }
    }

    void scatter(MemorySegment source, MemorySegment destination, int root) {
        parts(destination.byteSize());
        int place = from(root);
        int level = level(place);
        if (place > 0) {
            in.begin(TeamLayout.LEFT, level, bytes(place, end(place), root));
            in.read(destination, 0, destination.byteSize());
        } else {
            MemorySegment.copy(source, offsets[root], destination, 0, destination.byteSize());
        }
        for (int round = 0; round < level && place + (1 << round) < links.size; round++) {
            int child = place + (1 << round);
            long bytes = bytes(child, end(child), root);
            out.begin(TeamLayout.LEFT, round, bytes);
            if (place > 0) {
                in.forward(out, bytes);
            } else {
                writeParts(source, child, end(child), root);
            }
        }
    }

    private void writeParts(MemorySegment source, int first, int end, int root) {
        for (int place = first; place < end; place++) {
            int part = at(place, root);
            out.write(source, offsets[part], lengths[part]);
        }
    }

    void allGather(MemorySegment source, MemorySegment destination) {
        parts(source.byteSize());
        gatherParts(source, destination, 0);
        broadcast(destination, 0);
    }

    void allGather(MemorySegment source, MemorySegment destination, long[] newOffsets, long[] bytes) {
        System.arraycopy(newOffsets, 0, offsets, 0, links.size);
        System.arraycopy(bytes, 0, lengths, 0, links.size);
        gatherParts(source, destination, 0);
        broadcastParts(destination, bytes(0, links.size, 0));
    }

    /** The parts, one behind the other, in pieces of which a small one may have several. */
    private void broadcastParts(MemorySegment destination, long bytes) {
        int part = 0;
        long at = 0;
        for (long done = 0; done < bytes; done += TeamLayout.PIECE_BYTES) {
            long length = Math.min(TeamLayout.PIECE_BYTES, bytes - done);
            int firstPart = part;
            long firstAt = at;
            for (long filled = 0; filled < length;) {
                long count = Math.min(length - filled, lengths[part] - at);
                if (links.position == 0) {
                    MemorySegment.copy(destination, offsets[part] + at, sum, filled, count);
                }
                filled += count;
                at += count;
                if (at == lengths[part]) {
                    part++;
                    at = 0;
                }
            }
            broadcast(sum, 0, length, 0);
            if (links.position > 0) {
                takeParts(destination, firstPart, firstAt, length);
            }
        }
    }

    private void takeParts(MemorySegment destination, int first, long from, long length) {
        int part = first;
        long at = from;
        for (long taken = 0; taken < length;) {
            long count = Math.min(length - taken, lengths[part] - at);
            MemorySegment.copy(sum, taken, destination, offsets[part] + at, count);
            taken += count;
            at += count;
            if (at == lengths[part]) {
                part++;
                at = 0;
            }
        }
    }
}
