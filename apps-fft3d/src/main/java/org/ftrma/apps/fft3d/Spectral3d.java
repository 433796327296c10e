package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The numerical core of NAS FT on one rank of a {@link Grid}: the forward transform of the initial field, and time
 * steps that evolve the spectrum and transform it back. It knows no job; what it needs of one is the {@link Exchange}.
 * One thread.
 *
 * <p>A block of up to 64 lines is copied from off-heap memory into lane rows, transformed, and put to where the next
 * stage wants it as soon as it is done, while the next block is computed. With slabs the stages X and Y of a plane
 * follow each other in the cache. Constructing one computes the roots of unity and the tables of the evolution.
 */
final class Spectral3d {
    /** The number of scratch areas that {@link Exchange#scratch} must offer; each has {@link Grid#areaBytes}. */
    static final int SCRATCH_AREAS = 2;
    /**
     * Rows in the sources of puts together at most, where there is a choice: 256 KiB, so that two or three times that
     * stay in the cache.
     */
    private static final int STAGED_ROWS = 256;

    /**
     * Memory that a put is packed in. A field: each store to an array of segments is checked, which compiled code took
     * for a rare case.
     */
    private static final class Source {
        MemorySegment memory;
    }

    private final Grid grid;
    private final Exchange exchange;
    private final LineFft fftX;
    private final LineFft fftY;
    private final LineFft fftZ;
    private final Evolution evolution;
    private final InitialField initial;
    private final double[][] rows;
    private final double[][] turned;
    private final Source[] sources;
    private final int together;
    private int turn;
    private final PhaseTimes times;

    Spectral3d(Grid grid, Exchange exchange, PhaseTimes times) {
        this.grid = grid;
        this.exchange = exchange;
        this.times = times;
        this.fftX = new LineFft(grid.nx);
        this.fftY = grid.isSlab() ? new LineFft(grid.ny) : new LineFft(grid.ny, exchange);
        this.fftZ = new LineFft(grid.nz, exchange);
        this.evolution = new Evolution(grid);
        this.initial = new InitialField(grid);
        int longest = Math.max(grid.nx, Math.max(grid.ny, grid.nz));
        this.rows = new double[longest][LaneKernels.ROW];
        int plane = Math.max(grid.nx * grid.nyb, grid.ny * grid.nxb);
        this.turned = new double[grid.isSlab() ? plane : LaneKernels.LANES][LaneKernels.ROW];
        this.together = Math.max(1, STAGED_ROWS / grid.nz);
        this.sources = new Source[grid.gridColumns];
        Arrays.setAll(sources, c -> new Source());
    }

    /**
     * Collective: makes the initial field and writes its forward transform to {@code spectrum}, all of it: zeros behind
     * this rank's part, where another one's is larger.
     */
    void forward(MemorySegment spectrum) {
        times.begin();
        if (grid.isSlab()) {
            initialPlanes();
        } else {
            initialLines();
            times.end(PhaseTimes.Phase.FORWARD);
            fence();
            forwardY();
        }
        times.end(PhaseTimes.Phase.FORWARD);
        fence();
        forwardZ(exchange.scratch(grid.isSlab() ? 0 : 1), spectrum);
        times.end(PhaseTimes.Phase.FORWARD);
    }

    /**
     * Collective: one time step. Multiplies {@code current} by the evolution factors into {@code next}, all of it (as
     * {@link #forward} does), and transforms that back into {@link #field}. The field is there until the next step.
     *
     * <p>One fence is enough for slabs because the two areas alternate: who writes the area that was used a step before
     * last has passed the last step's fence, and so have all others, who came there after they were through with that
     * area. With pencils area 0 is read before and written after the step's second fence, area 1 likewise around the
     * first.
     *
     * @param number of the step: which area it uses follows from that alone, so that a rank that begins anew uses the
     *     one that the others use
     */
    void step(long number, MemorySegment current, MemorySegment next) {
        turn = grid.isSlab() ? (int) (number & 1) : 0;
        times.begin();
        evolveAndInverseZ(current, next);
        times.end(PhaseTimes.Phase.EVOLVE_Z);
        fence();
        if (grid.isSlab()) {
            inversePlanes();
        } else {
            inverseY();
            times.end(PhaseTimes.Phase.INVERSE_XY);
            fence();
            inverseX();
        }
        times.end(PhaseTimes.Phase.INVERSE_XY);
    }

    /** The result of the last step, in the layout of stage X. */
    MemorySegment field() {
        return exchange.scratch(grid.isSlab() ? turn : 1);
    }

    private void fence() {
        exchange.fence();
        times.end(PhaseTimes.Phase.FENCE);
    }

