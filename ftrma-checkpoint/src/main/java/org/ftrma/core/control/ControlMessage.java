package org.ftrma.core.control;

import java.util.Map;

/**
 * Messages between members and the coordinator. Each record is one frame, encoded by {@link MessageCodec} from its
 * components. A message of another view than the receiver's is stale and ignored, unless said otherwise. A generation
 * that was given up is tried again under its number: view and step together tell the attempts apart.
 */
public sealed interface ControlMessage {
    /** Messages to a member. */
    sealed interface ToMember extends ControlMessage {
    }

    /** Messages to the coordinator. */
    sealed interface ToCoordinator extends ControlMessage {
    }

    /** What is to be encoded at a checksum rank, one after the other. */
    sealed interface ToEncode extends ControlMessage {
    }

    /** What counts in one view only: of another one than the receiver's it is stale. */
    sealed interface OfView extends ControlMessage {
        /** The view that it is of. */
        int view();
    }

    /** Who may access whose memory. */
    sealed interface OfAccess extends ControlMessage {
    }

    /** Who takes part in an exchange; numbers from {@link #AMONG} on are of exchanges among some ranks. */
    enum Scope {
        /** The computing ranks. */
        COMPUTING,
        /** All members. */
        ALL;

        /** The first number of an exchange among some ranks alone; which number is for these to agree on. */
        public static final int AMONG = 2;
    }

    /**
     * What a view starts from.
     *
     * @param generation the committed one
     * @param step of that generation
     */
    record Start(int view, int timeline, long generation, long step) {
    }

    /**
     * The process plays a member from now on, in the view given, starting from the committed generation.
     *
     * @param recovery above 0: the others run on, and this process joins their view by restoring its image and
     *     replaying
     * @param watched steps to announce and to hold at
     * @param latest by computing rank: the tag of its newest demand checkpoint, 0: none since the generation; then by
     *     group: that of its newest parity
     * @param missing other members of its group that do not hold their part of the committed generation
     */
    record Assign(int member, int incarnation, Start start, int recovery, Map<String, String> options, long[] watched,
        long[] latest, long[] missing) implements ToMember {
    }

    /**
     * A computing rank was lost and is recovered while the others run on: leave its memory alone from now on, and say
     * so.
     */
    record Lost(int view, int member, int recovery) implements ToMember, OfView {
        /** The most ranks that are being recovered at the same time while the others run on. */
        public static final int MOST_AT_A_TIME = 8;
    }

    /**
     * To those that make or rebuild parities: a checksum rank was lost, and the others run on. What was to be encoded
     * is given up.
     */
    record ChecksumLost(int view, int member) implements ToMember, OfView {
    }

    /**
     * To who asked: what a member, or the process that plays it now, and those after it contributed to an exchange; as
     * many as fit a frame.
     */
    record Answer(int view, int scope, int sequence, int member, byte[][] blobs) implements ToMember, OfView {
    }

    /** A rank that is being recovered holds its state and can be accessed; it does again what it had done. */
    record PeerResumes(int view, int member) implements ToMember, OfView {
    }

    /** A recovered rank can be accessed again, and has done again what others wait for. */
    record PeerLive(int view, int member) implements ToMember, OfView {
    }

    /** All stop, and start again in the new view from the committed generation. */
    record Rollback(int view, int timeline, long generation, long step) implements ToMember {
    }

    /** Nothing comes of the start of the view: where does this member wait? */
    record AskWhere(int view) implements ToMember, OfView {
    }

    /** What does this computing rank do? It is answered at once, also while the program computes. */
    record AskDoing(int view) implements ToMember, OfView {
    }

    /** All in scope have contributed to an exchange. */
    record Exchanged(int view, int scope, int sequence) implements ToMember, OfView {
    }

    /** All have arrived at the cut: copy now, as this generation. */
    record CutGo(int view, long step, long generation) implements ToMember, OfView {
    }

