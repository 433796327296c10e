package org.ftrma.core.session;

import java.util.Arrays;
import java.util.BitSet;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;

/**
 * Announcements of the coordinator for one view, and what this member found in it. A newer view has an object of its
 * own, so that no word of an older one lives on. Data thread only.
 */
final class ViewAnnouncement {
    /** What the process knows before it is told of a view. */
    static final int NONE = 0;

    final int view;
    final int timeline;
    /** The step of the newest generation known to be committed; at first that of which the view starts. */
    long generationStep;
    /** What is said of exchanges. */
    final ExchangeMailbox exchanges = new ExchangeMailbox();
    /** What is said of coordinated checkpoints. */
    final CutMailbox cuts = new CutMailbox();
    /** What a checksum rank is to encode. */
    final EncodeQueue encodes = new EncodeQueue(); // C19
    /** Members that cannot be read: see {@link Inbox#isMissing}. */
    final BitSet missing = new BitSet();
    /** Above 0: the view was running, and this process is to replay; the number of that recovery. */
    final int recovery;
    /** The newest generation known to be committed. */
    long generation;
    /** All may go. */
    boolean go;
    /** What the program may not do and did, or null. */
    String misuse;
    /** Ranks whose programs have returned, or null. */
    ControlMessage.Returned returned;
    /** The demand checkpoint that this rank is to take, or null. */
    ControlMessage.DemandTake demand;
    /** The loss that makes the program leave, or null. */
    PeerLostException loss;
    private final long[] latest;

    private ViewAnnouncement(ControlMessage.Start start, int recovery, long[] latest) {
        this.view = start.view();
        this.timeline = start.timeline();
        this.generation = start.generation();
        this.generationStep = start.step();
        this.recovery = recovery;
        this.latest = latest;
    }

    /** Before any view. */
    static ViewAnnouncement none() {
        return new ViewAnnouncement(new ControlMessage.Start(NONE, 0, 0, 0), 0, new long[0]);
    }

    /** As the process hears of it that is to play a member in it. */
    static ViewAnnouncement of(ControlMessage.Assign m) {
        ViewAnnouncement told = new ViewAnnouncement(m.start(), m.recovery(), m.latest());
        Arrays.stream(m.missing()).forEach(member -> told.missing.set((int) member));
        return told;
    }

    /** As a member hears of it that was in an earlier one. */
    static ViewAnnouncement of(ControlMessage.Rollback m) {
        return new ViewAnnouncement(new ControlMessage.Start(m.view(), m.timeline(), m.generation(), m.step()), 0,
            new long[0]);
    }

    /** A demand checkpoint is given up, and what was to be encoded for it. */
    void abandoned(ControlMessage.DemandAbandoned m) {
        if (demand != null && demand.tag() == m.tag()) {
            demand = null;
        }
        encodes.drop(one -> one instanceof ControlMessage.DemandEncode encode
            && Arrays.stream(encode.tags()).anyMatch(tag -> tag == m.tag()));
    }

    /** A generation more. */
    void committed(ControlMessage.Committed m) {
        generation = m.generation();
        generationStep = m.step();
    }

    /** The step after which a rank's program has returned, or -1. */
    long returnedAfter(int rank) {
        for (int i = 0; returned != null && i < returned.members().length; i++) {
            if (returned.members()[i] == rank) {
                return returned.steps()[i];
            }
        }
        return -1;
    }

    /** The tag of a rank's newest demand checkpoint, or of a parity after those of the ranks; 0 if there is none. */
    long latest(int rank) {
        return rank < latest.length ? latest[rank] : 0;
    }
}