    private void initialPlanes() {
        for (int z = 0; z < grid.nzc; z++) {
            for (int yb = 0; yb < grid.nyb; yb++) {
                initial.fill(rows, z, yb);
                fftX.transform(rows, 0);
                for (int xb = 0; xb < grid.nxb; xb++) {
                    LaneKernels.transpose(rows, fftX.forwardOrder(), xb * grid.bx, grid.bx, turned,
                        xb * grid.ny + yb * grid.by, grid.by);
                }
            }
            for (int xb = 0; xb < grid.nxb; xb++) {
                fftY.transform(turned, xb * grid.ny);
                sendYtoZ(turned, xb * grid.ny, z, xb, 0);
            }
        }
    }

    private void initialLines() {
        for (int z = 0; z < grid.nzc; z++) {
            for (int yb = 0; yb < grid.nyb; yb++) {
                initial.fill(rows, z, yb);
                fftX.transform(rows, 0);
                for (int tile = 0; tile < grid.nx / grid.bx; tile++) {
                    LaneKernels.transpose(rows, fftX.forwardOrder(), tile * grid.bx, grid.bx, turned, 0, grid.by);
                    putTile(grid.by, grid.bx, grid.rankAt(tile / grid.nxb, grid.column), 0,
                        grid.offsetY(z, tile % grid.nxb, grid.row * grid.nyr + yb * grid.by));
                }
            }
        }
    }

    private void forwardY() {
        MemorySegment area = exchange.scratch(0);
        for (int z = 0; z < grid.nzc; z++) {
            for (int xb = 0; xb < grid.nxb; xb++) {
                load(area, grid.offsetY(z, xb, 0), grid.ny, grid.bx);
                fftY.transform(rows, 0);
                sendYtoZ(rows, 0, z, xb, 1);
            }
        }
    }

    private void forwardZ(MemorySegment area, MemorySegment spectrum) {
        for (int y = 0; y < grid.nyc; y++) {
            for (int xb = 0; xb < grid.nxb; xb++) {
                long offset = grid.offsetZ(y, xb, 0);
                load(area, offset, grid.nz, grid.bx);
                fftZ.transform(rows, 0);
                store(fftZ.forwardOrder(), grid.nz, spectrum, offset, grid.bx);
            }
        }
        clearBehind(spectrum);
    }

    /** What is protected has the same bytes whoever computes it, and whatever its memory held before. */
    private void clearBehind(MemorySegment spectrum) {
        if (grid.ownSpectrumBytes() < grid.spectrumBytes()) {
            spectrum.asSlice(grid.ownSpectrumBytes()).fill((byte) 0);
        }
    }

    private void evolveAndInverseZ(MemorySegment current, MemorySegment next) {
        // Neighbouring y go to neighbouring rows of each target plane: several are put together, in longer runs and
        // fewer memory pages.
        for (int xb = 0; xb < grid.nxb; xb++) {
            for (int y = 0; y < grid.nyc; y += together) {
                evolveTogether(current, next, y, xb, Math.min(together, grid.nyc - y));
            }
        }
        clearBehind(next);
    }

    /**
     * A method by itself: it is called often enough to be compiled in the warm-up, which the loops around it are not.
     */
    private void evolveTogether(MemorySegment current, MemorySegment next, int y, int xb, int count) {
        long runBytes = 2L * grid.bx * Double.BYTES * count;
        for (int c = 0; c < grid.gridColumns; c++) {
            sources[c].memory = exchange.stage(grid.rankAt(grid.row, c), turn, grid.columnZ(c) * runBytes);
        }
        for (int i = 0; i < count; i++) {
            evolve(current, next, y + i, xb);
            fftZ.transform(rows, 0);
            for (int c = 0; c < grid.gridColumns; c++) {
                stageRows(rows, 0, fftZ.inverseOrder(), grid.firstZ[c], grid.columnZ(c), sources[c].memory, i, count);
            }
        }
        sendZtoY(runBytes, y, xb);
    }

    private void evolve(MemorySegment current, MemorySegment next, int y, int xb) {
        double factorY = evolution.y[grid.firstY[grid.column] + y];
        int firstX = grid.row * grid.nxr + xb * grid.bx;
        long offset = grid.offsetZ(y, xb, 0);
        for (int z = 0; z < grid.nz; z++, offset += 2 * grid.bx) {
            double[] row = rows[z];
            LaneCopies.load(current, offset, row, grid.bx);
            LaneKernels.scale(row, factorY * evolution.z[z], evolution.x, firstX);
            LaneCopies.store(row, next, offset, grid.bx);
        }
    }

