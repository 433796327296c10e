package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.options.JobOption;
import org.ftrma.options.Units;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.program.ClassPathDigest;

/**
 * Agents that join a job which runs. Each says what its host is, is compared with what the job needs, and is made ready
 * for the job, while that goes on; then its host is a spare one. What does not fit is told at both ends. The job's
 * thread only.
 */
final class Newcomers {
    /** For each of: the agent's first word, its getting ready, its going where it is refused. */
    private static final long STAGE_NANOS = 60_000_000_000L;
    private static final long CLOSE_SECONDS = 10;

    /** What knows the hosts of the job. */
    interface Job {
        /** Why no host of this name may come, for people; null: it may. */
        String objection(String name);

        /** What its user said of the host of this name; null: nothing. */
        HostSpec known(String name);

        /** Begins to make a host ready. */
        void begin(HostSpec spec, RemoteAgent agent);

        /** A host is ready. */
        void joined(HostSpec spec, RemoteAgent agent);
    }

    /** One that is on its way. */
    private static final class Arrival {
        private final AgentLink link;
        private long sinceNanos;
        private HostSpec spec;
        private RemoteAgent agent;
        /** Whether it sees what the job writes; null: it does. */
        private LateProbe probe;
        private boolean isRefused;

        Arrival(AgentLink link, long now) {
            this.link = link;
            this.sinceNanos = now;
        }
    }

    private final AgentServer server;
    private final MachineClock clock;
    private final ClassPathDigest library;
    private final long hostTimeoutNanos;
    private final String flush;
    private final Consumer<String> notes;
    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<CompletableFuture<Void>> probesToEnd = new ArrayList<>();

    /**
     * Nobody is on the way.
     *
     * @param library what the places of the launcher's library hold
     * @param hostTimeoutNanos so long a host may be silent
     * @param flush the directory that the job writes to, as its user named it; null: none
     * @param notes is told for people who is refused
     */
    Newcomers(AgentServer server, ClassPathDigest library, long hostTimeoutNanos, String flush,
        Consumer<String> notes, MachineClock clock) {
        this.clock = clock;
        this.server = server;
        this.library = library;
        this.hostTimeoutNanos = hostTimeoutNanos;
        this.flush = flush;
        this.notes = notes;
    }

    /** Takes each of them as far as it gets without waiting. */
    void poll(long now, Job job) {
        for (AgentLink link = server.nextArrival(); link != null; link = server.nextArrival()) {
            arrivals.add(new Arrival(link, now));
        }
        arrivals.removeIf(arrival -> isDone(arrival, now, job));
    }

    private boolean isDone(Arrival arrival, long now, Job job) {
        if (arrival.isRefused) {
            return isGone(arrival, now);
        }
        if (now - arrival.sinceNanos > STAGE_NANOS) {
            refuse(arrival, now, (arrival.spec == null ? "it did not say what it is" : "host " + arrival.spec.name()
                + " was not ready for the job") + " within " + Units.time(STAGE_NANOS));
            return false;
        }
        if (arrival.agent == null) {
            return isLostAtFacts(arrival, now, job);
        }
        arrival.agent.attend(now);
        if (arrival.agent.lost() != null) {
            notes.accept("a further host has left again: " + arrival.agent.whyNotOpen());
            endProbe(arrival);
            return true;
        }
        if (arrival.probe != null) {
            probe(arrival, now, job);
        }
        if (arrival.probe != null || arrival.isRefused || !arrival.agent.isAnswered()) {
            return false;
        }
        String objection = arrival.agent.whyNotOpen() != null ? arrival.agent.whyNotOpen()
            : job.objection(arrival.spec.name());
        if (objection != null) {
            refuse(arrival, now, objection);
            return false;
        }
        job.joined(arrival.spec, arrival.agent);
        return true;
    }

    /** What a host says first decides whether it may come. */
    private boolean isLostAtFacts(Arrival arrival, long now, Job job) {
        HostFacts facts;
        try {
            facts = arrival.link.facts();
        } catch (IOException e) {
            refuse(arrival, now, "its agent cannot be understood: " + e.getMessage());
            return false;
        }
        if (facts == null) {
            if (arrival.link.whyOver() != null) {
                notes.accept("a further host has left again before it said what it is: " + arrival.link.whyOver());
            }
            return arrival.link.whyOver() != null;
        }
        String refusal = job.objection(facts.name());
        refusal = refusal != null ? refusal : HostCheck.refusal(facts.name(), facts, library);
        if (refusal != null) {
            refuse(arrival, now, refusal);
            return false;
        }
        HostSpec known = job.known(facts.name());
        int slots = known != null && known.slots() > 0 ? known.slots() : facts.slots() > 0 ? facts.slots()
            : facts.room().cores();
        arrival.spec = new HostSpec(facts.name(), slots, true, known == null ? List.of() : known.racks());
        arrival.agent = new RemoteAgent(facts.name(), facts, arrival.link, hostTimeoutNanos, clock);
        if (flush == null) {
            begin(arrival, now, job);
        } else {
            arrival.sinceNanos = now;
            arrival.probe = new LateProbe(Path.of(flush).toAbsolutePath().normalize(), "--" + JobOption.FLUSH.key()
                + "=" + flush, facts.name(), arrival.agent);
        }
        return false;
    }

    private static void begin(Arrival arrival, long now, Job job) {
        arrival.sinceNanos = now;
        job.begin(arrival.spec, arrival.agent);
    }

    private void probe(Arrival arrival, long now, Job job) {
        if (!arrival.probe.isDone()) {
            return;
        }
        String refusal = arrival.probe.refusal();
        endProbe(arrival);
        if (refusal == null) {
            begin(arrival, now, job);
        } else {
            refuse(arrival, now, refusal);
        }
    }

    private void endProbe(Arrival arrival) {
        if (arrival.probe != null) {
            probesToEnd.removeIf(earlier -> earlier.isDone() && !earlier.isCompletedExceptionally());
            probesToEnd.add(arrival.probe.end());
            arrival.probe = null;
        }
    }

    private void refuse(Arrival arrival, long now, String why) {
        endProbe(arrival);
        notes.accept("a further host is refused: " + why);
        arrival.link.refuse(why);
        arrival.isRefused = true;
        arrival.sinceNanos = now;
    }

    /** It closes the connection when it has read why. */
    private static boolean isGone(Arrival arrival, long now) {
        while (arrival.link.poll() != null) {
            continue; // nobody listens to it any more
        }
        if (arrival.link.whyOver() == null && now - arrival.sinceNanos <= STAGE_NANOS) {
            return false;
        }
        arrival.link.close();
        return true;
    }

    /** The job is over: those that are on the way end with their connections. */
    void close() {
        arrivals.forEach(arrival -> {
            endProbe(arrival);
            arrival.link.close();
        });
        try {
            CompletableFuture.allOf(probesToEnd.toArray(CompletableFuture[]::new)).get(CLOSE_SECONDS,
                TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            notes.accept("a small file in --" + JobOption.FLUSH.key() + "=" + flush + " may be left: " + e);
        }
    }
}
