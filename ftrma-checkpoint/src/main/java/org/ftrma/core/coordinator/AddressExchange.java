package org.ftrma.core.coordinator;

import org.ftrma.core.control.ControlMessage;

/**
 * Passes on the questions of members for addresses by which they may access each other's memory, and the answers.
 * Coordinator's thread.
 */
final class AddressExchange {
    private static final int MAX_ADDRESS_BYTES = 4096;
    private static final byte[] NOBODY = {};

    private final MemberTable members;
    private final JobState job;
    private final Outbox out;

    AddressExchange(MemberTable members, JobState job, Outbox out) {
        this.members = members;
        this.job = job;
        this.out = out;
    }

    /** A member asks for another one's memory. Where nobody plays that now, it is told so. */
    void ask(Member asker, ControlMessage.AskAddress m) {
        if (m.member() < 0 || m.member() >= members.size() || m.address().length > MAX_ADDRESS_BYTES) {
            out.note("dropped what " + members.name(asker.number) + " asked: member=" + m.member() + " addressBytes="
                + m.address().length);
            return;
        }
        Member owner = members.get(m.member());
        if (owner.state().isInView()) {
            out.send(owner, new ControlMessage.AddressWanted(job.view(), asker.number, asker.incarnation(),
                m.address()));
        } else {
            out.send(asker, new ControlMessage.AddressFor(job.view(), owner.number, NOBODY));
        }
    }

    /** A member lets in a process, which may be gone. */
    void give(Member owner, ControlMessage.AddressGiven m) {
        if (m.member() < 0 || m.member() >= members.size() || m.address().length > MAX_ADDRESS_BYTES) {
            out.note("dropped what " + members.name(owner.number) + " gave: member=" + m.member() + " addressBytes="
                + m.address().length);
            return;
        }
        Member asker = members.get(m.member());
        if (asker.state().isInView() && asker.incarnation() == m.incarnation()) {
            out.send(asker, new ControlMessage.AddressFor(job.view(), owner.number, m.address()));
        }
    }
}
