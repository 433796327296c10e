package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.ftrma.options.Units;
import org.ftrma.rank.control.RunningClock;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;

/**
 * The work of the agent of one host, at that host: it carries out what the job asks, tells what happens, and shows that
 * it lives. What it has started stands still while the job has not answered for too long, since the job may go on
 * without this host then. When the job is over, has closed the connection, or has not answered for much longer, it
 * kills what it has started and leaves nothing behind. One thread, whose end is the end of the processes that it has
 * started.
 */
public final class AgentLoop {
    /** Output that the job has not printed yet; then the programs wait. */
    static final long MOST_UNPRINTED_BYTES = 1 << 20;
    /** A line is sent in pieces of so many bytes at most. */
    static final int PIECE_BYTES = 64 << 10;
    /** The job gives a host up a little later than what that runs stands still: all clocks run alike, nearly. */
    private static final double LEASE_SHARE = 0.8;
    /** A launcher may be stopped for long, and one whose host is gone will never close the connection. */
    private static final int TIMEOUTS_TO_KILL = 20;
    /** A host that its peers do not reach either is lost when it was silent for so long. */
    private static final long MISSED_NANOS = 5_000_000_000L;
    private static final int BEATS_OF_MISSED = 5;
    /** What a process counts is told so often, and in a large job less often: 100 times a second in all of it. */
    private static final long COUNTERS_NANOS = 1_000_000_000L;
    private static final long COUNTERS_OF_ONE_NANOS = 10_000_000L;
    /** So long an agent waits to be told of its job. */
    private static final long WAIT_NANOS = 1_800_000_000_000L;
    /** For the kernel to take the memory of all processes apart. */
    private static final long KILL_NANOS = 60_000_000_000L;
    private static final long OUTPUT_SLICE_NANOS = 20_000_000L;
    private static final long KILL_SLICE_NANOS = 100_000_000L;
    private static final long MOST_SLEEP_NANOS = 50_000_000L;

    /** As a shell tells of a process that was killed. */
    private static final int CRASHED = 137;

    /** How the agent's work ended. */
    public enum End {
        /** The job was over. */
        DONE,
        /** The connection to the job broke. */
        LINK_LOST,
        /** The job could not be heard for much longer than after which it takes this host for lost. */
        LEASE_ENDED,
        /** The job does not want it. */
        REFUSED
    }

    private final AgentLink link;
    private final HostAgent local;
    private final Function<AgentMessage.Open, HostJob> job;
    /** That of this process: time in which it was stopped does not shorten a lease. */
    private final LongSupplier clock;
    private long beatNanos;
    private long missedNanos;
    private long leaseNanos;
    private long killNanos;
    private final Semaphore wake = new Semaphore(0);
    private final Semaphore unprinted = new Semaphore((int) MOST_UNPRINTED_BYTES);
    private final StringBuilder program = new StringBuilder();
    private final Map<Integer, Long> pids = new HashMap<>();
    private final StuckConnections connections = new StuckConnections(Path.of("/proc"));
    private long lastBeatNanos;
    private long lastCountersNanos;
    private long countersNanos;
    private long leaseEndsNanos;
    private boolean isOpen;
    private boolean isLeased;
    /** Whether what runs here stands still, since the job was not heard. */
    private boolean isHalted;
    private volatile boolean isOver;
    private End end;
    private String refusal;

    /**
     * Not yet at work.
     *
     * @param local does what is asked
     * @param token the job's secret, which this agent has
     * @param hostTimeoutNanos so long after it was heard last the job takes this host for lost, as far as is known
     *     before it tells that itself
     */
    public AgentLoop(AgentLink link, HostAgent local, Token token, long hostTimeoutNanos) {
        this(link, local, token, hostTimeoutNanos, RunningClock.HERE::nanoTime);
    }

    /** The same by another clock. */
    AgentLoop(AgentLink link, HostAgent local, Token token, long hostTimeoutNanos, LongSupplier clock) {
        this.link = link;
        this.local = local;
        this.clock = clock;
        this.job = open -> new HostJob(open.address(), open.port(), token, open.joinMillis(), open.options(),
            open.jvm(), open.places());
        timeOut(hostTimeoutNanos);
    }

    private void timeOut(long hostTimeoutNanos) {
        missedNanos = missedNanos(hostTimeoutNanos);
        beatNanos = beatNanos(hostTimeoutNanos);
        leaseNanos = (long) (hostTimeoutNanos * LEASE_SHARE);
        killNanos = hostTimeoutNanos * TIMEOUTS_TO_KILL;
    }

    /** So long a host is silent that is lost, where its peers do not reach it either. */
    static long missedNanos(long hostTimeoutNanos) {
        return Math.min(hostTimeoutNanos, MISSED_NANOS);
    }

