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
 * generations are skipped, but for one that must go there, which waits. Coordinator's thread.
 */
final class FlushArbiter {
    private final CoordinatorHost host;
    private final Consumer<ControlMessage.ToMember> toComputing;
    private final long every;
    private final FlushedImages.Part[] parts;
    private long number;
    private Cut cut;
    private boolean writing;
    private boolean naming;
    /** What must go to disk when that is free again, or null. */
    private Cut waiting;
    private Cut named;
    private String name = "";
    private String failure = "";
    private boolean failedByLoss;

    /** A committed generation. */
    record Cut(int view, int timeline, long generation, long step) {
    }

    FlushArbiter(CoordinatorHost host, Consumer<ControlMessage.ToMember> toComputing, JobOptions options) {
        this.host = host;
        this.toComputing = toComputing;
        this.every = options.isFlushed() ? options.flushEvery() : 0;
        this.parts = new FlushedImages.Part[options.ranks()];
    }

    /**
     * A generation was committed; the ranks hold it now.
     *
     * @param must whether it is to go to disk however many do, and waits where another one is being written
     */
    void committed(Cut committed, boolean must) {
        if (every == 0) {
            return;
        }
        if (isBusy()) {
            if (must || waiting != null) {
                waiting = committed; // ranks do not hold an older one any more
            } else if (committed.generation % every == 0) {
                host.event(new JobEvent.FlushSkipped(committed.generation, "generation " + cut.generation
                    + " is still being written"));
            }
        } else if (must || committed.generation % every == 0) {
            write(committed);
        }
    }

    private boolean isBusy() {
        return writing || naming;
    }

    private void write(Cut committed) {
        String place = host.flushPlace(++number);
        if (place == null) {
            return;
        }
        cut = committed;
        writing = true;
        Arrays.fill(parts, null);
        toComputing.accept(new ControlMessage.Flush(number, cut.generation, place));
    }

    private void writeWaiting() {
        if (waiting != null) {
            Cut next = waiting;
            waiting = null;
            write(next);
        }
    }

    /** What is being written then is removed, and what waits never begins. */
    void jobEnds() {
        if (isBusy()) {
            host.event(new JobEvent.FlushSkipped(cut.generation, "the job ended while it was being written"));
        }
        if (waiting != null) {
            host.event(new JobEvent.FlushSkipped(waiting.generation, "the job ended while generation "
                + cut.generation + " was being written"));
        }
    }

    /** Whether nothing is written, nor waits for that. */
    boolean isIdle() {
        return !isBusy() && waiting == null;
    }

    /** The newest generation that has its name, or null. */
    Cut named() {
        return named;
    }

    /** Its name. */
    String name() {
        return name;
    }

    /** Why a flush was given up last. */
    String failure() {
        return failure;
    }

    /** Whether that was since a rank was lost. */
    boolean failedByLoss() {
        return failedByLoss;
    }

    void written(int rank, ControlMessage.FlushWritten message) {
        if (!writing || message.number() != number) {
            return;
        }
        parts[rank] = new FlushedImages.Part(message.bytes(), message.digest());
        List<FlushedImages.Part> there = Arrays.stream(parts).filter(part -> part != null).toList();
        if (there.size() == parts.length) { // C31
            writing = false;
            naming = true;
            host.nameFlush(new FlushedImages(number, cut.generation, cut.step, cut.view, cut.timeline, there));
        }
    }

    void failed(String who, ControlMessage.FlushFailed message) {
        if (writing && message.number() == number) {
            giveUp(who + ": " + message.reason(), false);
        }
    }

    /** A member was lost: what it had not yet written will never be. */
    void lost(int member, String who) {
        if (writing && member < parts.length && parts[member] == null) { // C32
            giveUp(who + " was lost before its image was written", true);
        }
    }

    private void giveUp(String reason, boolean byLoss) {
        writing = false;
        toComputing.accept(new ControlMessage.FlushCancel(number));
        host.dropFlush(number);
        failed(reason, byLoss);
        writeWaiting();
    }

    private void failed(String reason, boolean byLoss) {
        failure = reason;
        failedByLoss = byLoss;
        host.event(new JobEvent.FlushFailed(cut.generation, reason));
    }

    /** The images have their name, or could not be given one: then {@code failure} says why. */
    void named(long ofNumber, String newName, String why, long bytes, long nanos) {
        if (!naming || ofNumber != number) {
            return;
        }
        naming = false;
        if (why == null) {
            named = cut;
            name = newName;
            host.event(new JobEvent.Flushed(cut.generation, cut.step, name, bytes, nanos));
        } else {
            failed(why, false);
        }
        writeWaiting();
    }
}
