package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.spi.Blocks;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/** Accesses that nobody logs: they go to the fabric as they are. Data thread only; hot path. */
final class DirectAccess implements WindowAccess {
    private final WindowImpl window;
    private final Fabric fabric;
    private final RequestPool requests;
    private final StagingRing staging;
    private final OwnCells cells;

    DirectAccess(WindowImpl window, Fabric fabric, RequestPool requests, StagingRing staging, OwnCells cells) {
        this.window = window;
        this.fabric = fabric;
        this.requests = requests;
        this.staging = staging;
        this.cells = cells;
    }

    @Override
    public void put(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length) {
        remote.put(source, sourceOffset, offset, length);
    }

    @Override
    public void putLong(RemoteMemory remote, long value, int target, long offset) {
        remote.putLong(offset, value);
    }

    @Override
    public void putInt(RemoteMemory remote, int value, int target, long offset) {
        remote.putInt(offset, value);
    }

    @Override
    public void putBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        remote.putBlocks(source, blocks.source(0), blocks.sourceStride(), blocks.target(0), blocks.stride(),
            blocks.bytes(), blocks.count());
    }

    @Override
    public Request requestPut(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length) {
        return requests.of(remote.requestPut(source, sourceOffset, offset, length), target);
    }

    @Override
    public Request requestPutBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        return issue(requests, remote, source, target, blocks);
    }

    /** Puts all blocks by one request. */
    static Request issue(RequestPool requests, RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        RequestPool.Pooled request = requests.several(target);
        for (long i = 0; i < blocks.count(); i++) {
            request.add(remote.requestPut(source, blocks.source(i), blocks.target(i), blocks.bytes()));
        }
        return request.issued();
    }

    @Override
    public MemorySegment stage(int target, long length) {
        return staging.next(target, length);
    }

    @Override
    public MemorySegment inPlace(RemoteMemory remote, int target) {
        return fabric.isImmediate(target) ? remote.mapped() : null;
    }

    @Override
    public void get(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target, long offset,
        long length) {
        remote.get(destination, destinationOffset, offset, length);
    }

    @Override
    public Request requestGet(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target,
        long offset, long length) {
        return requests.of(remote.requestGet(destination, destinationOffset, offset, length), target);
    }

    @Override
    public Request requestGetBlocks(RemoteMemory remote, MemorySegment destination, int target, Blocks blocks) {
        RequestPool.Pooled request = requests.several(target);
        for (long i = 0; i < blocks.count(); i++) {
            request.add(remote.requestGet(destination, blocks.source(i), blocks.target(i), blocks.bytes()));
        }
        return request.issued();
    }

    @Override
    public long getLong(RemoteMemory remote, int target, long offset) {
        return remote.getLong(offset);
    }

    @Override
    public int getInt(RemoteMemory remote, int target, long offset) {
        return remote.getInt(offset);
    }

    @Override
    public void update(RemoteMemory remote, AtomicOp op, DataType type, long operand, int target, long offset) {
        remote.op(op, type, offset, operand);
    }

    @Override
    public long fetch(AtomicOp op, DataType type, long operand, int target, long offset) {
        return window.parts.present(target).fetchOp(op, type, offset, operand);
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        return window.parts.present(target).compareAndSwap(type, offset, expected, desired);
    }

    @Override
    public void signal(AtomicOp op, long value, int target, long offset) {
        fabric.flush(target);
        RemoteMemory remote = window.parts.present(target);
        if (op == AtomicOp.REPLACE) {
            remote.putLong(offset, value);
        } else {
            remote.op(op, DataType.INT64, offset, value);
        }
    }

    @Override
    public long waitUntil(long offset, Comparison comparison, long value) {
        return cells.await(offset, comparison, value);
    }

    @Override
    public boolean test(long offset, Comparison comparison, long value) {
        fabric.progress();
        return comparison.holds(cells.read(offset), value);
    }

    @Override
    public void completing(int target) {
        // nothing waits for that
    }

    @Override
    public void flush(int target) {
        fabric.flush(target);
    }

    @Override
    public void flushAll() {
        fabric.flushAll();
    }

    @Override
    public void arrived(int target) {
        // nobody logs results
    }

    @Override
    public void unlocking(int target) {
        // nobody counts epochs
    }
}
