package org.ftrma.runtime;

import org.ftrma.messaging.MessageRules;
import org.ftrma.rma.logging.ProtocolParts;

/** The rules of all parts of a job at a rank: those of messages, too. Immutable; any thread. */
public class JobParts extends ProtocolParts {
    /** The parts as they must be. */
    public JobParts() {
        // there is nothing to set
    }

    /** Of logged messages. */
    public MessageRules messageRules() {
        return new MessageRules();
    }
}