    /** How often an agent shows that it lives. */
    public static long beatNanos(long hostTimeoutNanos) {
        return missedNanos(hostTimeoutNanos) / BEATS_OF_MISSED;
    }

    /** Why the job does not want this host, for people, where the end was {@link End#REFUSED}. After {@link #run}. */
    public String refusal() {
        return refusal;
    }

    /** Tells the job that this host is to be left, for a reason. Any thread. */
    public void leave(String why) {
        local.isTold();
        say(new AgentMessage.Leaving(why));
    }

    /** Works until the end; then nothing of the job is left on this host. Once. */
    public End run(HostFacts facts) {
        say(new AgentMessage.Facts(facts));
        link.whenHeard(wake::release);
        long now = clock.getAsLong();
        leaseEndsNanos = now + WAIT_NANOS; // nothing runs here yet, and other hosts may take long to come
        lastBeatNanos = now - beatNanos;
        try {
            while (end == null) {
                turn();
            }
        } finally {
            isOver = true;
            unprinted.release((int) MOST_UNPRINTED_BYTES); // who waits to print need not wait any more
            local.killAll(KILL_NANOS);
            local.close();
            link.close();
        }
        return end;
    }

    private void turn() {
        long now = clock.getAsLong();
        beat(now);
        tellCounters(now);
        receive();
        local.poll(clock.getAsLong());
        if (end == null) {
            keepLease(clock.getAsLong());
        }
        if (end == null) {
            sleep(Math.min(Math.min(MOST_SLEEP_NANOS, beatNanos), local.nextNanos(clock.getAsLong())));
        }
    }

    /**
     * What runs here may go on as long as the job is heard: it may have gone on without this host, and nothing may be
     * done twice that others see, such as in files. Memory of other hosts is safe without that: who lives there has
     * closed its connections before the job goes on. It is not killed yet: the launcher itself may have been stopped,
     * and all hosts with it.
     */
    private void keepLease(long now) {
        long late = now - leaseEndsNanos;
        if (!isLeased) {
            end = late > 0 ? End.LEASE_ENDED : null;
        } else if (late > killNanos) {
            end = End.LEASE_ENDED;
        } else if (late > 0 != isHalted) {
            isHalted = !isHalted;
            pids.keySet().forEach(process -> local.signal(process, isHalted ? HostAgent.Signal.STOP
                : HostAgent.Signal.CONTINUE));
            System.err.println("ftrma: the job " + (isHalted ? "was not heard for " + Units.time(leaseNanos)
                + ": what it runs here stands still until it is" : "is heard again: what it runs here goes on"));
        }
    }

    private void beat(long now) {
        if (now - lastBeatNanos >= beatNanos) {
            lastBeatNanos = now;
            say(new AgentMessage.Beat(now, local.room().availableBytes()));
            connections.look(pids.values(), 2 * beatNanos, now).forEach((address, nanos) -> {
                if (nanos >= missedNanos / 2) {
                    say(new AgentMessage.Stuck(address, nanos));
                }
            });
        }
    }

    private void tellCounters(long now) {
        if (isOpen && now - lastCountersNanos >= countersNanos) {
            lastCountersNanos = now;
            pids.keySet().forEach(this::tellCounters);
        }
    }

    private void tellCounters(int process) {
        byte[] counters = local.counters(process);
        if (counters != null) {
            say(new AgentMessage.Counted(process, counters));
        }
    }

    private void sleep(long nanos) {
        try {
            if (nanos > 0 && wake.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                wake.drainPermits();
            }
        } catch (InterruptedException e) {
            end = End.LINK_LOST;
            Thread.currentThread().interrupt();
        }
    }

    private void receive() {
        for (byte[] frame = link.poll(); frame != null && end == null; frame = link.poll()) {
            try {
                carryOut(AgentCodec.request(frame));
            } catch (AgentCodec.MalformedException e) {
                throw new IllegalStateException("the job sent a frame that is no request: " + e.getMessage(), e);
            }
        }
        if (end == null && link.whyOver() != null) {
            end = End.LINK_LOST;
        }
    }

