package org.ftrma.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.spi.ControlPlane;
import org.ftrma.testkit.programs.SimRandom;

/**
 * The connections of all processes with the coordinator: frames arrive late, in order on each connection, in any order
 * between them. Belongs to whoever holds the scheduler's baton.
 */
final class SimControl implements SimScheduler.Source {
    private enum Kind { JOIN, FRAME, EXIT }

    private record Item(Kind kind, byte[] frame, String cause) {
    }

    private static final long[] REPORT_DELAYS_NANOS = {0, 5_000, 100_000, 2_000_000, 20_000_000};

    private final SimScheduler scheduler;
    private final SimRandom random;
    private final SimTraits traits;
    private final List<Plane> planes = new ArrayList<>();
    /** Queues, of those to and from the coordinator, that are not empty. */
    private int busy;
    private long framesUp;
    private long framesDown;
    private long frameBytes;
    private Coordinator coordinator;
    /** Null where all reach the coordinator at any time. */
    private SimHosts hosts;

    SimControl(SimScheduler scheduler, SimRandom random, SimTraits traits) {
        this.scheduler = scheduler;
        this.random = random;
        this.traits = traits;
        scheduler.add(this);
    }

    /** Whom the coordinator reaches, and who reaches it, follows from where they run. */
    void on(SimHosts theHosts) {
        hosts = theHosts;
        hosts.onRoutes(this::recount);
    }

    /** Counts the queues anew from which something can be delivered. */
    private void recount() {
        busy = 0;
        for (Plane plane : planes) {
            plane.upBlocked = !plane.severed && plane.process != null && !hosts.reachesCoordinator(plane.process);
            plane.downBlocked = plane.process != null && !hosts.isReached(plane.process);
            busy += plane.canGoUp() ? 1 : 0;
            busy += plane.canGoDown() ? 1 : 0;
        }
    }

    /** The coordinator hears of the end of a process that may live, and nothing of that itself any more. */
    void sever(SimProcess process, String cause) {
        Plane plane = plane(process.id);
        if (plane.exited) {
            return;
        }
        plane.severed = true;
        plane.up.clear();
        plane.down.clear();
        plane.inbox.clear();
        recount();
        plane.add(plane.up, new Item(Kind.EXIT, null, cause));
    }

    boolean isSevered(SimProcess process) {
        return plane(process.id).severed;
    }

    void coordinator(Coordinator theCoordinator) {
        coordinator = theCoordinator;
    }

    /** The connection of a process that is about to start. */
    ControlPlane connect(SimProcess process) {
        Plane plane = plane(process.id);
        plane.process = process;
        if (hosts != null) {
            recount();
        }
        plane.add(plane.up, new Item(Kind.JOIN, null, null));
        return plane;
    }

    private Plane plane(int process) {
        while (planes.size() <= process) {
            planes.add(new Plane());
        }
        return planes.get(process);
    }

    /** A frame from the coordinator. */
    void send(int process, byte[] frame) {
        Plane plane = plane(process);
        if (plane.process != null && !plane.process.isOver() && !plane.severed) {
            plane.add(plane.down, frame.clone());
            framesDown++;
            frameBytes += frame.length;
        }
    }

    /** Beside those of the fabric. */
    SimTraffic traffic(SimNetwork network) {
        return new SimTraffic(network.accesses(), network.accessBytes(), framesUp, framesDown, frameBytes,
            network.mostExposedBytes(),
            network.prefaults());
    }

    /** A process ended: the coordinator hears of it some time after the frames that got out. */
    void ended(SimProcess process, String cause, boolean killed) {
        Plane plane = plane(process.id);
        if (plane.severed) {
            return; // it had counted as dead before
        }
        busy -= plane.canGoDown() ? 1 : 0;
        plane.down.clear();
        plane.inbox.clear();
        while (killed && !plane.up.isEmpty() && plane.up.getLast().kind == Kind.FRAME
            && random.chance(traits.dropFrame())) {
            boolean could = plane.canGoUp();
            plane.up.removeLast();
            busy -= could && !plane.canGoUp() ? 1 : 0;
        }
        reportExit(process.id, cause);
    }

    void reportExit(int process, String cause) {
        scheduler.after(REPORT_DELAYS_NANOS[random.below(REPORT_DELAYS_NANOS.length)],
            () -> {
                Plane plane = plane(process);
                if (!plane.severed) {
                    plane.add(plane.up, new Item(Kind.EXIT, null, cause));
                }
            });
    }

