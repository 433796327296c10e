package org.ftrma.launch.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.ftrma.core.coordinator.MemberState;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterReader;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.rank.counter.CounterFile;

/**
 * A job as its folder tells it, whether it runs, has ended, or was left alone. It is read anew by {@link #refresh}.
 * One thread.
 */
public final class JobView {
    static final String RESULT = "result.json";
    /** A launcher on another host that was silent for longer is gone, as far as can be told from here. */
    private static final Duration SILENT = Duration.ofSeconds(30);
    /** And so long it must have been for its folder to be removed. */
    private static final Duration LONG_SILENT = Duration.ofDays(1);

    /** What became of a job. */
    public enum State {
        /** Its launcher runs. */
        RUNNING,
        /** It has told its result. */
        ENDED,
        /** Its launcher is gone, and has told no result. */
        ABANDONED
    }

    /**
     * One member, as its launcher saw it, and as it counted itself.
     *
     * @param number the member
     * @param process that plays or played it last; -1: none
     * @param incarnation of that
     * @param host of that, for people
     * @param state as the coordinator saw it last
     * @param step the last one that it is known to have begun
     * @param counters what the process counted; null: nothing is known here
     * @param problem why these cannot be read; null: they can
     */
    public record Member(int number, int process, int incarnation, String host, String state, long step,
        CounterSnapshot counters, String problem) {
    }

    private final JobFolder folder;
    private final JobFacts facts;
    private final EventReader reader;
    private final List<LoggedEvent> events = new ArrayList<>();
    private final int[] processes;
    private final int[] incarnations;
    private final String[] hosts;
    private final String[] states;
    /** By group, since its parity was whole. */
    private final Map<Integer, Integer> losses = new TreeMap<>();
    private final Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
    private final Map<EventKind, LoggedEvent> lasts = new EnumMap<>(EventKind.class);
    private final String ownHost = Surroundings.hostName();
    private Map<String, Object> result;
    /** As of the last reading; null: not asked for since. */
    private State state;

    /**
     * Reads the folder of a job.
     *
     * @throws IOException it cannot be read, is damaged, or is of another version; the message says which
     */
    public JobView(JobFolder folder) throws IOException {
        this.folder = folder;
        this.facts = JobFacts.read(folder);
        this.reader = new EventReader(folder.path());
        this.processes = IntStream.generate(() -> -1).limit(facts.members()).toArray();
        this.incarnations = new int[facts.members()];
        this.hosts = new String[facts.members()];
        this.states = new String[facts.members()];
        for (int i = 0; i < states.length; i++) {
            hosts[i] = "";
            states[i] = "EXPECTED";
        }
        refresh();
    }

    /**
     * Whether nobody writes to a job's folder any more. Of a launcher on another host that has told no result nobody
     * knows here: what it writes into memory may come to a shared disk late, so that only a long silence counts.
     */
    static boolean mayBeRemoved(JobFolder folder, Instant now) {
        if (Files.exists(folder.file(RESULT))) {
            return true;
        }
        try {
            Launcher launcher = JobFacts.read(folder).launcher();
            if (launcher.host().equals(Surroundings.hostName())) {
                return !launcher.runs();
            }
        } catch (IOException e) {
            // One that begins has no facts yet; one of another version is known by its process.
            if (Launcher.isThere(folder.launcher())) {
                return false;
            }
        }
        return folder.untouchedSince().isBefore(now.minus(LONG_SILENT));
    }

    /** Reads what has come since; returns these events. */
    public List<LoggedEvent> refresh() throws IOException {
        state = null;
        List<LoggedEvent> more = reader.poll();
        more.forEach(this::note);
        events.addAll(more);
        if (result == null) {
            try {
                result = JsonFile.read(folder.file(RESULT));
            } catch (NoSuchFileException e) {
                return more; // it has none yet
            }
        }
        return more;
    }

    private void note(LoggedEvent event) {
        counts.merge(event.kind(), 1L, Long::sum);
        lasts.put(event.kind(), event);
        if (event.kind() == EventKind.REDUNDANCY && event.get("whole") != 0) {
            losses.remove(Math.toIntExact(event.get("group")));
        }
        int member = event.member();
        if (member < 0 || member >= processes.length) {
            return;
        }
        if (event.kind() == EventKind.ASSIGNED) {
            processes[member] = Math.toIntExact(event.get("process"));
            incarnations[member] = Math.toIntExact(event.get("incarnation"));
            hosts[member] = event.text();
        } else if (event.kind() == EventKind.LOST && member < facts.groups().size()) {
            losses.merge(facts.groups().get(member), 1, Integer::sum);
        } else if (event.kind() == EventKind.MEMBER) {
            states[member] = event.text().substring(event.text().indexOf(' ') + 1);
        }
    }

