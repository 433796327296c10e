package org.ftrma.rma.replay;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.IntFunction;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogRecord;
import org.ftrma.rma.window.WindowImpl;

/**
 * Gets of a rank that replays, which are answered when their epochs close: by the log as far as it goes, and else by
 * being issued. One replay; data thread only.
 */
final class PostponedGets {
    /** One of them, in the order in which the log has them. */
    private record Postponed(WindowImpl window, MemorySegment destination, long destinationOffset, int target,
        long offset, long length, long epoch) {
        @Override
        public String toString() {
            return "get window=" + window.index() + " target=" + target + " offset=" + offset + " length=" + length
                + " EC=" + epoch;
        }
    }

    private final Waiter waiter;
    private final IntFunction<ReplayCursor> results;
    private final Runnable answered;
    private final ArrayDeque<Postponed> gets = new ArrayDeque<>();

    /**
     * None yet.
     *
     * @param results by target: the results to come from it
     * @param answered run whenever one was answered by a log
     */
    PostponedGets(Waiter waiter, IntFunction<ReplayCursor> results, Runnable answered) {
        this.waiter = waiter;
        this.results = results;
        this.answered = answered;
    }

    /** One more, of that epoch of its target. */
    void add(WindowImpl window, int target, MemorySegment destination, long destinationOffset, long offset,
        long length, long epoch) {
        gets.add(new Postponed(window, destination, destinationOffset, target, offset, length, epoch));
    }

    /**
     * Gets to a target (-1: to all) get their data from the log as far as it goes. Results from several targets were
     * logged one after the other: this rank may have been lost in between.
     *
     * @return the first that no log answers, for people; or null
     */
    String answer(int target) {
        Postponed missing = null;
        Iterator<Postponed> left = gets.iterator();
        while (left.hasNext()) {
            Postponed get = left.next();
            if (target < 0 || get.target == target) {
                if (fromLog(get)) {
                    left.remove();
                } else {
                    missing = missing == null ? get : missing;
                }
            }
        }
        return missing == null ? null : missing.toString();
    }

    private boolean fromLog(Postponed get) {
        ReplayCursor cursor = results.apply(get.target);
        long done = 0;
        while (done < get.length && cursor.has()) {
            LogRecord record = cursor.record();
            if (record.kind() != LogDescriptor.GET || record.window() != get.window.index()
                || record.offset() != get.offset + done
                || record.length() > get.length - done || record.ec() != get.epoch) {
                throw waiter.fallBack(FallbackReason.DETERMINANT_MISMATCH, "executed: " + get + "; logged: " + record);
            }
            MemorySegment.copy(record.data(), record.dataOffset(), get.destination, get.destinationOffset + done,
                record.length());
            done += record.length();
            cursor.consume();
        }
        if (done > 0 && done < get.length) {
            throw waiter.fallBack(FallbackReason.LOG_GAP, "the log ends in the middle of a " + get);
        }
        if (done > 0) {
            answered.run();
        }
        return done > 0 || get.length == 0;
    }

    /**
     * Before the next result of a target is looked at: gets whose results come before it had arrived before the program
     * asked for them, where a checkpoint was taken, or was to be.
     */
    void deliverArrived(int target) {
        ReplayCursor cursor = results.apply(target);
        Iterator<Postponed> left = gets.iterator();
        while (cursor != null && cursor.has() && cursor.record().kind() == LogDescriptor.GET && left.hasNext()) { // R12
            Postponed get = left.next();
            if (get.target == target) {
                if (!fromLog(get)) {
                    break;
                }
                left.remove();
            }
        }
    }

    /** The replay is over: those that no log answered are issued. */
    void issue() {
        for (Postponed get = gets.poll(); get != null; get = gets.poll()) {
            get.window.getNow(get.destination, get.destinationOffset, get.target, get.offset, get.length);
        }
    }
}