    /**
     * The cut at this step is given up.
     *
     * @param retryNext try again at the next step boundary, else when it is due again
     * @param intervals after how many intervals that is
     */
    record CutAbandon(int view, long step, boolean retryNext, int intervals, String reason)
        implements ToMember, OfView {
    }

    /**
     * To rank 0: somebody outside asks for a cut, so the next boundary that no rank has passed is to be one. Settled by
     * the next {@link CutGo}.
     */
    record CutWanted(int view) implements ToMember, OfView {
    }

    /** To a rank that recovers: the cut at this step is still to come, so others may wait for this rank there. */
    record CutAwait(int view, long step) implements ToMember, OfView {
    }

    /**
     * Another member wants to access this one's memory, and needs an address for that ({@link AddressGiven}).
     *
     * @param member who asks
     * @param incarnation of the process which plays it
     * @param address what that tells all
     */
    record AddressWanted(int view, int member, int incarnation, byte[] address) implements ToMember, OfAccess, OfView {
    }

    /**
     * By which this process may access a member's memory.
     *
     * @param address empty: no process plays the member now
     */
    record AddressFor(int view, int member, byte[] address) implements ToMember, OfAccess, OfView {
    }

    /** To a replacement that asked: all members have confirmed the loss. */
    record LeftAlone(int view, int recovery) implements ToMember, OfAccess, OfView {
    }

    /** The program of this rank does not do what those of others do: it is to end with that message. */
    record Misuse(int view, String text) implements ToMember, OfView {
    }

    /** To computing ranks: the programs of these have returned a while ago, after those steps; no other has. */
    record Returned(int view, long[] members, long[] steps) implements ToMember, OfView {
    }

    /** All have copied: go on. */
    record Resume(int view, long step, long generation) implements ToMember, OfView {
    }

    /** To checksum ranks: all images of the generation are complete. */
    record Encode(int view, long step, long generation) implements ToMember, ToEncode, OfView {
    }

    /** To a rank: take a demand checkpoint at the next step boundary, as the image of that tag. */
    record DemandTake(int view, int member, long tag) implements ToMember, OfView {
    }

    /**
     * To the checksum ranks of a group: images of members of it are complete, and take the place of their newest ones
     * in the parity.
     *
     * @param tag what the parity is called then
     * @param members whose images; these have no demand checkpoint twice
     * @param tags by place in {@code members}: what the image is called
     */
    record DemandEncode(int view, long tag, long[] members, long[] tags) implements ToMember, ToEncode, OfView {
    }

    /**
     * The demand checkpoint counts, and what it includes can be dropped everywhere.
     *
     * @param parity the tag of the parity that includes it
     * @param covered what it includes, as a Coverage
     */
    record DemandCommitted(int view, int member, long tag, long parity, long[] covered) implements ToMember, OfView {
    }

    /** To all ranks: a demand checkpoint that was asked for or pending is given up. */
    record DemandAbandoned(int view, int member, long tag) implements ToMember, OfView {
    }

    /** The generation, of that step, is committed; its parity has taken so much processor time from the ranks. */
    record Committed(int view, long generation, long step, long parityNanos) implements ToMember, OfView {
    }

    /** All members hold their state: run. */
    record Go(int view) implements ToMember, OfView {
    }

    /** Announce this step and hold at its end. Any view. */
    record Watch(long step) implements ToMember {
        /** In place of a step: hold in each demand checkpoint, before its image is said to be complete. */
        public static final long DEMAND = Integer.MAX_VALUE;
    }

    /** Hold no longer. Any view. */
    record Release(long step) implements ToMember {
    }

    /**
     * What regions members expose, so that a checksum rank and spares can have the memory ready. Any view; also to
     * processes without a role.
     *
     * @param computing bytes of each region of a computing rank
     * @param imageHoles {@link org.ftrma.spi.Holes} of the last of these, which is that of images
     * @param parity bytes of a checksum rank's parity region
     * @param parityHoles its holes
     */
    record Provision(Map<String, String> options, long[] computing, long[] imageHoles, long parity, long[] parityHoles)
        implements ToMember {
    }

