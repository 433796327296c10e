package org.ftrma.core.session;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.ftrma.core.control.ControlMessage;

/** What a member contributes to the exchanges of a view, and how it waits for the others. Data thread only. */
final class Exchanges {
    private static final long[] ALL = {};
    private final Session session;
    private final int[] sequences = new int[ControlMessage.Scope.values().length];

    Exchanges(Session session) {
        this.session = session;
    }

    void enterView() {
        Arrays.fill(sequences, 0);
    }

    /** Of all in scope, in the same order at each. */
    Contributions of(ControlMessage.Scope scope, byte[] blob, String done, BooleanSupplier meanwhile) {
        int sequence = sequences[scope.ordinal()]++;
        contribute(new ControlMessage.Exchange(session.inbox.view(), scope.ordinal(), sequence, ALL, blob, done),
            scope == ControlMessage.Scope.ALL ? "an exchange of all members" : "an exchange of the computing ranks",
            meanwhile);
        return new Contributions(session, scope.ordinal(), sequence, session.member, blob);
    }

    /** Of these ranks. */
    Contributions among(int[] members, int scope, int sequence, byte[] blob, String done) {
        contribute(new ControlMessage.Exchange(session.inbox.view(), scope, sequence,
            IntStream.of(members).asLongStream().toArray(), blob, done), "an exchange of " + members.length + " ranks",
            () -> false);
        int place = IntStream.range(0, members.length).filter(i -> members[i] == session.member).findFirst()
            .orElseThrow();
        return new Contributions(session, scope, sequence, place, blob);
    }

    private void contribute(ControlMessage.Exchange own, String what, BooleanSupplier meanwhile) {
        session.inbox.send(own);
        session.waiter.timeoutNanos(Long.MAX_VALUE);
        session.waiter.beginAsleep(what);
        while (!session.inbox.exchanges().takeComplete(own.scope(), own.sequence())) {
            session.fabric.progress();
            if (meanwhile.getAsBoolean()) {
                session.inbox.drainIfReady();
                session.waiter.timeoutNanos(Long.MAX_VALUE);
                session.waiter.beginAsleep(what);
            } else {
                session.waiter.turn();
            }
        }
        session.waiter.timeoutNanos(session.options.deadlineNanos());
    }
}
