package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.LongSupplier;
import org.ftrma.Channel;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.receive.MessageRecovery;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.options.JobOptions;

/**
 * Messages of one rank over all views of a job: opens its channels, and hands on what happens to the job. It has no
 * memory for messages until the program asks for the first channel. Data thread only.
 */
public final class MessageEngine implements RecoveryProtocol {
    private final Session session;
    private final Arena arena;
    private final LongSupplier step;
    private final JobOptions options;
    private final MessageProtocols.Choice choice;
    /** The steps of the protocol; of none until there is a channel. */
    private MessageRecovery recovery = MessageRecovery.NONE;
    /** Null until the program asks for the first one. */
    private Channels channels;
    /** The channel of all ranks in this view; null: the program has not asked for it, or was left. */
    private Channel world;

    /** Messages of a rank that has no channel yet; {@code step} is the step that the program is in. */
    public MessageEngine(Session session, Arena arena, LongSupplier step) {
        this.session = session;
        this.arena = arena;
        this.step = step;
        this.options = session.options;
        this.choice = MessageProtocols.of(options.protocol());
    }

    /** The channel of all ranks; exchanges keys when it is asked for first in a view. */
    public Channel world() {
        session.inbox.checkThread();
        if (world != null) {
            return world;
        }
        session.phase.requireAllocation("messages", "of all ranks");
        if (options.protocol().hasLogs()) {
            throw new MisuseException("messages: --protocol " + options.protocol()
                + " logs accesses, and no messages: use --protocol coordinated, which has windows and messages, or"
                + " pessimistic-v (messages alone) or none");
        }
        session.did("messages");
        if (channels == null) {
            channels = expose();
            recovery = channels.protocol();
        }
        world = channels.open();
        return world;
    }

    private Channels expose() {
        try {
            MessagingContext context = new MessagingContext(session, arena, step);
            return new Channels(context, choice.create().apply(context));
        } catch (FtrmaException e) {
            throw new FtrmaException(e.category(), "messages: " + session.ranks + " lanes of " + options.laneBytes()
                + " bytes (--lane) and " + choice.memory().apply(options) + ": " + e.getMessage(), e);
        }
    }

    /** Bytes that messages may take, besides those of images. */
    public long bytes() {
        return FrameDescriptor.inboxBytes(session.ranks, options.laneBytes()) + options.unexpectedBytes()
            + choice.bytes().applyAsLong(options);
    }

    /** Messages in images, if there are any. */
    public List<CheckpointedState> inTransit() {
        return channels == null ? List.of() : List.of(channels.protocol().parts().state());
    }

    /** Why no image can be taken now; empty: one can. */
    public String obstacle() {
        return channels == null ? "" : channels.obstacle();
    }

    /** What checkpoints of this rank alone go through; null: there are none. */
    public UpdateGate gate() {
        return options.protocol().logsMessages() ? new DeferredUpdateGate(() -> channels.protocol().updates()) : null;
    }

    /** Something leaves the rank that is no message: what it may depend on is stable before. */
    public void release() {
        channels.protocol().parts().gate().beforeReport();
    }

    /** A value that the program cannot determine again. */
    public long nondeterministic(LongSupplier supplier) {
        return channels.calls().nondeterministic(supplier);
    }

    /** The program's collectives, for the coordinator, which compares them in the end. */
    public String called() {
        return channels == null ? "" : channels.called();
    }

    /** The end of a step, or of the program: no request may be open. */
    public void checkNoneOpen(String where) {
        if (channels != null) {
            channels.held().checkNoneOpen(where);
        }
    }

    /**
     * The program was left, perhaps in the middle of a receive whose destination it has freed on its way out: what
     * comes from now on stays in the lanes.
     */
    public void left() {
        world = null;
        if (channels != null) {
            channels.leave();
        }
    }

    /**
     * This rank waits for the coordinator, or has returned: what others need of it goes on its way. Returns whether
     * there is more to do.
     */
    public boolean serve() {
        return channels != null && channels.progress().serve();
    }

    @Override
    public void enterView() {
        left();
        if (channels != null) {
            channels.enterView();
        }
    }

    @Override
    public void restored() {
        recovery.restored();
    }

    @Override
    public void start(long from) {
        recovery.start(from);
    }

    @Override
    public boolean mayNeedCut() {
        return false;
    }

    @Override
    public boolean needsCut() {
        if (world != null) {
            recovery.settle();
            recovery.goLiveIfCaughtUp();
        }
        return false;
    }

    @Override
    public void beforeCopy() {
        if (world != null) {
            recovery.beforeCopy();
        }
    }

    @Override
    public void beforeDemandCopy() {
        recovery.beforeDemandCopy();
    }

    @Override
    public void copied(long generation) {
        recovery.copied(generation);
    }

    @Override
    public boolean replaying() {
        return recovery.replaying();
    }

    @Override
    public void finish() {
        recovery.finish();
        if (world != null) {
            channels.awaitSent();
        }
    }

    @Override
    public void report(Reports reports) {
        recovery.report(reports::add);
    }

    @Override
    public void progress() {
        if (world != null) {
            channels.progress().run();
        }
    }
}
