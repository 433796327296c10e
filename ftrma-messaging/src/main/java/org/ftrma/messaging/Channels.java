package org.ftrma.messaging;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.Channel;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.messaging.collective.BlockingCollectives;
import org.ftrma.messaging.collective.CollectiveCounts;
import org.ftrma.messaging.collective.CollectiveSequence;
import org.ftrma.messaging.collective.DirectCollectives;
import org.ftrma.messaging.collective.OpenCollectives;
import org.ftrma.messaging.collective.SplitExchange;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.HeldRequests;
import org.ftrma.messaging.protocol.MessageProtocol;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.receive.MessageDeterminants;
import org.ftrma.messaging.receive.MessageProgress;
import org.ftrma.messaging.receive.MessageWaiter;
import org.ftrma.messaging.receive.NondeterministicCalls;
import org.ftrma.messaging.receive.PointToPoint;
import org.ftrma.messaging.receive.Receiver;
import org.ftrma.messaging.receive.RequestCompletion;
import org.ftrma.messaging.receive.RequestTable;
import org.ftrma.messaging.send.PatientSender;
import org.ftrma.messaging.send.Sender;

/**
 * Channels of a rank, and what carries their messages: made when the program asks for the first channel, and kept for
 * all views. Data thread only.
 */
final class Channels implements ChannelSplitter {
    private final Session session;
    private final Inbox inbox;
    private final MessagingContext context;
    private final MessageProtocol protocol;
    private final Sender sender;
    private final Receiver receiver;
    private final CollectiveCounts counts;
    private final SplitExchange splits;
    private final RequestTable requests;
    private final OpenCollectives collectives;
    private final MessageProgress progress;
    private final MessageWaiter waiter;
    private final NondeterministicCalls calls;
    private final HeldRequests held;
    private final ChannelParts parts;
    /** The next number of a channel's messages that is free; the one after it is for its collectives. */
    private int nextContext;

    Channels(MessagingContext context, MessageProtocol protocol) {
        this.session = context.session();
        this.context = context;
        this.protocol = protocol;
        MessageProtocol.Parts chosen = protocol.parts();
        this.sender = chosen.sender();
        this.receiver = chosen.receiver();
        this.counts = context.counts();
        this.splits = chosen.splits();
        this.requests = new RequestTable(sender, receiver);
        this.collectives = new OpenCollectives(requests, context::allocate);
        this.inbox = context.inbox();
        Waiter turns = context.waiter();
        MessageDeterminants determinants = chosen.determinants();
        this.progress = new MessageProgress(inbox, turns, context.fabric(), session.paths, protocol, sender, receiver,
            collectives);
        this.waiter = new MessageWaiter(inbox, turns, session.member, session.ranks, protocol, determinants, sender,
            receiver, progress);
        this.calls = new NondeterministicCalls(turns, context.fabric(), context.clock(),
            context.options().deadlineNanos(), session.member, determinants, receiver, progress, waiter);
        RequestCompletion completion = new RequestCompletion(determinants, calls, progress, waiter);
        this.held = new HeldRequests(completion);
        PointToPoint messages = new PointToPoint(new PatientSender(turns, sender), progress, waiter, requests, receiver,
            context::allocate);
        this.parts = new ChannelParts(inbox, session.phase, messages, calls, completion, held, determinants,
            sender.mostBytes());
        turns.meanwhile(progress::drain);
    }

    /** Opens the channel of all ranks in a view: nothing was sent there yet. */
    Channel open() {
        receiver.clear();
        sender.clear();
        protocol.enterView();
        inbox.place("in messages()");
        context.peers().exchange(context.lanesKey(), protocol.parts().pieces().key());
        nextContext = 0;
        counts.clear();
        Channel world = channel(IntStream.range(0, session.ranks).toArray(), takeContext());
        progress.open();
        return world;
    }

    private int takeContext() {
        nextContext += 2;
        return nextContext - 2;
    }

    private ChannelImpl channel(int[] ranks, int number) {
        ChannelMembers members = new ChannelMembers(ranks, number, session.member, session.ranks);
        CollectiveSequence sequence = new CollectiveSequence(members, context.contexts());
        counts.add(sequence);
        return new ChannelImpl(parts, members, new BlockingCollectives(parts.messages(), members, sequence),
            new DirectCollectives(parts.messages(), collectives, held, members, sequence), this);
    }

    @Override
    public Channel split(ChannelMembers channel, BlockingCollectives blocking, int split, int color, int key) {
        long[][] said = splits.exchange(channel, blocking, split, new long[] {color, key, nextContext});
        List<Integer> same = new ArrayList<>();
        for (int number = 0; number < said.length; number++) {
            nextContext = Math.max(nextContext, (int) said[number][2]);
            if (said[number][0] == color) {
                same.add(number);
            }
        }
        int taken = takeContext();
        if (color < 0) {
            return null;
        }
        same.sort(Comparator.comparingLong((Integer number) -> said[number][1]).thenComparingInt(number -> number));
        return channel(same.stream().mapToInt(channel::member).toArray(), taken);
    }

    /** The program was left: see {@link MessageEngine#left}. */
    void leave() {
        progress.close();
    }

    /** The program is about to be entered in a new view. */
    void enterView() {
        progress.enterView();
        requests.clear();
        held.clear();
        collectives.clear();
    }

    /** Why no image can be taken now; empty: one can. */
    String obstacle() {
        if (!counts.fitImage()) {
            return "there are more than " + CollectiveCounts.MOST_CHANNELS + " channels";
        }
        if (progress.isOpen() && (sender.lacksRoom() || receiver.isAnyHalf())) {
            progress.run();
            if (sender.lacksRoom() || receiver.isAnyHalf()) {
                return "a message is half way whose " + (sender.lacksRoom() ? "send" : "receive")
                    + " ended at the deadline";
            }
        }
        return protocol.obstacle();
    }

    /** Waits until what counts as sent is with its targets. */
    void awaitSent() {
        if (progress.isOpen()) {
            waiter.awaitSent();
        }
    }

    MessageProtocol protocol() {
        return protocol;
    }

    MessageProgress progress() {
        return progress;
    }

    NondeterministicCalls calls() {
        return calls;
    }

    HeldRequests held() {
        return held;
    }

    /** The calls that the coordinator compares when the program has returned. */
    String called() {
        return counts.called();
    }
}
