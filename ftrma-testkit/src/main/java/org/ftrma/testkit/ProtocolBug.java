package org.ftrma.testkit;

import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.testkit.bugs.ProtocolBugs;

/**
 * Protocol bugs that the simulator's own tests inject, to show that it finds them: each is a rule of the protocol's
 * parts that {@link BuggyParts} or {@link BuggyCoordinatorRules} breaks. The protocol itself knows none of them.
 */
public enum ProtocolBug {
    /** A rank goes on after its own copy without waiting for the others'. */
    SKIP_SECOND_BARRIER,
    /** The coordinator commits a generation before its parity is complete. */
    COMMIT_EARLY,
    /** A rank arrives at the cut without having flushed. */
    FORGET_FLUSH,
    /** The counter of epochs stands still. */
    EPOCH_NOT_COUNTED,
    /** Now and then a put is not logged. */
    RECORD_DROPPED,
    /** An epoch closes, or a loss is heard of, while data of a put has yet to be copied to the log. */
    LATE_DATA_FORGOTTEN,
    /** A replay does all that others did at the first synchronization, whatever their GNC. */
    GNC_IGNORED,
    /** A replay takes results out of the logs whatever their EC, GC and SC. */
    GC_IGNORED,
    /** N is not set before atomic accesses. */
    N_NEVER_SET,
    /** A replay sends puts again that had taken effect. */
    REPLAY_TWICE,
    /** A replacement does not send again what its predecessor had put to a rank that was lost since. */
    NOT_SENT_AGAIN,
    /** Logs are trimmed to a moment after the image. */
    TRIM_TOO_LATE,
    /** Each rank decides by its own clock where to cut. */
    DECIDES_ALONE,
    /** A replay does all that others did before a lock of its own window at once, whatever their SC. */
    SC_IGNORED,
    /** A wait that is replayed makes nothing seen of what came before the signal. */
    SIGNAL_ORDER_IGNORED,
    /** A wait returns while who made the signal is in the middle of that. */
    SIGNAL_NOT_OVER,
    /** Puts that nothing orders are applied in the order of the ranks. */
    CONFLICT_IGNORED,
    /** The updates of a location are applied in the order in which they are read, whether or not they form a path. */
    PATH_IGNORED,
    /** Survivors do not tell which of their logs died with a rank. */
    GAP_FORGOTTEN,
    /**
     * A replacement that begins with the image of a demand checkpoint does not tell that earlier results of collectives
     * are lost.
     */
    LOST_COLLECTIVES_FORGOTTEN,
    /** What a rank does in its own window is not logged at its buddy. */
    OWN_NOT_LOGGED,
    /** A replacement leaves its lock words as its image has them. */
    LOCK_NOT_REBUILT,
    /** A rank that finds no room in a log waits for it. */
    WAITS_FOR_LOG,
    /** A replacement replays without the others' word that they leave it alone. */
    ACKS_NOT_AWAITED,
    /** A rank that has restored its state goes on without waiting for the others. */
    GO_AT_ONCE,
    /** Logs live on when all ranks go back. */
    LOGS_SURVIVE,
    /** A replacement does not know what barrier signals its predecessor sent. */
    SIGNALS_FORGOTTEN,
    /** Logs are trimmed for a demand checkpoint before its parity is complete. */
    DEMAND_TRIM_EARLY,
    /** The image of a demand checkpoint claims to include one epoch more of each source than was closed. */
    IMAGE_CLAIMS_TOO_MUCH,
    /** Sources go on with atomic updates while a demand checkpoint copies. */
    UPDATES_NOT_HELD,
    /** What a demand checkpoint includes of others' puts is read after its copy. */
    F_READ_LATE,
    /** What a demand checkpoint includes of others' puts is read once, of each source at another moment. */
    F_READ_ONCE,
    /** Demand checkpoints are taken and count while a coordinated one is under way. */
    DEMAND_BESIDE_CUT,
    /** A rank is rebuilt from a parity that its demand checkpoint has half changed. */
    HALF_PARITY_USED,
    /** A rank releases a lock whoever has it. */
    LOCK_RELEASED_BLINDLY,
    /** A rank that shows no sign of life is replaced before it is dead. */
    REPLACED_ALIVE,
    /** An image that is being written to disk may be overwritten by a later one. */
    FLUSH_SLOT_NOT_KEPT,
    /** A generation on disk is named when the first image of it is written. */
    FLUSH_NAMED_EARLY,
    /** Who is cut off is not accessed any more, but what it had sent still lands. */
    REVOKE_ONE_WAY,
    /** A loss is confirmed before what the lost process had sent is kept out. */
    ACK_BEFORE_REVOKE,
    /** When the next process of a member is let in, what the one before it had sent is let in, too. */
    OLD_INCARNATION_ACCEPTED,
    /** Ranks that were lost are recovered side by side whatever they did at each other. */
    PAIR_FORGOTTEN,
    /** A rank says that it has left others alone whatever it did there since the last cut. */
    RENOUNCED_TOO_EARLY,
    /** The buddy of a rank may be on the rank's own host. */
    BUDDY_ON_SAME_HOST,
    /** A message leaves before the events that it may depend on are stable. */
    SEND_BEFORE_STABLE,
    /** A synchronous sender is told that it was received before the event of that is stable. */
    CONTROL_NOT_GATED,
    /** Which source a receive of any source has taken a message of is no event. */
    MATCH_NOT_LOGGED,
    /** A receive of any source becomes an event when it is complete, not when it is matched. */
    EVENT_AT_COMPLETION,
    /** Calls that told of nothing are no event when something leaves the rank. */
    STREAK_NOT_FLUSHED,
    /** A replay tells what there is where its predecessor was told of nothing. */
    FAILED_TEST_FREE,
    /** Images do not have the send log. */
    LOG_NOT_IN_IMAGE,
    /** An event logger that was replaced counts as whole without the events. */
    LOGGER_NOT_REFILLED,
    /** Senders drop what an image has that was only copied. */
    RELEASE_AT_COPY;

    /** Those that are changes of sources. */
    static Set<String> patched(Set<ProtocolBug> bugs) {
        return bugs.stream().map(Enum::name).filter(ProtocolBugs.names()::contains).collect(Collectors.toSet());
    }

    /** All others. */
    static Set<ProtocolBug> others(Set<ProtocolBug> bugs) {
        return bugs.stream().filter(bug -> !ProtocolBugs.names().contains(bug.name())).collect(Collectors.toSet());
    }
}