    private void inversePlanes() {
        MemorySegment area = exchange.scratch(turn);
        for (int z = 0; z < grid.nzc; z++) {
            for (int xb = 0; xb < grid.nxb; xb++) {
                load(area, grid.offsetY(z, xb, 0), grid.ny, grid.bx);
                fftY.transform(rows, 0);
                for (int yb = 0; yb < grid.nyb; yb++) {
                    LaneKernels.transpose(rows, fftY.inverseOrder(), yb * grid.by, grid.by, turned,
                        yb * grid.nx + xb * grid.bx, grid.bx);
                }
            }
            // The whole plane is in the heap now: its memory takes the result.
            for (int yb = 0; yb < grid.nyb; yb++) {
                fftX.transform(turned, yb * grid.nx);
                long offset = grid.offsetX(z, yb, 0);
                for (int order : fftX.inverseOrder()) {
                    LaneCopies.store(turned[yb * grid.nx + order], area, offset, grid.by);
                    offset += 2 * grid.by;
                }
            }
        }
    }

    private void inverseY() {
        MemorySegment area = exchange.scratch(0);
        for (int z = 0; z < grid.nzc; z++) {
            for (int xb = 0; xb < grid.nxb; xb++) {
                load(area, grid.offsetY(z, xb, 0), grid.ny, grid.bx);
                fftY.transform(rows, 0);
                for (int tile = 0; tile < grid.ny / grid.by; tile++) {
                    LaneKernels.transpose(rows, fftY.inverseOrder(), tile * grid.by, grid.by, turned, 0, grid.bx);
                    putTile(grid.bx, grid.by, grid.rankAt(tile / grid.nyb, grid.column), 1,
                        grid.offsetX(z, tile % grid.nyb, grid.row * grid.nxr + xb * grid.bx));
                }
            }
        }
    }

    private void inverseX() {
        MemorySegment area = exchange.scratch(1);
        for (int z = 0; z < grid.nzc; z++) {
            for (int yb = 0; yb < grid.nyb; yb++) {
                long offset = grid.offsetX(z, yb, 0);
                load(area, offset, grid.nx, grid.by);
                fftX.transform(rows, 0);
                store(fftX.inverseOrder(), grid.nx, area, offset, grid.by);
            }
        }
    }

    /**
     * Puts the transformed block (z, xb) of stage Y to the ranks of this grid row, each of which owns some of its y.
     */
    private void sendYtoZ(double[][] from, int base, int z, int xb, int area) {
        long rowBytes = 2L * grid.bx * Double.BYTES;
        long offset = grid.offsetZ(0, xb, grid.firstZ[grid.column] + z) * Double.BYTES;
        long stride = grid.offsetZ(1, 0, 0) * Double.BYTES;
        for (int c = 0; c < grid.gridColumns; c++) {
            int target = grid.rankAt(grid.row, c);
            int count = grid.columnY(c);
            MemorySegment source = exchange.stage(target, area, count * rowBytes);
            stageRows(from, base, fftY.forwardOrder(), grid.firstY[c], count, source, 0, 1);
            exchange.put(source, target, area, offset, stride, rowBytes, count);
        }
    }

    /**
     * Puts the transformed blocks of stage Z from (y, xb) on to the ranks of this grid row, each of which owns some of
     * their z.
     */
    private void sendZtoY(long runBytes, int y, int xb) {
        long offset = grid.offsetY(0, xb, grid.firstY[grid.column] + y) * Double.BYTES;
        long stride = grid.offsetY(1, 0, 0) * Double.BYTES;
        for (int c = 0; c < grid.gridColumns; c++) {
            exchange.put(sources[c].memory, grid.rankAt(grid.row, c), turn, offset, stride, runBytes,
                grid.columnZ(c));
        }
    }

    /**
     * Copies ordered rows from {@code first} on to the source of a put: each is number {@code part} of a run, which has
     * {@code parts} of them.
     */
    private void stageRows(double[][] from, int base, int[] order, int first, int count, MemorySegment source, int part,
        int parts) {
        long offset = 2L * grid.bx * part;
        for (int k = first; k < first + count; k++, offset += 2L * grid.bx * parts) {
            LaneCopies.store(from[base + order[k]], source, offset, grid.bx);
        }
    }

    /** Puts the turned tile of {@code count} rows to where a row begins (in doubles). */
    private void putTile(int count, int width, int target, int area, long to) {
        long bytes = (long) count * 2 * width * Double.BYTES;
        MemorySegment source = exchange.stage(target, area, bytes);
        long offset = 0;
        for (int i = 0; i < count; i++, offset += 2L * width) {
            LaneCopies.store(turned[i], source, offset, width);
        }
        exchange.put(source, target, area, to * Double.BYTES, bytes, bytes, 1);
    }

    private void load(MemorySegment area, long offset, int count, int width) {
        long at = offset;
        for (int i = 0; i < count; i++, at += 2 * width) {
            LaneCopies.load(area, at, rows[i], width);
        }
    }

    private void store(int[] order, int count, MemorySegment area, long offset, int width) {
        long at = offset;
        for (int i = 0; i < count; i++, at += 2 * width) {
            LaneCopies.store(rows[order[i]], area, at, width);
        }
    }
}