    /** The words for the states of members. */
    public static List<String> memberStates() {
        return Arrays.stream(MemberState.values()).map(MemberState::name).toList();
    }

    /** Its folder. */
    public JobFolder folder() {
        return folder;
    }

    /** What it was asked to be. */
    public JobFacts facts() {
        return facts;
    }

    /** All events that are known, and were not forgotten. */
    public List<LoggedEvent> events() {
        return events;
    }

    /** Lets go of the events so far; what was counted stays. For who looks at a long job for all of its time. */
    public void forgetEvents() {
        events.clear();
    }

    /** By group, how many members were lost since its parity was whole the last time; only where there are any. */
    public Map<Integer, Integer> lossesSinceWhole() {
        return losses;
    }

    /** How many events of a kind there were. */
    public long count(EventKind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** The last event of a kind; null: there was none. */
    public LoggedEvent last(EventKind kind) {
        return lasts.get(kind);
    }

    /** Events that its log has dropped, since there were too many. */
    public long leftOut() {
        return reader.leftOut();
    }

    /** What is wrong with what is known of a job that runs no more, for people; null: nothing. */
    public String problem() throws IOException {
        return state() == State.RUNNING ? null : reader.whyEmpty();
    }

    /** What the job told at its end, as --json prints it; null: it has told nothing. */
    public Map<String, Object> result() {
        return result;
    }

    /** What became of it, as it was read last. */
    public State state() {
        if (state == null) {
            state = result != null ? State.ENDED : stateOfLauncher();
        }
        return state;
    }

    private State stateOfLauncher() {
        if (facts.launcher().host().equals(ownHost)) {
            return facts.launcher().runs() ? State.RUNNING : State.ABANDONED;
        }
        return micros(Instant.now()) - reader.aliveWallMicros() < SILENT.toNanos() / 1000 ? State.RUNNING
            : State.ABANDONED;
    }

    /** Whether it runs no more as of now, whatever was read last. */
    public boolean isOver() {
        return !folder.mayRun() || stateOfLauncher() != State.RUNNING;
    }

    /** The same for people: a running job's, or the outcome. */
    public String outcome() {
        return switch (state()) {
            case RUNNING -> "running";
            case ENDED -> String.valueOf(result.get("outcome"));
            case ABANDONED -> "launcher gone";
        };
    }

    /** The last sign of life of its launcher, by the clock of its host. */
    public long lastSign() {
        return Math.max(reader.aliveWallMicros(), facts.startedMicros());
    }

    /** The last that is known of it, by the job's clock: a sign of life, or its end. */
    public long lastMicros() {
        return lasts.values().stream().mapToLong(LoggedEvent::micros).reduce(Math.max(reader.aliveMicros(),
            facts.startedMicros()), Math::max);
    }

    /** How long it took, or has taken so far. */
    public Duration length() {
        return Duration.of(Math.max(0, lastMicros() - facts.startedMicros()), ChronoUnit.MICROS);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    /** Where processes of this host keep, or kept, what they count. */
    private Path counters() {
        return state() == State.RUNNING ? Launcher.counters(folder) : folder.path();
    }

    /**
     * So long ago a member has last shown that it lives, or as long as nothing more of it has come here. Clocks of
     * other hosts count from another moment, and their wall clocks are as right as they are set.
     *
     * @return -1: it has not shown it yet, or the job does not run
     */
    public long heartbeatAgeNanos(CounterSnapshot counters) {
        if (counters == null || counters.get(Counter.HEARTBEAT) == 0 || state() != State.RUNNING) {
            return -1;
        }
        return Math.max(0, counters.host().equals(ownHost)
            ? System.nanoTime() - counters.get(Counter.HEARTBEAT)
            : 1_000_000 * (System.currentTimeMillis() - counters.get(Counter.HEARTBEAT_WALL)));
    }

    /** All members, as they are now, or were last. */
    public List<Member> members() throws IOException {
        Path place = counters();
        long[][] steps = MemberSteps.read(folder);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < processes.length; i++) {
            CounterSnapshot counters = null;
            String problem = null;
            try {
                counters = processes[i] < 0 ? null : CounterFile.read(place, processes[i]);
            } catch (IOException | CounterReader.MalformedException e) {
                problem = e.getMessage();
            }
            long known = i < steps.length ? steps[i][0] : 0;
            members.add(new Member(i, processes[i], incarnations[i], hosts[i], states[i],
                counters == null ? known : counters.get(Counter.STEP),
                counters, problem));
        }
        return members;
    }
}