    /**
     * To a process that was not assigned yet: images of the generation are on disk, and whoever does not hold its own
     * takes it from there. Any view.
     *
     * @param firstView the one in which the job began
     */
    record OnDisk(long generation, String place, int firstView) implements ToMember {
    }

    /** To a computing rank: write the image of this committed generation there, in the background. Any view. */
    record Flush(long number, long generation, String place) implements ToMember {
    }

    /** What the flush of that number has written is not wanted any more. Any view. */
    record FlushCancel(long number) implements ToMember {
    }

    /** The job is over. Any view. */
    record End(String reason) implements ToMember {
    }

    /**
     * What this rank has exposed, or will when the steps begin, and what a parity takes: see {@link Provision}. Any
     * view.
     */
    record Regions(long[] computing, long[] imageHoles, long parity, long[] parityHoles) implements ToCoordinator {
    }

    /**
     * A region that this rank has exposed with all its pages, of which checksum ranks will read much: they may map it
     * while the program initializes. The coordinator passes it on to them.
     */
    record RegionKey(int view, int member, byte[] key) implements ToCoordinator, ToMember, OfView {
    }

    /**
     * A contribution to an exchange, in place of that of a predecessor in this view. The coordinator keeps it for who
     * {@link Ask asks}.
     *
     * @param among the ranks that take part, where its scope does not say it; else empty
     * @param done what the program has allocated since it told last, and its loop, a line each: what all ranks must do
     *     alike
     */
    record Exchange(int view, int scope, int sequence, long[] among, byte[] blob, String done)
        implements ToCoordinator, OfView {
    }

    /**
     * What did so many members, from that one on, contribute to an exchange in which all have? Where it was among some
     * ranks, members are their places among these.
     */
    record Ask(int view, int scope, int sequence, int member, int count) implements ToCoordinator, OfView {
    }

    /**
     * This rank has not accessed those since an image of every rank was taken that counts, and asks for keys of theirs
     * again before it does.
     *
     * @param ranks the bits of a BitSet
     */
    record Renounced(int view, long[] ranks) implements ToCoordinator, OfView {
    }

    /** Arrived at the cut of this step; impossible says why this rank cannot be cut here, or is empty. */
    record CutArrived(int view, long step, String impossible) implements ToCoordinator, OfView {
    }

    /** The own image of the generation is complete. */
    record ImageReady(int view, long step, long generation) implements ToCoordinator, OfView {
    }

    /**
     * This rank's logs run low, or lack something, because of that member; urgent if they lack it, or have no room for
     * some steps more.
     */
    record DemandWanted(int view, int member, boolean isUrgent) implements ToCoordinator, OfView {
    }

    /** The image that was asked for is complete, and includes what {@code covered} says. */
    record DemandReady(int view, long tag, long[] covered) implements ToCoordinator, OfView {
    }

    /** The image that was asked for is not taken: its copy would have kept others' updates waiting for too long. */
    record DemandTooSlow(int view, long tag) implements ToCoordinator, OfView {
    }

    /** The parity of that tag is complete. */
    record DemandEncoded(int view, long tag, long bytes) implements ToCoordinator, OfView {
    }

    /** How long the cut kept this rank from its program. */
    record CutCost(int view, long generation, long nanos) implements ToCoordinator, OfView {
    }

    /** The parity of the generation is complete; processor time that this has taken from the ranks. */
    record ParityReady(int view, long step, long generation, long nanos) implements ToCoordinator, OfView {
    }

    /**
     * The answer to {@link AskWhere}: where in the program this member waits for others before all run, such as: in
     * steps(). For people.
     */
    record Where(int view, String place) implements ToCoordinator, OfView {
    }

