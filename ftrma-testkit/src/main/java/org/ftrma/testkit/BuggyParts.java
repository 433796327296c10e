package org.ftrma.testkit;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.MessageRules;
import org.ftrma.messaging.Messages;
import org.ftrma.runtime.JobParts;

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
}
