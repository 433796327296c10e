package org.ftrma.core.coordinator;

import java.util.List;
import org.ftrma.core.control.ControlMessage;

/**
 * Completes the exchanges of a view, and answers what members ask of them. Coordinator's thread.
 */
final class ExchangeHandler {
    private final ExchangeTable table;
    private final MemberTable members;
    private final JobState job;
    private final ViewStart viewStart;
    private final Contacts contacts;
    private final LocalRecoveries recoveries;
    private final Outbox out;

    ExchangeHandler(int ranks, MemberTable members, JobState job, ViewStart viewStart, Contacts contacts,
        LocalRecoveries recoveries, Outbox out) {
        this.table = new ExchangeTable(ranks, members.size());
        this.members = members;
        this.job = job;
        this.viewStart = viewStart;
        this.contacts = contacts;
        this.recoveries = recoveries;
        this.out = out;
    }

    /** A new view: nothing was contributed. */
    void clear() {
        table.clear();
    }

    /** A member contributes; once all have, they are told. */
    void contribute(Member member, ControlMessage.Exchange m, long now) {
        String refusal = table.refuse(member.number, m);
        if (refusal != null) {
            out.note("dropped an exchange of " + members.name(member.number) + ": " + refusal);
            return;
        }
        viewStart.contributed(member, m, now);
        if (table.contribute(member.number, m)) {
            viewStart.completed(m);
            // In a running view only this one, which has joined it, is not told yet.
            out.send(job.isRunning() ? List.of(member) : members.of(table.participants(m)),
                new ControlMessage.Exchanged(job.view(), m.scope(), m.sequence()));
        }
    }

    /** A member asks what others have contributed. */
    void answer(Member member, ControlMessage.Ask m) {
        byte[][] blobs = table.find(m);
        if (blobs == null) {
            out.note("dropped what " + members.name(member.number) + " asked: there is nothing to tell of " + m);
        } else {
            contacts.asks(member, m, recoveries.isOf(member));
            out.send(member, new ControlMessage.Answer(job.view(), m.scope(), m.sequence(), m.member(), blobs));
        }
    }

    /** Members missing in the exchanges that are under way, for messages. */
    String missing() {
        return table.missing();
    }
}
