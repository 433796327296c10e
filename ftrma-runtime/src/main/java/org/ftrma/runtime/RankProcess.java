package org.ftrma.runtime;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.Program;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.counter.StateCounters;
import org.ftrma.core.parity.ChecksumRank;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.event.EventKeeper;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.logging.ChecksumLogKeeper;
import org.ftrma.spi.Clock;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.CounterStore;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.Holes;
import org.ftrma.spi.ImageStore;
import org.ftrma.spi.MemoryShare;
import org.ftrma.spi.Unwind;

/**
 * The protocol's side of one process of a job, from joining to the end. All calls from one thread, the data thread; one
 * process plays one member.
 */
public final class RankProcess {
    private static final int MAX_MESSAGE = 16_000;

    /**
     * Opens the fabric when the process is assigned to a member; before, a spare holds no more than memory that it may
     * need.
     */
    @FunctionalInterface
    public interface FabricFactory {
        /** Opens a fabric for the member; forceNetwork as in the options. */
        Fabric open(int member, JobOptions options);

        /**
         * This process has no role yet; when it gets one it may have to expose such regions at once.
         *
         * @param regions their sizes in bytes
         * @param ofLast the holes of the last one
         * @param log of its accesses, which comes besides
         */
        default void provision(JobOptions jobOptions, long[] regions, Holes ofLast, LogMemory log) { }
    }

    /** What a process plays. */
    public enum Role {
        /** A computing rank. */
        COMPUTING,
        /** A checksum rank. */
        CHECKSUM,
        /** Nothing: the job ended before this process was needed. */
        NONE
    }

    private interface View {
        void run() throws Exception;
    }

    private final ControlPlane control;
    private final Clock clock;
    private final FabricFactory fabrics;
    private final Function<Session, List<RecoveryProtocol>> further;
    private final Inbox inbox;
    private JobOptions options;
    private ImageStore store = ImageStore.NONE;
    private MemoryShare share = MemoryShare.ALL;
    private long assignedNanos;

    /**
     * A process that has joined by {@code control}.
     *
     * @param counters where it keeps what state it is in
     */
    public RankProcess(ControlPlane control, Clock clock, FabricFactory fabrics, CounterStore counters) {
        this(control, clock, fabrics, counters, session -> List.of());
    }

    /**
     * As above.
     *
     * @param further makes what the job makes recoverable besides the accesses of its windows and its messages, the
     *     same at all ranks
     */
    public RankProcess(ControlPlane control, Clock clock, FabricFactory fabrics, CounterStore counters,
        Function<Session, List<RecoveryProtocol>> further) {
        this.control = control;
        this.clock = clock;
        this.fabrics = fabrics;
        this.further = further;
        this.inbox = new Inbox(control, new StateCounters(counters, clock));
    }

    /** Where this process's images are written to and read from; it will be closed. Before a role is played. */
    public RankProcess keepingImagesIn(ImageStore images) {
        store = images;
        return this;
    }

    /** Who takes memory of this process's host when the job begins. Before a role is played. */
    public RankProcess sharing(MemoryShare memory) {
        share = memory;
        return this;
    }

    /**
     * Waits until this process is assigned to a member (or the job ends).
     *
     * @return COMPUTING: call {@link #runProgram}; CHECKSUM: call {@link #runChecksum}; NONE: the job is over, leave
     */
    public Role awaitRole() {
        while (inbox.assignment() == null && !inbox.ended()) {
            inbox.receive();
            ControlMessage.Provision provision = inbox.provisions().take();
            if (provision != null && inbox.assignment() == null && !inbox.ended()) {
                JobOptions ofJob = JobOptions.of(provision.options());
                fabrics.provision(ofJob, provision.computing(), Holes.of(provision.imageHoles()),
                    LogMemory.of(ofJob, LongStream.of(provision.computing()).sum()));
            }
            if (inbox.assignment() == null && !inbox.ended()) {
                clock.relax(Clock.IDLE);
            }
        }
        if (inbox.ended()) {
            return Role.NONE;
        }
        assignedNanos = clock.nanoTime();
        options = JobOptions.of(inbox.assignment().options());
        return inbox.assignment().member() < options.ranks() ? Role.COMPUTING : Role.CHECKSUM;
    }

    /** The clock of this process. */
    public Clock clock() {
        return clock;
    }

    /** The job's options, once a role was assigned. */
    public JobOptions options() {
        return options;
    }

    /** The member this process plays, once a role was assigned. */
    public int member() {
        return inbox.assignment().member();
    }

    /**
     * Plays a computing rank until the whole job is done. The program's exceptions are reported to the coordinator and
     * thrown on.
     */
    public void runProgram(Program program) {
        play((session, arena) -> {
            JobImpl job = new JobImpl(session, inbox.assignment().incarnation(), further, arena);
            return () -> {
                job.enter();
                try {
                    program.run(job);
                    job.leave();
                } finally {
                    job.left();
                }
                inbox.send(new ControlMessage.Finished(inbox.view(), job.step(), job.called()));
                awaitEnd(session); // M26
            };
        });
    }