    @Override
    public int pending() {
        return busy;
    }

    @Override
    public int weight() {
        return traits.controlWeight();
    }

    @Override
    public void fire() {
        int ticket = random.below(pending());
        for (int process = 0; process < planes.size(); process++) {
            Plane plane = planes.get(process);
            if (plane.canGoUp() && ticket-- == 0) {
                deliverUp(process, plane.poll(plane.up));
                return;
            }
            if (plane.canGoDown() && ticket-- == 0) {
                plane.arrives(plane.poll(plane.down));
                return;
            }
        }
    }

    private void deliverUp(int process, Item item) {
        try {
            switch (item.kind) {
                case JOIN -> coordinator.onJoin(process, scheduler.now());
                case FRAME -> {
                    framesUp++;
                    frameBytes += item.frame.length;
                    coordinator.onFrame(process, item.frame, scheduler.now());
                }
                case EXIT -> {
                    plane(process).exited = true;
                    coordinator.onExit(process, item.cause, scheduler.now());
                }
            }
        } catch (RuntimeException e) {
            scheduler.violation("the coordinator threw " + e + " at "
                + (e.getStackTrace().length > 0 ? e.getStackTrace()[0] : "?"));
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("frames under way:");
        for (int i = 0; i < planes.size(); i++) {
            Plane plane = planes.get(i);
            text.append(" process ").append(i).append(": ").append(plane.up.size()).append(" up, ")
                .append(plane.down.size()).append(" down, ")
                .append(plane.inbox.size()).append(" unread;");
        }
        return text.toString();
    }

    private final class Plane implements ControlPlane {
        private final ArrayDeque<Item> up = new ArrayDeque<>();
        private final ArrayDeque<byte[]> down = new ArrayDeque<>();
        private final ArrayDeque<byte[]> inbox = new ArrayDeque<>();
        private SimProcess process;
        private UnaryOperator<byte[]> answerer = frame -> null;
        private boolean upBlocked;
        private boolean downBlocked;
        private boolean severed;
        private boolean exited;
        private long calledNanos;

        private boolean canGoUp() {
            return !up.isEmpty() && !upBlocked;
        }

        private boolean canGoDown() {
            return !down.isEmpty() && !downBlocked;
        }

        private <T> void add(ArrayDeque<T> queue, T item) {
            boolean isBlocked = queue == up ? upBlocked : downBlocked;
            busy += queue.isEmpty() && !isBlocked ? 1 : 0;
            queue.add(item);
        }

        private <T> T poll(ArrayDeque<T> queue) {
            T item = queue.poll();
            busy -= queue.isEmpty() ? 1 : 0;
            return item;
        }

        @Override
        public void send(byte[] frame) {
            if (frame.length > MAX_FRAME_BYTES) {
                throw new IllegalArgumentException("frameBytes=" + frame.length + " limit=" + MAX_FRAME_BYTES);
            }
            if (!process.isCurrent()) {
                // A thread beside the data thread sends: what may come before and after it are moments of the
                // scheduler's.
                if (!process.isOver() && !severed) {
                    add(up, new Item(Kind.FRAME, frame.clone(), null));
                }
                return;
            }
            process.enter("control send");
            if (!severed) {
                add(up, new Item(Kind.FRAME, frame.clone(), null));
            }
            process.left();
        }

        /** A frame is there: it is answered at once, or polled. */
        private void arrives(byte[] frame) {
            byte[] answer = answerer.apply(frame);
            if (answer == null) {
                inbox.add(frame);
                process.changes++;
            } else {
                add(up, new Item(Kind.FRAME, answer, null));
            }
        }

        @Override
        public void answerWith(UnaryOperator<byte[]> newAnswerer) {
            answerer = newAnswerer;
        }

        @Override
        public long idleNanos() {
            return scheduler.now() - calledNanos;
        }

        @Override
        public boolean ready() {
            process.checkAlive();
            calledNanos = scheduler.now();
            return !inbox.isEmpty();
        }

        @Override
        public byte[] poll() {
            if (inbox.isEmpty()) {
                process.checkAlive();
                return null;
            }
            process.enter("control poll");
            byte[] frame = inbox.poll();
            // What was waited for may be in it: the wait that polled looks again before it sleeps.
            process.changes++;
            process.left();
            return frame;
        }

        @Override
        public void close() {
            process.checkAlive();
        }
    }
}
