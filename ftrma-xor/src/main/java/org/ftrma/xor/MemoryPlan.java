package org.ftrma.xor;

import java.util.Locale;
import java.util.Optional;

/**
 * The memory a protected job takes, computed before it starts. All values are bytes. A value class; any thread.
 *
 * @param ranks         computing ranks
 * @param computing     what each of them takes
 * @param checksumRanks checksum ranks of all groups
 * @param checksum      what each of them takes
 * @param spares        processes that wait to replace others, with the memory of a computing rank ready
 * @param perSpare      what each of them holds
 */
public record MemoryPlan(int ranks, Computing computing, int checksumRanks, Checksum checksum, int spares,
    long perSpare) {

    private static final int BLOCK_BYTES = DirtyMap.DEFAULT_BLOCK_BYTES;

    /**
     * What a computing rank takes.
     *
     * @param live       what the program works on, and its messages
     * @param messageLog of that, messages that were sent and are kept
     * @param images     copies of its state
     * @param logs       its access logs
     * @param control    maps of changed blocks and the protocol's own words
     */
    public record Computing(long live, long messageLog, Images images, long logs, long control) {
        /** Bytes of all. */
        public long bytes() {
            return sum(live, images.bytes(), logs, control);
        }
    }

    /**
     * Images that a computing rank holds.
     *
     * @param committed that of the committed generation
     * @param pending   the one being taken
     * @param demand    the newest one taken on demand, 0 where there are none
     * @param disk      the one that is being written to disk, 0 where none is
     * @param read      the one of another rank that is being read from there, 0 where none is
     */
    public record Images(long committed, long pending, long demand, long disk, long read) {
        /** Where nothing is protected. */
        static final Images NONE = new Images(0, 0, 0, 0, 0);

        /** Bytes of all. */
        public long bytes() {
            return sum(committed, pending, demand, disk, read);
        }
    }

    /**
     * What a checksum rank takes.
     *
     * @param committedParity the parity of the committed generation
     * @param pendingParity   the parity being made
     * @param demandParity    the parity of each member's newest image, 0 where there are no demand checkpoints
     * @param logs            access logs that its members keep there
     * @param control         its copy of its members' maps and the protocol's own words
     */
    public record Checksum(long committedParity, long pendingParity, long demandParity, long logs, long control) {
        /** Where there are no checksum ranks. */
        static final Checksum NONE = new Checksum(0, 0, 0, 0, 0);

        /** Bytes of all. */
        public long bytes() {
            return sum(committedParity, pendingParity, demandParity, logs, control);
        }
    }

    /** The plan for a demand; refused where a sum passes 2^63. */
    public static MemoryPlan of(MemoryDemand d) {
        try {
            return compute(d);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("more memory than 2^63 bytes: " + d, e);
        }
    }

    private static MemoryPlan compute(MemoryDemand d) {
        long live = sum(d.windowBytes(), d.scratchBytes(), d.protectedBytes(),
            Math.multiplyExact(MemoryDemand.LIVE_BUFFERS, d.rotatingBytes()));
        MemoryPlan plan = d.groups() == 0 ? unprotected(d, live) : protectedBy(d, live);
        plan.totalBytes();
        return plan;
    }

    private static MemoryPlan unprotected(MemoryDemand d, long live) {
        Computing computing = new Computing(live, d.messageLogBytes(), Images.NONE, d.logBytes(),
            d.controlBytes());
        return new MemoryPlan(d.ranks(), computing, 0, Checksum.NONE, 0, 0);
    }

    private static MemoryPlan protectedBy(MemoryDemand d, long live) {
        long copied = wholeBlocks(sum(d.windowBytes(), d.protectedBytes()));
        long parity = sum(copied, wholeBlocks(d.rotatingBytes()));
        // Of the rotating buffers one is the committed image; the pending one is the program's current buffer, so
        // it needs only what is there beyond three.
        long committed = sum(copied, d.rotatingBytes());
        long demand = d.isOnDemand() ? sum(copied, d.rotatingBytes()) : 0;
        long disk = d.isToDisk() ? sum(copied, d.rotatingBytes()) : 0;
        int more = (d.isOnDemand() ? 1 : 0) + (d.isToDisk() ? 1 : 0);
        int pendingBuffers = d.rotatingBuffers() - MemoryDemand.MIN_ROTATING_BUFFERS - more;
        long pending = sum(copied, Math.multiplyExact(Math.max(0, pendingBuffers), d.rotatingBytes()));
        long map = wholeBlocks(DirtyMap.bytesFor(copied, BLOCK_BYTES));
        int largestGroup = (d.ranks() - 1) / d.groups() + 1;
        // A rank keeps the map of each of its images, a checksum rank fetches those of all its members.
        int images = 2 + more;
        long control = sum(d.controlBytes(), images * map);
        Computing computing = new Computing(live, d.messageLogBytes(),
            new Images(committed, pending, demand, disk, d.readBytes()), d.logBytes(), control);
        Checksum checksum = new Checksum(parity, parity, d.isOnDemand() ? parity : 0, d.checksumLogBytes(),
            sum(d.controlBytes(), Math.multiplyExact(largestGroup, map)));
        long spare = sum(live - d.protectedBytes(), committed, pending, demand, disk, control);
        return new MemoryPlan(d.ranks(), computing, d.groups() * d.checksumsPerGroup(), checksum, d.spares(), spare);
    }

    /** Bytes that one computing rank takes. */
    public long perRank() {
        return computing.bytes();
    }

    /** Bytes that one checksum rank takes. */
    public long perChecksumRank() {
        return checksum.bytes();
    }

    /** Bytes that all members and spares take together. */
    public long totalBytes() {
        return sum(Math.multiplyExact(ranks, perRank()), Math.multiplyExact(checksumRanks, perChecksumRank()),
            Math.multiplyExact(spares, perSpare));
    }

    /** Bytes that the same program takes without protection. */
    public long unprotectedBytes() {
        return Math.multiplyExact(ranks, computing.live);
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
            + limit + "); use fewer ranks or smaller windows" + smallerLogs()
            + (spares > 0 ? ", fewer --spares" : "") + withoutProtection(freeBytes) + "\n" + table());
    }

    /**
     * The same for one host of several.
     *
     * @param host as its user calls it
     * @param there how many computing ranks, checksum ranks and spares are there
     */
    public Optional<String> refusal(String host, int[] there, long freeBytes, String limit) {
        long need = sum(Math.multiplyExact(there[0], perRank()), Math.multiplyExact(there[1], perChecksumRank()),
            Math.multiplyExact(there[2], perSpare));
        if (need <= freeBytes) {
            return Optional.empty();
        }
        return Optional.of("host " + host + " needs " + binary(need) + " of memory for " + there[0]
            + " of the computing ranks, " + there[1] + " of the checksum ranks and " + there[2] + " of the spares, and "
            + binary(freeBytes) + " are available there (" + limit
            + "); give it fewer slots or the job more hosts, use fewer ranks or smaller windows" + smallerLogs()
            + (there[2] > 0 ? ", fewer --spares" : "") + "\n" + table());
    }

    private String smallerLogs() {
        return (computing.logs + checksum.logs > 0 ? ", a smaller --log-budget" : "")
            + (computing.messageLog > 0 ? ", a smaller --message-log" : "");
    }

    private String withoutProtection(long freeBytes) {
        return checksumRanks > 0 && unprotectedBytes() <= freeBytes
            ? ", or run without protection (--protocol none needs " + binary(unprotectedBytes()) + ")" : "";
    }

    /** The plan as lines of text, for people. No line break at the end. */
    public String table() {
        StringBuilder text = new StringBuilder();
        row(text, "memory", "computing rank", "checksum rank", "spare");
        row(text, "live state", binary(computing.live), "-", "");
        if (computing.messageLog > 0) {
            row(text, "of it messages, at most", binary(computing.messageLog), "-", "");
        }
        row(text, "committed image, parity", binary(computing.images.committed), binary(checksum.committedParity), "");
        row(text, "pending image, parity", binary(computing.images.pending), binary(checksum.pendingParity), "");
        if (computing.images.demand > 0) {
            row(text, "demand image, parity", binary(computing.images.demand), binary(checksum.demandParity), "");
        }
        if (computing.images.disk > 0) {
            row(text, "image being written", binary(computing.images.disk), "-", "");
        }
        if (computing.images.read > 0) {
            row(text, "image being read", binary(computing.images.read), "-", "");
        }
        if (computing.logs + checksum.logs > 0) {
            row(text, "access logs, at most", computing.logs > 0 ? binary(computing.logs) : "-",
                checksum.logs > 0 ? binary(checksum.logs) : "-", "");
        }
        row(text, "control", binary(computing.control), binary(checksum.control), "");
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