    /**
     * The program has thrown after {@link #runProgram} had returned: nobody in the job waits for that, but whoever
     * started it is told.
     */
    public void failedAfterEnd(Throwable e) {
        inbox.send(new ControlMessage.Failed(inbox.view(), false, describe(e)));
    }

    /**
     * The program has failed before it called for {@link #runProgram}, as every process that plays a rank of it would:
     * that ends the job. Another thread may call this if the data thread does nothing more.
     *
     * @param why for people
     */
    public void failedBeforeRun(String why) {
        inbox.send(new ControlMessage.Failed(inbox.view(), false, why));
    }

    /** Plays a checksum rank until the whole job is done. */
    public void runChecksum() {
        play((session, arena) -> {
            ChecksumRank rank = new ChecksumRank(session,
                options.protocol().logsAtChecksum() ? new ChecksumLogKeeper()
                : options.protocol().logsMessages() ? new EventKeeper(options.areEventLoggersActive())
                : ChecksumRank.GroupService.NONE);
            return rank::serveView;
        });
    }

    private interface Player {
        View prepare(Session session, Arena arena);
    }

    private void play(Player player) {
        inbox.playedHere();
        try (Arena arena = Arena.ofShared(); Fabric fabric = fabrics.open(member(), options); ImageStore images =
            store) {
            Session session = new Session(fabric, clock, inbox, options, member(), images, share, assignedNanos);
            View view = player.prepare(session, arena);
            boolean done = false;
            while (!done) {
                done = runOneView(session, view);
            }
        } catch (RuntimeException | Error e) {
            if (inbox.ended()) {
                return;
            }
            boolean isSetup = e instanceof FtrmaException known && known.category() == FtrmaException.Category.SETUP;
            inbox.send(new ControlMessage.Failed(inbox.view(), isSetup, isSetup ? e.getMessage() : describe(e)));
            throw e;
        }
    }

    /** Returns whether the job is over. */
    private boolean runOneView(Session session, View view) {
        try {
            session.open();
            view.run();
            return true;
        } catch (RuntimeException | Error e) {
            if (leftForOwnReasons() && !isReprieved(session, e)) {
                throw e;
            }
        } catch (Exception e) {
            if (leftForOwnReasons() && !isReprieved(session, e)) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "the program threw " + e, e);
            }
        }
        return inbox.ended() || !inbox.viewChanged() && awaitNewView(session, inbox.loss()); // M13
    }

    /**
     * Whether nothing but the program made it throw. Else what the library threw first counts: a program may wrap that
     * in an exception of its own, or a finally block (an unlock) may fail on the way out. The library has given up
     * accesses before it threw; a program has not, and so the fabric must not be used any more then, only closed.
     */
    private boolean leftForOwnReasons() {
        return !inbox.ended() && !inbox.viewChanged() && inbox.loss() == null;
    }

    /**
     * The program has left by a wait that was in vain: the coordinator looks whom it waited for, and has all go back,
     * or ends the job. The others wait in vain, too, and for none of them the process may end before that.
     */
    private boolean isReprieved(Session session, Throwable e) {
        if (!(e instanceof DeadlineException) && !(e.getCause() instanceof DeadlineException)) {
            return false;
        }
        session.survivor.programLeft();
        inbox.giveUp();
        inbox.send(new ControlMessage.Expired(inbox.view(), describe(e)));
        try {
            session.waiter.awaitWord(new FtrmaException(FtrmaException.Category.FATAL, String.valueOf(e.getMessage())),
                () -> false);
        } catch (Unwind unwind) {
            return true;
        } catch (FtrmaException ended) {
            return false;
        }
        return false;
    }

    private boolean awaitNewView(Session session, PeerLostException why) {
        session.survivor.programLeft();
        try {
            session.waiter.awaitNewView(why);
        } catch (Unwind e) {
            return false;
        } catch (FtrmaException e) {
            if (!inbox.ended()) {
                e.addSuppressed(why);
                throw e;
            }
        }
        return true;
    }

    /** Keeps serving until the coordinator says that all are done: the images here may still be needed. */
    private void awaitEnd(Session session) {
        while (true) {
            inbox.receive();
            if (inbox.ended()) {
                return;
            }
            inbox.drain();
            session.idle.serveOrSleep();
        }
    }

    /** What was thrown and where, for people. */
    public static String describe(Throwable e) {
        StringBuilder text = new StringBuilder(e.toString());
        for (StackTraceElement element : e.getStackTrace()) {
            text.append("\n    at ").append(element);
            if (text.length() > MAX_MESSAGE) {
                break;
            }
        }
        for (Throwable cause = e.getCause(); cause != null && text.length() < MAX_MESSAGE; cause = cause.getCause()) {
            text.append("\n  caused by ").append(cause);
        }
        return text.toString();
    }
}
