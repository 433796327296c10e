package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.Job;

/**
 * A program whose ranks send messages, made up from a number: who sends what to whom, in which way it is received, and
 * when. It is named {@code messages-FLAVOUR-NUMBER}, so that its name replays it. It finds orphans by itself: in the
 * end each rank is told what the others remember to have sent to it. Without receives of any source its final memory
 * depends on the number of ranks and steps only, and is a result too.
 */
public final class RandomMessages implements SimProgram {
    /** The result that is zeros where all ranks remember the same messages. */
    public static final String ORPHANS = "orphans";
    private static final Pattern NAME = Pattern.compile("messages-([a-z]+)-([0-9]{1,18})");
    private static final long ORDER = 1;
    private static final long LOOP = 4;
    private static final long CUT = 5;
    private static final int CUTS_PER_MILLE = 80;
    private static final int MANY_COLLECTIVES = 7;

    private final MessageFlavour flavour;
    private final long number;
    private final long steps;

    /** The program of that flavour and number. */
    public RandomMessages(MessageFlavour flavour, long number, long steps) {
        this.flavour = flavour;
        this.number = number;
        this.steps = steps;
    }

    /** The program of that name, or null if the name is of another form. */
    static RandomMessages parse(String name, long steps) {
        Matcher matcher = NAME.matcher(name);
        return !matcher.matches() ? null
            : new RandomMessages(MessageFlavour.byKey(matcher.group(1)), Long.parseLong(matcher.group(2)), steps);
    }

    @Override
    public String name() {
        return "messages-" + flavour.key() + "-" + number;
    }

    /** Whether it receives of any source, so that its runs differ. */
    @Override
    public boolean polls() {
        return flavour == MessageFlavour.ANY || flavour == MessageFlavour.MIXED;
    }

    private List<MessagePart> parts(MessageState state) {
        List<MessagePart> parts = new ArrayList<>();
        if (flavour == MessageFlavour.PTP || flavour == MessageFlavour.MIXED) {
            parts.add(new OrderedMessages(state));
            parts.add(new TaggedMessages(state, steps));
        }
        if (flavour == MessageFlavour.ANY || flavour == MessageFlavour.MIXED) {
            parts.add(new AnyMessages(state));
        }
        if (flavour == MessageFlavour.COLLECTIVES || flavour == MessageFlavour.MIXED) {
            parts.add(new ChannelCollectives(state, flavour == MessageFlavour.MIXED ? 2 : MANY_COLLECTIVES));
        }
        return parts;
    }

    @Override
    public void run(Job job, Results results) {
        MessageState state = new MessageState(job, mix(number, flavour.ordinal(), 0x3e55));
        List<MessagePart> parts = parts(state);
        job.initialize(() -> {
            try (Arena arena = Arena.ofConfined()) {
                state.beginStep(arena);
                parts.forEach(MessagePart::initialize);
            }
        });
        LoopForm.of(state.plan(LOOP, 0)).run(job, steps, step -> {
            try (Arena arena = Arena.ofConfined()) {
                state.beginStep(arena);
                if (state.plan(CUT, step).chance(CUTS_PER_MILLE)) {
                    job.checkpoint();
                }
                for (MessagePart part : RandomProgram.shuffled(parts, state.plan(ORDER, step))) {
                    part.step(step);
                }
            }
        });
        try (Arena last = Arena.ofConfined()) {
            results.store(ORPHANS, state.compare(last));
        }
        if (!polls()) {
            state.storeMemory(results);
        }
    }
}
