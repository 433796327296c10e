package org.ftrma.xor;

import java.util.Locale;
import java.util.Optional;

/**
 * The memory a protected job takes, computed before it starts. All values are bytes. A value class; any thread.
 *
 * @param ranks            computing ranks
 * @param checksumRanks    checksum ranks of all groups
 * @param live             per computing rank: what the program works on
 * @param committedImage   per computing rank: the image of the committed generation
 * @param pendingImage     per computing rank: the image being taken
 * @param demandImage      per computing rank: the newest image taken on demand, 0 where there are none
 * @param diskImage        per computing rank: the image that is being written to disk, 0 where none is
 * @param logs             per computing rank: its access logs
 * @param control          per computing rank: maps of changed blocks and the protocol's own words
 * @param committedParity  per checksum rank: the parity of the committed generation
 * @param pendingParity    per checksum rank: the parity being made
 * @param demandParity     per checksum rank: the parity of each member's newest image, 0 where there are no demand
 *     checkpoints
 * @param checksumLogs     per checksum rank: access logs that its members keep there
 * @param checksumControl  per checksum rank: its copy of its members' maps and the protocol's own words
 * @param spares           processes that wait to replace others, with the memory of a computing rank ready
 * @param perSpare         what each of them holds
 */
public record MemoryPlan(int ranks, int checksumRanks, long live, long committedImage, long pendingImage,
    long demandImage,
        long diskImage, long logs, long control, long committedParity, long pendingParity, long demandParity,
        long checksumLogs,
        long checksumControl, int spares, long perSpare) {

    private static final int LIVE_BUFFERS = 2;
    private static final int MIN_ROTATING_BUFFERS = 3;
    private static final int BLOCK_BYTES = DirtyMap.DEFAULT_BLOCK_BYTES;

    /**
     * What a job asks for. Sizes are bytes per computing rank.
     *
     * @param ranks             computing ranks
     * @param groups            groups, 1 to ranks; 0 for a job without protection
     * @param checksumsPerGroup checksum ranks in a group
     * @param windowBytes       all protected windows together
     * @param scratchBytes      all scratch windows together: live, but in no image
     * @param protectedBytes    all protected local segments together
     * @param rotatingBytes     one buffer of every rotating segment, together
     * @param rotatingBuffers   how many buffers a rotating segment has: at least 3 with protection (the two that the
     *     program works
     *                          on and one that holds the committed image), 2 without
     * @param onDemand          whether single ranks take demand checkpoints: one image and parity more
     * @param controlBytes      what the protocol itself needs in each member, besides the maps of changed blocks
     * @param toDisk            whether images are written to disk: one image more
     * @param logBytes          access logs of a computing rank
     * @param checksumLogBytes  access logs at a checksum rank, of all its members
     * @param spares            processes that wait with the memory of a computing rank, apart from protected local
     *     segments and logs
     */
    public record Demand(int ranks, int groups, int checksumsPerGroup, long windowBytes, long scratchBytes,
        long protectedBytes,
            long rotatingBytes, int rotatingBuffers, long controlBytes, boolean onDemand, boolean toDisk, long logBytes,
            long checksumLogBytes,
            int spares) {
        /** Without demand checkpoints, and nothing on disk. */
        public Demand(int ranks, int groups, int checksumsPerGroup, long windowBytes, long scratchBytes,
            long protectedBytes, long rotatingBytes,
                int rotatingBuffers, long controlBytes) {
            this(ranks, groups, checksumsPerGroup, windowBytes, scratchBytes, protectedBytes, rotatingBytes,
                rotatingBuffers, controlBytes, false);
        }

        /** Without logs and spares, and nothing on disk. */
        public Demand(int ranks, int groups, int checksumsPerGroup, long windowBytes, long scratchBytes,
            long protectedBytes, long rotatingBytes,
                int rotatingBuffers, long controlBytes, boolean onDemand) {
            this(ranks, groups, checksumsPerGroup, windowBytes, scratchBytes, protectedBytes, rotatingBytes,
                rotatingBuffers, controlBytes, onDemand,
                false, 0, 0, 0);
        }

        /** Refuses negative values and numbers of groups that cannot be. */
        public Demand {
            if (groups != 0) {
                // Says what is wrong with these three.
                new Groups(ranks, groups, checksumsPerGroup, Groups.Placement.ROUND_ROBIN);
            } else if (ranks < 1) {
                throw new IllegalArgumentException("ranks=" + ranks + ": a job has at least one computing rank");
            }
            requireBytes("windowBytes", windowBytes);
            requireBytes("scratchBytes", scratchBytes);
            requireBytes("protectedBytes", protectedBytes);
            requireBytes("rotatingBytes", rotatingBytes);
            requireBytes("controlBytes", controlBytes);
            requireBytes("logBytes", logBytes);
            requireBytes("checksumLogBytes", checksumLogBytes);
            requireBytes("spares", spares);
            int least = groups == 0 ? LIVE_BUFFERS : MIN_ROTATING_BUFFERS;
            if (rotatingBytes > 0 && rotatingBuffers < least) {
                throw new IllegalArgumentException("rotatingBuffers=" + rotatingBuffers + ": must be at least "
                    + least);
            }
        }

        private static void requireBytes(String name, long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException(name + "=" + bytes + ": must be 0 or more");
            }
        }
    }

    /** The plan for a demand; refused where a sum passes 2^63. */
    public static MemoryPlan of(Demand d) {
        try {
            return compute(d);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("more memory than 2^63 bytes: " + d, e);
        }
    }

    private static MemoryPlan compute(Demand d) {
        int checksumRanks = d.groups * d.checksumsPerGroup;
        long live = sum(d.windowBytes, d.scratchBytes, d.protectedBytes,
            Math.multiplyExact(LIVE_BUFFERS, d.rotatingBytes));
        MemoryPlan plan;
        if (d.groups == 0) {
            plan = new MemoryPlan(d.ranks, 0, live, 0, 0, 0, 0, d.logBytes, d.controlBytes, 0, 0, 0, 0, 0, 0, 0);
        } else {
            long copied = wholeBlocks(sum(d.windowBytes, d.protectedBytes));
            long parity = sum(copied, wholeBlocks(d.rotatingBytes));
            // Of the rotating buffers one is the committed image; the pending one is the program's current buffer, so
            // it needs only what is there beyond three.
            long committed = sum(copied, d.rotatingBytes);
            long demand = d.onDemand ? sum(copied, d.rotatingBytes) : 0;
            long disk = d.toDisk ? sum(copied, d.rotatingBytes) : 0;
            int pendingBuffers = d.rotatingBuffers - MIN_ROTATING_BUFFERS - (d.onDemand ? 1 : 0) - (d.toDisk ? 1 : 0);
            long pending = sum(copied, Math.multiplyExact(Math.max(0, pendingBuffers), d.rotatingBytes));
            long map = wholeBlocks(DirtyMap.bytesFor(copied, BLOCK_BYTES));
            int largestGroup = (d.ranks - 1) / d.groups + 1;
            // A rank keeps the map of each of its images, a checksum rank fetches those of all its members.
            int images = 2 + (d.onDemand ? 1 : 0) + (d.toDisk ? 1 : 0);
            long control = sum(d.controlBytes, images * map);
            long spare = sum(live - d.protectedBytes, committed, pending, demand, disk, control);
            plan = new MemoryPlan(d.ranks, checksumRanks, live, committed, pending, demand, disk, d.logBytes, control,
                parity, parity,
                d.onDemand ? parity : 0, d.checksumLogBytes, sum(d.controlBytes, Math.multiplyExact(largestGroup, map)),
                d.spares, spare);
        }
        plan.totalBytes();
        return plan;
    }

    /** Bytes that one computing rank takes. */
    public long perRank() {
        return sum(live, committedImage, pendingImage, demandImage, diskImage, logs, control);
    }

    /** Bytes that one checksum rank takes. */
    public long perChecksumRank() {
        return sum(committedParity, pendingParity, demandParity, checksumLogs, checksumControl);
    }

    /** Bytes that all members and spares take together. */
    public long totalBytes() {
        return sum(Math.multiplyExact(ranks, perRank()), Math.multiplyExact(checksumRanks, perChecksumRank()),
            Math.multiplyExact(spares, perSpare));
    }

    /** Bytes that the same program takes without protection. */
    public long unprotectedBytes() {
        return Math.multiplyExact(ranks, live);
    }

    /**
     * Why the job does not fit on this machine, with the figures and what to do; empty where it fits. All members run
     * on it.
     *
     * @param freeBytes what all of them may take together
     * @param limit     what sets this limit, and how to raise it: the end of a sentence
     */
    public Optional<String> refusal(long freeBytes, String limit) {
        long need = totalBytes();
        if (need <= freeBytes) {
            return Optional.empty();
        }
        return Optional.of("the job needs " + binary(need) + " of memory and " + binary(freeBytes) + " are available ("
            + limit
            + "); use fewer ranks or smaller windows" + (logs + checksumLogs > 0 ? ", a smaller --log-budget" : "")
            + (spares > 0 ? ", fewer --spares" : "") + withoutProtection(freeBytes) + "\n" + table());
    }

    private String withoutProtection(long freeBytes) {
        return checksumRanks > 0 && unprotectedBytes() <= freeBytes
            ? ", or run without protection (--protocol none needs " + binary(unprotectedBytes()) + ")" : "";
    }

    /** The plan as lines of text, for people. No line break at the end. */
    public String table() {
        StringBuilder text = new StringBuilder();
        row(text, "memory", "computing rank", "checksum rank", "spare");
        row(text, "live state", binary(live), "-", "");
        row(text, "committed image, parity", binary(committedImage), binary(committedParity), "");
        row(text, "pending image, parity", binary(pendingImage), binary(pendingParity), "");
        if (demandImage > 0) {
            row(text, "demand image, parity", binary(demandImage), binary(demandParity), "");
        }
        if (diskImage > 0) {
            row(text, "image being written", binary(diskImage), "-", "");
        }
        if (logs + checksumLogs > 0) {
            row(text, "access logs, at most", logs > 0 ? binary(logs) : "-",
                checksumLogs > 0 ? binary(checksumLogs) : "-", "");
        }
        row(text, "control", binary(control), binary(checksumControl), "");
        row(text, "each", binary(perRank()), binary(perChecksumRank()), binary(perSpare));
        row(text, "number", Integer.toString(ranks), Integer.toString(checksumRanks), Integer.toString(spares));
        text.append(String.format(Locale.ROOT, "together %s, of which %s for protection", binary(totalBytes()),
            binary(totalBytes() - unprotectedBytes())));
        return text.toString();
    }

    private void row(StringBuilder text, String name, String computing, String checksum, String spare) {
        text.append(String.format(Locale.ROOT, "%-26s%16s%16s", name, computing, checksum));
        if (spares > 0 && !spare.isEmpty()) {
            text.append(String.format(Locale.ROOT, "%16s", spare));
        }
        text.append('\n');
    }

    /** Bytes for people: binary units, one decimal. */
    public static String binary(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        int unit = (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
        return String.format(Locale.ROOT, "%.1f %ciB", bytes / (double) (1L << 10 * unit), "KMGTPE".charAt(unit - 1));
    }

    private static long wholeBlocks(long bytes) {
        return Math.multiplyExact(DirtyMap.blocksFor(bytes, BLOCK_BYTES), (long) BLOCK_BYTES);
    }

    private static long sum(long... terms) {
        long sum = 0;
        for (long term : terms) {
            sum = Math.addExact(sum, term);
        }
        return sum;
    }
}
