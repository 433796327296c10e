package org.ftrma.core.session;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.ftrma.core.control.ControlMessage;

/**
 * Exchanges of a view among all members, the computing ranks, or some of them. With each of them the coordinator
 * compares the calls that all ranks must make alike. Data thread only.
 */
public final class Exchanges {
    private static final long[] ALL = {};
    private static final int MAX_CALLS = 50_000;

    private final Inbox inbox;
    private final Waiter waiter;
    private final RecoveringRanks away;
    private final OpenedPeers opened;
    private final int member;
    private final int[] sequences = new int[ControlMessage.Scope.values().length];
    /** Calls that the coordinator was not told of yet, a line each; of what is too much, the number and a digest. */
    private final StringBuilder calls = new StringBuilder();
    private int more;
    private int digest;

    Exchanges(Inbox inbox, Waiter waiter, RecoveringRanks away, OpenedPeers opened, int member) {
        this.inbox = inbox;
        this.waiter = waiter;
        this.away = away;
        this.opened = opened;
        this.member = member;
    }

    void enterView() {
        Arrays.fill(sequences, 0);
        takeCalls();
    }

    /**
     * The program has made a call that all ranks must make alike, in the same order: the coordinator compares it, with
     * the next exchange at the latest.
     */
    public void recordCall(String call) {
        if (calls.length() + call.length() > MAX_CALLS) {
            more++;
            digest = 31 * digest + call.hashCode();
        } else {
            calls.append(call.replace('\n', ' ')).append('\n');
        }
    }

    private String takeCalls() {
        String taken = more == 0 ? calls.toString() : calls + "" + more + " more, of digest "
            + Integer.toHexString(digest) + "\n";
        calls.setLength(0);
        more = 0;
        digest = 0;
        return taken;
    }

    /**
     * All members in scope contribute a blob; when this returns, all have, and each can ask for that of any other.
     * Called in the same order by all.
     */
    public Contributions of(ControlMessage.Scope scope, byte[] blob) {
        return of(scope, blob, () -> false);
    }

    /** As above; while it waits, calls {@code meanwhile} as long as that is true. */
    public Contributions of(ControlMessage.Scope scope, byte[] blob, BooleanSupplier meanwhile) {
        int sequence = sequences[scope.ordinal()]++;
        return contribute(new ControlMessage.Exchange(inbox.view(), scope.ordinal(), sequence, ALL, blob, takeCalls()),
            scope == ControlMessage.Scope.ALL ? "an exchange of all members" : "an exchange of the computing ranks",
            meanwhile, member);
    }

    /**
     * The same among some ranks, which ask for each other by their places.
     *
     * @param scope with the sequence, what tells it apart from other exchanges of the view; from
     *     {@link ControlMessage.Scope#AMONG} on
     */
    public Contributions among(int[] members, int scope, int sequence, byte[] blob) {
        int place = IntStream.range(0, members.length).filter(i -> members[i] == member).findFirst().orElseThrow();
        return contribute(new ControlMessage.Exchange(inbox.view(), scope, sequence,
            IntStream.of(members).asLongStream().toArray(), blob, takeCalls()),
            "an exchange of " + members.length + " ranks", () -> false, place);
    }

    private Contributions contribute(ControlMessage.Exchange own, String what, BooleanSupplier meanwhile, int place) {
        inbox.send(own);
        waiter.await(Long.MAX_VALUE, what, () -> inbox.exchanges().takeComplete(own.scope(), own.sequence()),
            meanwhile);
        return new Contributions(inbox, waiter, away, opened, own, place);
    }

    private void reportReady() {
        inbox.send(new ControlMessage.Restored(inbox.view(), takeCalls()));
        inbox.ready();
    }

    /** Tells the coordinator that this member is ready to run, and waits for nobody. */
    public void goAtOnce() {
        reportReady();
        inbox.runs();
    }

    /**
     * Tells the coordinator that this member is ready to run, and waits, without a deadline of its own (the coordinator
     * has one), until that says that all run.
     */
    public void awaitGo() {
        reportReady();
        waiter.await("the start of the view", inbox::go);
        inbox.runs();
    }
}
