package org.ftrma.xor;

/**
 * Memory that a job asks for, filled by name; fields that are not set are 0, or no. Sizes are bytes per computing rank.
 * Each word refuses negative values, and numbers that cannot be. One thread.
 *
 * <p>{@code new MemoryDemand(ranks, groups, checksums).windows(bytes).scratch(bytes).control(bytes)}
 */
public final class MemoryDemand {
    /** Buffers of a rotating segment that the program works on. */
    static final int LIVE_BUFFERS = 2;
    /** The fewest that it has with protection: one holds the committed image. */
    static final int MIN_ROTATING_BUFFERS = 3;

    private final int ranks;
    private final int groups;
    private final int checksumsPerGroup;
    private long windowBytes;
    private long scratchBytes;
    private long protectedBytes;
    private long rotatingBytes;
    private int rotatingBuffers;
    private long controlBytes;
    private boolean onDemand;
    private boolean toDisk;
    private long logBytes;
    private long checksumLogBytes;
    private long messageLogBytes;
    private long readBytes;
    private int spares;

    /**
     * A job that needs no memory.
     *
     * @param ranks             computing ranks
     * @param groups            groups, 1 to ranks; 0 for a job without protection
     * @param checksumsPerGroup checksum ranks in a group
     */
    public MemoryDemand(int ranks, int groups, int checksumsPerGroup) {
        if (groups != 0) {
            // Says what is wrong with these three.
            new Groups(ranks, groups, checksumsPerGroup, Groups.Placement.ROUND_ROBIN);
        } else if (ranks < 1) {
            throw new IllegalArgumentException("ranks=" + ranks + ": a job has at least one computing rank");
        }
        this.ranks = ranks;
        this.groups = groups;
        this.checksumsPerGroup = checksumsPerGroup;
    }

    /** All protected windows together. */
    public MemoryDemand windows(long bytes) {
        windowBytes = required("windowBytes", bytes);
        return this;
    }

    /** All scratch windows together: live, but in no image. */
    public MemoryDemand scratch(long bytes) {
        scratchBytes = required("scratchBytes", bytes);
        return this;
    }

    /** All protected local segments together. */
    public MemoryDemand local(long bytes) {
        protectedBytes = required("protectedBytes", bytes);
        return this;
    }

    /**
     * The rotating segments.
     *
     * @param bytes   one buffer of every one, together
     * @param buffers how many buffers each has: at least 3 with protection (the two that the program works on and one
     *     that holds the committed image), 2 without
     */
    public MemoryDemand rotating(long bytes, int buffers) {
        rotatingBytes = required("rotatingBytes", bytes);
        int least = groups == 0 ? LIVE_BUFFERS : MIN_ROTATING_BUFFERS;
        if (bytes > 0 && buffers < least) {
            throw new IllegalArgumentException("rotatingBuffers=" + buffers + ": must be at least " + least);
        }
        rotatingBuffers = buffers;
        return this;
    }

    /** What the protocol itself needs in each member, besides the maps of changed blocks. */
    public MemoryDemand control(long bytes) {
        controlBytes = required("controlBytes", bytes);
        return this;
    }

    /** Whether single ranks take demand checkpoints: one image and parity more. */
    public MemoryDemand onDemand(boolean are) {
        onDemand = are;
        return this;
    }

    /** Whether images are written to disk: one image more. */
    public MemoryDemand toDisk(boolean are) {
        toDisk = are;
        return this;
    }

    /**
     * Access logs.
     *
     * @param bytes     those of a computing rank
     * @param checksums those at a checksum rank, of all its members
     */
    public MemoryDemand logs(long bytes, long checksums) {
        logBytes = required("logBytes", bytes);
        checksumLogBytes = required("checksumLogBytes", checksums);
        return this;
    }

    /** What of the scratch is for messages that were sent and are kept. */
    public MemoryDemand messageLog(long bytes) {
        messageLogBytes = required("messageLogBytes", bytes);
        return this;
    }

    /** An image of another job that each computing rank reads, beside its own, before it goes on from that. */
    public MemoryDemand reads(long bytes) {
        readBytes = required("readBytes", bytes);
        return this;
    }

    /** Processes that wait with the memory of a computing rank, apart from protected local segments and logs. */
    public MemoryDemand spares(int number) {
        spares = (int) required("spares", number);
        return this;
    }

    private static long required(String name, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + "=" + bytes + ": must be 0 or more");
        }
        return bytes;
    }

    int ranks() {
        return ranks;
    }

    int groups() {
        return groups;
    }

    int checksumsPerGroup() {
        return checksumsPerGroup;
    }

    long windowBytes() {
        return windowBytes;
    }

    long scratchBytes() {
        return scratchBytes;
    }

    long protectedBytes() {
        return protectedBytes;
    }

    long rotatingBytes() {
        return rotatingBytes;
    }

    int rotatingBuffers() {
        return rotatingBuffers;
    }

    long controlBytes() {
        return controlBytes;
    }

    boolean isOnDemand() {
        return onDemand;
    }

    boolean isToDisk() {
        return toDisk;
    }

    long logBytes() {
        return logBytes;
    }

    long checksumLogBytes() {
        return checksumLogBytes;
    }

    long messageLogBytes() {
        return messageLogBytes;
    }

    long readBytes() {
        return readBytes;
    }

    int spares() {
        return spares;
    }

    @Override
    public String toString() {
        return "MemoryDemand[ranks=" + ranks + ", groups=" + groups + ", checksumsPerGroup=" + checksumsPerGroup
            + ", windowBytes=" + windowBytes + ", scratchBytes=" + scratchBytes + ", protectedBytes=" + protectedBytes
            + ", rotatingBytes=" + rotatingBytes + ", rotatingBuffers=" + rotatingBuffers + ", controlBytes="
            + controlBytes + ", onDemand=" + onDemand + ", toDisk=" + toDisk + ", logBytes=" + logBytes
            + ", checksumLogBytes=" + checksumLogBytes + ", messageLogBytes=" + messageLogBytes + ", readBytes="
            + readBytes + ", spares=" + spares + "]";
    }
}
