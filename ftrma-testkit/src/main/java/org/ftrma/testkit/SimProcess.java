package org.ftrma.testkit;

import java.util.concurrent.locks.LockSupport;

/**
 * One simulated process: a virtual thread that runs only while it holds the scheduler's baton. Its own thread calls
 * {@link #enter}, {@link #left}, {@link #relax}; everything else belongs to whoever holds the baton.
 */
final class SimProcess {
    /** What a simulated process is doing. */
    enum State { NEW, READY, WAITING, HUNG, DEAD, ENDED }

    /** Decides about crashes: asked at every crash point of a process. */
    interface Points {
        /** A point is reached; returns how the process goes on. */
        Fate before(SimProcess process);

        /** The effect of the point reached last happened. */
        Fate after(SimProcess process);

        /** The process is about to store into memory; returns how it goes on: it does not hang there. */
        default Fate beforeStore(SimProcess process) {
            return Fate.LIVE;
        }
    }

    /** How a process goes on after a crash point. */
    enum Fate { LIVE, DIE, HANG }

    /** Who waits looks at the clock so often, even while others are never at rest. */
    private static final long LONGEST_SLEEP_NANOS = 1_000_000;

    final int id;
    final int weight;
    State state = State.NEW;
    /** The member that the process plays, or -1. */
    int member = -1;
    int points;
    /** The member's point count at the point reached last. */
    int memberPoint;
    /** What the process called last. */
    String doing = "starting";
    /** Counts what may end a wait of this process. */
    long changes;
    Throwable failure;

    private final SimScheduler scheduler;
    private final Thread thread;
    private final Points crashes;
    private long seenChanges;
    private long seenLandings;
    private long seenTime;
    private boolean accessedRemotely;
    private boolean relaxed;
    private long relaxedAt;
    private boolean started;
    private volatile boolean turn;

    SimProcess(SimScheduler scheduler, int id, int weight, Points crashes, Runnable body) {
        this.scheduler = scheduler;
        this.id = id;
        this.weight = weight;
        this.crashes = crashes;
        this.thread = Thread.ofVirtual().name("process-" + id).unstarted(() -> run(body));
    }

    private void run(Runnable body) {
        awaitTurn();
        SimStores.of(this);
        try {
            if (state != State.DEAD) {
                body.run();
            }
        } catch (SimDeath e) {
            doing = "dead: " + e.getMessage();
        } catch (Throwable e) {
            failure = e;
        }
        scheduler.ended(this);
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    boolean isOver() {
        return state == State.DEAD || state == State.ENDED;
    }

    /** Whether the process is in a wait: it relaxed since its last call with an effect. */
    boolean waited() {
        return relaxed;
    }

    /** The process copies something: its next call is no wait's. */
    void works() {
        relaxed = false;
    }

    /** A call that is a crash point begins: others may run first. */
    void enter(String what) {
        begin(what);
        points++;
        relaxed = false;
        obey(crashes.before(this));
        scheduler.activity();
        scheduler.yield(this);
        checkAlive();
    }

    /** The effect of the call happened. */
    void left() {
        obey(crashes.after(this));
    }

    /** A plain store of the protocol comes next: nobody else runs before it. */
    void store() {
        checkAlive();
        if (crashes.beforeStore(this) == Fate.DIE) {
            scheduler.kill(this, "crash before a store after " + doing + ", point " + points);
            checkAlive();
        }
    }

    /** A call without an effect of its own: others may run. */
    void pause(String what) {
        begin(what);
        scheduler.yield(this);
        checkAlive();
    }

    /** The process reads memory of others: news from anywhere may end its wait. */
    void accessesRemotely() {
        accessedRemotely = true;
    }

    boolean hasAccessedRemotely() {
        return accessedRemotely;
    }

    /** Waits until something changed, or time passed. */
    void relax() {
        checkAlive();
        relaxed = true;
        relaxedAt = scheduler.now();
        state = State.WAITING;
        scheduler.yield(this);
        checkAlive();
    }

    private void begin(String what) {
        if (!isCurrent()) {
            throw new IllegalStateException("call=" + what + " process=" + id + ": called by thread "
                + Thread.currentThread().getName()
                + ", not by the process's data thread");
        }
        checkAlive();
        doing = what;
    }

    private void obey(Fate fate) {
        switch (fate) {
            case LIVE -> { }
            case DIE -> {
                scheduler.kill(this, "crash at " + doing + ", point " + points);
                checkAlive();
            }
            case HANG -> {
                state = State.HUNG;
                scheduler.yield(this);
                checkAlive();
            }
        }
    }

    /** A process hangs wherever it is. */
    void standStill() {
        if (!isOver()) {
            state = State.HUNG;
        }
    }

    /** A process that hangs goes on. */
    void wake() {
        if (state == State.HUNG) {
            state = State.READY;
        }
    }

    void checkAlive() {
        if (state == State.DEAD) {
            throw new SimDeath(doing);
        }
    }

    /** Whether the scheduler may give the baton to this process. */
    boolean runnable(long landings, long time, long now) {
        return switch (state) {
            case NEW, READY -> true;
            case WAITING -> changes != seenChanges || time != seenTime || accessedRemotely && landings != seenLandings
                || now - relaxedAt > LONGEST_SLEEP_NANOS;
            case HUNG, DEAD, ENDED -> false;
        };
    }

    /** Gives the baton to this process; the caller must not touch the simulation any more. */
    void resume(long landings, long time) {
        if (state == State.WAITING) {
            seenChanges = changes;
            seenLandings = landings;
            seenTime = time;
            accessedRemotely = false;
        }
        if (state == State.WAITING || state == State.NEW) {
            state = State.READY;
        }
        turn = true;
        if (!started) {
            started = true;
            thread.start();
        } else if (!isCurrent()) {
            LockSupport.unpark(thread);
        }
    }

    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
    }

    boolean threadLives() {
        return started && state != State.ENDED;
    }

    /** One line and the stack: for reports of hangs. */
    void describe(StringBuilder text) {
        text.append("process ").append(id).append(member >= 0 ? " member " + member : " (no member)").append(": ")
            .append(state)
            .append(", last call ").append(doing).append(", point ").append(memberPoint);
        if (failure != null) {
            text.append(", failed: ").append(failure);
        }
        text.append('\n');
        if (started && !isOver()) {
            for (StackTraceElement frame : thread.getStackTrace()) {
                String name = frame.getClassName();
                if (name.startsWith("org.ftrma") && !name.startsWith("org.ftrma.testkit.SimProcess")
                    && !name.startsWith("org.ftrma.testkit.SimScheduler")) {
                    text.append("    at ").append(frame).append('\n');
                }
            }
        }
    }
}
