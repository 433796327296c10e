package org.ftrma.testkit.programs;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ftrma.Job;
import org.ftrma.MisuseException;

/** The programs by name. */
public final class Programs {
    private Programs() {
    }

    /** All of them, with so many steps. */
    public static List<SimProgram> all(long steps) {
        return List.of(new HaloProgram(steps), new LockProgram(steps), new AtomicsProgram(steps),
            new CollectivesProgram(steps),
            new RotatingProgram(steps), new EagerProgram(steps), new SkewedProgram(steps),
            new SparseProgram(steps));
    }

    /**
     * Small programs about the own window and about what locks order, with so many steps. They are for protocols that
     * log accesses.
     */
    public static List<SimProgram> ownWindow(long steps) {
        return Arrays.stream(OwnWindowProgram.Kind.values()).<SimProgram>map(kind -> new OwnWindowProgram(kind, steps))
            .toList();
    }

    /** Small programs about what signals order, with so many steps. They are for protocols that log accesses. */
    public static List<SimProgram> signals(long steps) {
        return Arrays.stream(SignalProgram.Kind.values()).<SimProgram>map(kind -> new SignalProgram(kind, steps))
            .toList();
    }

    /** Messages beside windows, with so many steps: for protocols that log no accesses. */
    public static SimProgram messages(long steps) {
        return new MessagesProgram(steps, true);
    }

    /** Messages alone, with so many steps. */
    public static SimProgram loggedMessages(long steps) {
        return new MessagesProgram(steps, false);
    }

    /** Messages of which each depends on what came first, with so many steps. */
    public static SimProgram anySource(long steps) {
        return new AnySourceProgram(steps);
    }

    /** About so many steps, whose number it finds out: by {@link Job#nextStep}. */
    public static SimProgram converge(long steps) {
        return new ConvergeProgram(steps);
    }

    /** All collectives of teams, with so many steps: with accesses beside them, or alone, for logged messages. */
    public static SimProgram teams(long steps, boolean hasWindows) {
        return new TeamsProgram(steps, hasWindows);
    }

    /** Windows of different sizes on each rank, with so many steps. */
    public static SimProgram unequal(long steps) {
        return new UnequalProgram(steps);
    }

    /** Ranks read parts of others in place, with so many steps. */
    public static SimProgram views(long steps) {
        return new ViewsProgram(steps);
    }

    /** Few atomic updates, with so many steps, most of them without any. */
    public static SimProgram updates(long steps) {
        return new UpdatesProgram(steps);
    }

    private static List<SimProgram> named(long steps) {
        return Stream.of(all(steps), ownWindow(steps), signals(steps),
            List.<SimProgram>of(new ReductionsProgram(steps)),
            List.of(messages(steps), loggedMessages(steps), anySource(steps), converge(steps)),
            List.of(teams(steps, true), teams(steps, false), unequal(steps), views(steps), updates(steps)))
            .flatMap(List::stream).toList();
    }

    /**
     * The program of that name: one of {@link #all}, {@link #ownWindow} or {@link #signals}, {@link #messages},
     * {@link #converge}, a
     * {@link RandomProgram}, a {@link RandomMessages}, or a {@link StrangersProgram}.
     */
    public static SimProgram byName(String name, long steps) {
        RandomProgram random = RandomProgram.parse(name, steps);
        if (random != null) {
            return random;
        }
        RandomMessages messages = RandomMessages.parse(name, steps);
        if (messages != null) {
            return messages;
        }
        StrangersProgram strangers = StrangersProgram.parse(name, steps);
        if (strangers != null) {
            return strangers;
        }
        List<String> names = named(steps).stream().map(SimProgram::name).toList();
        return named(steps).stream().filter(program -> program.name().equals(name)).findFirst()
            .orElseThrow(() -> new MisuseException("program=" + name + ": must be one of " + String.join(", ", names)
                + ", random-FLAVOUR-NUMBER, messages-FLAVOUR-NUMBER, strangers-NUMBER"));
    }
}