    private void carryOut(AgentMessage.Request request) {
        switch (request) {
            case AgentMessage.Program next -> program.append(next.piece());
            case AgentMessage.Open open -> open(open);
            case AgentMessage.Probe probe -> say(SharedFile.answer(probe));
            case AgentMessage.Start start -> start(start.process());
            case AgentMessage.Send send -> local.signal(send.process(), send.signal());
            case AgentMessage.AskVitals ask ->
                say(new AgentMessage.Vitals(ask.process(), local.vitals(ask.process())));
            case AgentMessage.FinishOutput finish -> finishOutput(finish.timeoutNanos());
            case AgentMessage.KillAll kill -> killAll(kill.timeoutNanos());
            case AgentMessage.Close close -> end = End.DONE;
            case AgentMessage.Crash crash -> Runtime.getRuntime().halt(CRASHED);
            case AgentMessage.Refuse refuse -> {
                refusal = refuse.why();
                end = End.REFUSED;
            }
            case AgentMessage.Printed printed -> unprinted.release((int) printed.bytes());
            case AgentMessage.Echo echo -> echoed(echo.agentNanos());
        }
    }

    /** The job has this host under its eyes: from now on it is to be heard in time. */
    private void beginLease() {
        if (isOpen && !isLeased) {
            isLeased = true;
            leaseEndsNanos = clock.getAsLong() + leaseNanos;
        }
    }

    private void start(int process) {
        beginLease();
        local.start(process);
    }

    private void echoed(long agentNanos) {
        beginLease();
        leaseEndsNanos = Math.max(leaseEndsNanos, agentNanos + leaseNanos);
    }

    private void open(AgentMessage.Open open) {
        try {
            ClassPathDigest there = ClassPathDigest.parse(program.toString());
            List<ClassPathDigest.Difference> differences = there.differences(there.again());
            if (!differences.isEmpty()) {
                say(new AgentMessage.Opened("the program is not the one that the launcher has: "
                    + differences.getFirst() + (differences.size() > 1 ? ", and " + (differences.size() - 1)
                    + " more" : "") + "; all hosts need the same files in the same places"));
                return;
            }
            HostJob asked = job.apply(open);
            local.open(asked.with(asked.options().running(there)), new Teller(), new Sender(), wake::release);
            timeOut(open.hostTimeoutNanos());
            isOpen = true;
            countersNanos = Math.max(COUNTERS_NANOS, open.options().members() * COUNTERS_OF_ONE_NANOS);
            say(new AgentMessage.Opened(null));
        } catch (IOException | RuntimeException e) {
            say(new AgentMessage.Opened(e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    /** Meanwhile the job tells what it has printed, and that it lives. */
    private void finishOutput(long timeoutNanos) {
        long deadline = clock.getAsLong() + timeoutNanos;
        boolean all = local.finishOutput(OUTPUT_SLICE_NANOS);
        while (!all && clock.getAsLong() - deadline < 0 && end == null) {
            beat(clock.getAsLong());
            receive();
            all = local.finishOutput(OUTPUT_SLICE_NANOS);
        }
        say(new AgentMessage.OutputFinished(all));
    }

    private void killAll(long timeoutNanos) {
        long deadline = clock.getAsLong() + timeoutNanos;
        List<Integer> left = local.killAll(KILL_SLICE_NANOS);
        while (!left.isEmpty() && clock.getAsLong() - deadline < 0 && end == null) {
            beat(clock.getAsLong());
            receive();
            left = local.killAll(KILL_SLICE_NANOS);
        }
        pids.keySet().forEach(this::tellCounters); // for the last time
        say(new AgentMessage.Killed(left));
    }

    private void say(AgentMessage.Event event) {
        link.send(AgentCodec.encode(event));
    }

    /** Tells of processes. */
    private final class Teller implements HostAgent.Listener {
        @Override
        public void started(int process, long pid) {
            pids.put(process, pid);
            if (isHalted) {
                local.signal(process, HostAgent.Signal.STOP);
            }
            say(new AgentMessage.Started(process, pid));
        }

        @Override
        public void notStarted(int process, String why) {
            say(new AgentMessage.NotStarted(process, why));
        }

        @Override
        public void dead(HostAgent.Death death) {
            pids.remove(death.process());
            tellCounters(death.process());
            say(new AgentMessage.Dead(death));
        }
    }

    /** Sends what processes print, as fast as the job prints it. Any thread. */
    private final class Sender implements HostAgent.Output {
        @Override
        public void line(int process, boolean isError, byte[] line) {
            int from = 0;
            do {
                int length = Math.min(PIECE_BYTES, line.length - from);
                byte[] piece = new byte[length];
                System.arraycopy(line, from, piece, 0, length);
                from += length;
                unprinted.acquireUninterruptibly(Math.max(1, length));
                if (!isOver) {
                    say(new AgentMessage.Line(process, isError, from == line.length, piece));
                }
            } while (from < line.length);
        }

        @Override
        public void broken(int process, String why) {
            say(new AgentMessage.Broken(process, why));
        }

        /** An agent is a command of its own host, and tells it there. */
        @Override
        public void note(String text) {
            System.err.println("ftrma: " + text);
        }
    }
}