    /** The member holds its part of the committed generation. {@code done} as in {@link Exchange}. */
    record Restored(int view, String done) implements ToCoordinator, OfView {
    }

    /** No access of this member to the lost one is under way any more, and its logs are complete. */
    record LostSeen(int view, int recovery) implements ToCoordinator, OfView {
    }

    /**
     * This process wants to access a member's memory, and only that member can let it in.
     *
     * @param member whose memory
     * @param address what this process tells all
     */
    record AskAddress(int view, int member, byte[] address) implements ToCoordinator, OfView {
    }

    /** The answer to {@link AddressWanted}: the address is for that incarnation of the member alone. */
    record AddressGiven(int view, int member, int incarnation, byte[] address) implements ToCoordinator, OfView {
    }

    /** A replacement connects to nobody before all members have cut off the lost one: it waits for that. */
    record AskAlone(int view, int recovery) implements ToCoordinator, OfView {
    }

    /** A rank that is being recovered holds its state, and can be accessed while it does again what it had done. */
    record Resumed(int view, int recovery) implements ToCoordinator, OfView {
    }

    /**
     * The recovered rank has replayed what the logs hold, and goes on with the others.
     *
     * @param step where it is
     * @param figures {@link RecoveryFigures} by ordinal
     */
    record WentLive(int view, int recovery, long step, long[] figures) implements ToCoordinator, OfView {
    }

    /** A checksum rank that has taken another one's place has all of this rank's events of messages. */
    record EventsKept(int view, int keeper) implements ToCoordinator, OfView {
    }

    /** Replay is impossible: all must go back. reason: the name of a FallbackReason. */
    record Fallback(int view, String reason, String text) implements ToCoordinator, OfView {
    }

    /** The own image is on disk. Any view. */
    record FlushWritten(long number, long bytes, byte[] digest) implements ToCoordinator {
    }

    /** The own image could not be written. Any view. */
    record FlushFailed(long number, String reason) implements ToCoordinator {
    }

    /** A step began. */
    record StepBegun(int view, long step, long iterations, long averageNanos) implements ToCoordinator, OfView {
    }

    /** Holding at the end of a watched step. */
    record Held(int view, long step) implements ToCoordinator, OfView {
    }

    /**
     * The program returned, after that step.
     *
     * @param called which collectives of messages it has called: a line for each channel, of words between tabs: the
     *     channel, how many ranks it has, how many collectives, a digest of them all, and the newest ones
     */
    record Finished(int view, long step, String called) implements ToCoordinator, OfView {
    }

    /** The program threw, or (isSetup) this machine lacks something that the message names. Any view. */
    record Failed(int view, boolean isSetup, String message) implements ToCoordinator {
    }

    /** The program has left by a DeadlineException that it did not catch: it has failed, unless all go back. */
    record Expired(int view, String message) implements ToCoordinator, OfView {
    }

    /**
     * What a computing rank does.
     *
     * @param step 0: before the first one
     * @param idleNanos since its program has called the library last
     * @param waits of its process so far: how many, their turns; and the same of those whose rounds contain waits
     * @param what it waits for, or waited for last
     * @param stack of the program's thread, the newest call first, a line each; bounded
     */
    record Doing(int view, long step, long idleNanos, long[] waits, String what, String stack)
        implements ToCoordinator, OfView {
    }

    /** A result. type is one of S (string), D (double), L (long), B (boolean). Any view. */
    record Report(String key, String type, String value) implements ToCoordinator {
    }

    /** What memory the members need, as a table: all is known now. Any view. */
    record MemoryTable(String text) implements ToCoordinator {
    }

    /** A line for the log. Any view. */
    record Note(String text) implements ToCoordinator {
    }

    /** What became of a window or segment of images that a job of another shape has written. Any view. */
    record Redistributed(String text) implements ToCoordinator {
    }
}
