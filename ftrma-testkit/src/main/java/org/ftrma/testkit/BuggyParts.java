package org.ftrma.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ftrma.core.checkpoint.CheckpointRules;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.MessageRules;
import org.ftrma.messaging.Messages;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.Coverage;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogParts;
import org.ftrma.rma.logging.LoggingRules;
import org.ftrma.runtime.JobParts;
import org.ftrma.rma.window.LockRules;

/** The parts of the protocol at a rank with some bugs in them. Immutable; any thread. */
final class BuggyParts extends JobParts {
    private final Set<ProtocolBug> bugs;
    private final Function<Session, List<RecoveryProtocol>> further;

    BuggyParts(Set<ProtocolBug> bugs, Function<Session, List<RecoveryProtocol>> further) {
        this.bugs = bugs;
        this.further = further;
    }

    @Override
    public List<RecoveryProtocol> furtherProtocols(Session session) {
        return further.apply(session);
    }

    @Override
    public MessageRules messageRules() {
        return new MessageRules() {
            @Override
            public void beforePush(Messages messages) {
                if (!bugs.contains(ProtocolBug.SEND_BEFORE_STABLE)) {
                    super.beforePush(messages);
                }
            }

            @Override
            public void beforeAnswer(Messages messages) {
                if (!bugs.contains(ProtocolBug.CONTROL_NOT_GATED)) {
                    super.beforeAnswer(messages);
                }
            }

            @Override
            public boolean isEvent(boolean isComplete) {
                return !bugs.contains(ProtocolBug.MATCH_NOT_LOGGED)
                    && (isComplete || !bugs.contains(ProtocolBug.EVENT_AT_COMPLETION));
            }

            @Override
            public boolean logsStreaks() {
                return !bugs.contains(ProtocolBug.STREAK_NOT_FLUSHED);
            }

            @Override
            public boolean forcesNothing() {
                return !bugs.contains(ProtocolBug.FAILED_TEST_FREE);
            }

            @Override
            public boolean refillsLoggers() {
                return !bugs.contains(ProtocolBug.LOGGER_NOT_REFILLED);
            }

            @Override
            public boolean logIsInImage() {
                return !bugs.contains(ProtocolBug.LOG_NOT_IN_IMAGE);
            }

            @Override
            public boolean covers(boolean isCommitted) {
                return isCommitted || bugs.contains(ProtocolBug.RELEASE_AT_COPY);
            }
        };
    }

    @Override
    public CheckpointRules checkpointRules() {
        return new CheckpointRules() {
            @Override
            public void completeAccesses(Runnable flushAll) {
                if (!bugs.contains(ProtocolBug.FORGET_FLUSH)) {
                    super.completeAccesses(flushAll);
                }
            }

            @Override
            public boolean othersHaveCopied(BooleanSupplier awaitResume) {
                return bugs.contains(ProtocolBug.SKIP_SECOND_BARRIER) || super.othersHaveCopied(awaitResume);
            }

            @Override
            public boolean agreesOnCuts() {
                return !bugs.contains(ProtocolBug.DECIDES_ALONE);
            }

            @Override
            public boolean keepsSlotOfWrittenImage() {
                return !bugs.contains(ProtocolBug.FLUSH_SLOT_NOT_KEPT);
            }
        };
    }

    @Override
    public LockRules lockRules() {
        return new LockRules() {
            @Override
            public boolean releases(boolean isNamed) {
                return bugs.contains(ProtocolBug.LOCK_RELEASED_BLINDLY) || super.releases(isNamed);
            }
        };
    }

    @Override
    public LogParts logParts() {
        return new BuggyLogParts(bugs);
    }

    @Override
    public LoggingRules loggingRules() {
        return new LoggingRules() {
            @Override
            public boolean emptiesLogsOfEarlierViews() {
                return !bugs.contains(ProtocolBug.LOGS_SURVIVE);
            }

            @Override
            public long lastEpochNotSentAgain(long closed) {
                return bugs.contains(ProtocolBug.REPLAY_TWICE) ? 0 : closed;
            }

            @Override
            public int buddyDistance(int apart) {
                return bugs.contains(ProtocolBug.BUDDY_ON_SAME_HOST) ? 1 : super.buddyDistance(apart);
            }

            @Override
            public boolean tellsLostCollectives() {
                return !bugs.contains(ProtocolBug.LOST_COLLECTIVES_FORGOTTEN);
            }

            @Override
            public boolean rebuildsLocks() {
                return !bugs.contains(ProtocolBug.LOCK_NOT_REBUILT);
            }

            @Override
            public LogMarks trimmedTo(LogMarks atImage, AccessLog log) {
                return bugs.contains(ProtocolBug.TRIM_TOO_LATE) ? log.marks() : atImage;
            }

            @Override
            public boolean isLeftAlone(boolean isIdle) {
                return bugs.contains(ProtocolBug.RENOUNCED_TOO_EARLY) || super.isLeftAlone(isIdle);
            }

            @Override
            public boolean holdsUpdates() {
                return !bugs.contains(ProtocolBug.UPDATES_NOT_HELD);
            }

            @Override
            public Coverage claimed(Coverage read) {
                if (bugs.contains(ProtocolBug.IMAGE_CLAIMS_TOO_MUCH)) {
                    Arrays.setAll(read.closed(), rank -> read.closed()[rank] + 1);
                }
                return read;
            }

            @Override
            public Coverage covered(Coverage beforeCopy, Supplier<Coverage> afterCopy) {
                return bugs.contains(ProtocolBug.F_READ_LATE) ? afterCopy.get() : beforeCopy;
            }
        };
    }
}
