package org.ftrma.core.session;

import java.util.HashSet;
import java.util.Set;
import org.ftrma.core.control.ControlMessage;

/** Exchanges of one view: which are complete, and what one member has asked of them. Data thread only. */
final class ExchangeMailbox {
    /** Complete, and not seen yet by who waits for it. */
    private final Set<Long> complete = new HashSet<>();
    /** What was asked last, or null; and the answer, once it is here. */
    private ControlMessage.Ask asked;
    private byte[][] answer;

    private static long key(int scope, int sequence) {
        return (long) scope << 32 | sequence;
    }

    void told(ControlMessage.Exchanged m) {
        complete.add(key(m.scope(), m.sequence()));
    }

    /** What nobody waits for any more is dropped. */
    void told(ControlMessage.Answer m) {
        if (asked != null && asked.scope() == m.scope() && asked.sequence() == m.sequence()
            && asked.member() == m.member()) {
            answer = m.blobs();
        }
    }

    /** Whether all have contributed to an exchange; says so once. */
    boolean takeComplete(int scope, int sequence) {
        return complete.remove(key(scope, sequence));
    }

    /** This was asked, in place of what was asked before. */
    void asked(ControlMessage.Ask question) {
        asked = question;
        answer = null;
    }

    boolean hasAnswer() {
        return answer != null;
    }

    /** The answer to what was asked last, once; null if it is not here yet. */
    byte[][] takeAnswer() {
        byte[][] taken = answer;
        answer = null;
        return taken;
    }
}
