package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;

/**
 * Decides the fate of generations that go to disk: every so many committed ones the ranks write their images while
 * the program runs on, and when all have said that theirs is safe there, the whole is given its name. A generation on
 * disk that has no name does not exist. One at a time: where the disk is slower than the checkpoints come,
 * generations are skipped. Coordinator's thread.
 */
final class FlushArbiter {
    private final CoordinatorHost host;
    private final Consumer<ControlMessage.ToMember> toComputing;
    private final long every;
    private final CoordinatorRules rules;
    private final FlushedImages.Part[] parts;
    private long number;
    private long generation;
    private long step;
    private int view;
    private int timeline;
    private boolean writing;
    private boolean naming;

    FlushArbiter(CoordinatorHost host, Consumer<ControlMessage.ToMember> toComputing, JobOptions options,
        CoordinatorRules rules) {
        this.host = host;
        this.toComputing = toComputing;
        this.every = options.isFlushed() ? options.flushEvery() : 0;
        this.rules = rules;
        this.parts = new FlushedImages.Part[options.ranks()];
    }

    /** A generation was committed; the ranks hold it now. */
    void committed(int inView, int inTimeline, long newGeneration, long ofStep) {
        if (every == 0 || newGeneration % every != 0) {
            return;
        }
        if (writing || naming) {
            host.event(new JobEvent.FlushSkipped(newGeneration, "generation " + generation
                + " is still being written"));
            return;
        }
        String place = host.flushPlace(++number);
        if (place == null) {
            return;
        }
        generation = newGeneration;
        step = ofStep;
        view = inView;
        timeline = inTimeline;
        writing = true;
        Arrays.fill(parts, null);
        toComputing.accept(new ControlMessage.Flush(number, generation, place));
    }

    void written(int rank, ControlMessage.FlushWritten message) {
        if (!writing || message.number() != number) {
            return;
        }
        parts[rank] = new FlushedImages.Part(message.bytes(), message.digest());
        List<FlushedImages.Part> there = Arrays.stream(parts).filter(part -> part != null).toList();
        if (rules.flushCounts(there.size(), parts.length)) {
            writing = false;
            naming = true;
            host.nameFlush(new FlushedImages(number, generation, step, view, timeline, there));
        }
    }

    void failed(String who, ControlMessage.FlushFailed message) {
        if (writing && message.number() == number) {
            giveUp(who + ": " + message.reason());
        }
    }

    /** A member was lost: what it had not yet written will never be. */
    void lost(int member, String who) {
        if (writing && member < parts.length && parts[member] == null) {
            giveUp(who + " was lost before its image was written");
        }
    }

    private void giveUp(String reason) {
        writing = false;
        toComputing.accept(new ControlMessage.FlushCancel(number));
        host.dropFlush(number);
        host.event(new JobEvent.FlushFailed(generation, reason));
    }

    /** The images have their name, or could not be given one: then {@code failure} says why. */
    void named(long ofNumber, String name, String failure, long bytes, long nanos) {
        if (!naming || ofNumber != number) {
            return;
        }
        naming = false;
        host.event(failure == null ? new JobEvent.Flushed(generation, step, name, bytes, nanos)
            : new JobEvent.FlushFailed(generation, failure));
    }
}
