package org.ftrma.rma.logging;

import java.util.List;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Session;

/**
 * The rules that the parts of the protocol keep at a rank. These are the rules as they must be; tests hand in others,
 * which break one, to show that it is found. Immutable; any thread.
 */
public class ProtocolParts {
    /** The parts as they must be. */
    public ProtocolParts() {
        // there is nothing to set
    }

    /** What the job makes recoverable besides the accesses of its windows, the same at all ranks. */
    public List<RecoveryProtocol> furtherProtocols(Session session) {
        return List.of();
    }
}
