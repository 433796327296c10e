package org.ftrma.rma.logging;

import java.util.function.Supplier;
import org.ftrma.Counters;

/** Counters of whatever log a rank has at present, or none. Data thread only. */
public final class LiveCounters implements Counters {
    private static final Counters NONE = new Counters() {
        @Override
        public long epochs(int target) {
            return 0;
        }

        @Override
        public long flushes() {
            return 0;
        }

        @Override
        public long gsyncs() {
            return 0;
        }

        @Override
        public long lockSequence(int window, int target) {
            return 0;
        }

        @Override
        public long putLogBytes() {
            return 0;
        }

        @Override
        public long getLogBytes() {
            return 0;
        }

        @Override
        public long records() {
            return 0;
        }

        @Override
        public long droppedLogs() {
            return 0;
        }
    };

    private final Supplier<Counters> present;

    /** @param present gives null where nothing is logged */
    public LiveCounters(Supplier<Counters> present) {
        this.present = present;
    }

    private Counters counters() {
        Counters counters = present.get();
        return counters == null ? NONE : counters;
    }

    @Override
    public long epochs(int target) {
        return counters().epochs(target);
    }

    @Override
    public long flushes() {
        return counters().flushes();
    }

    @Override
    public long gsyncs() {
        return counters().gsyncs();
    }

    @Override
    public long lockSequence(int window, int target) {
        return counters().lockSequence(window, target);
    }

    @Override
    public long putLogBytes() {
        return counters().putLogBytes();
    }

    @Override
    public long getLogBytes() {
        return counters().getLogBytes();
    }

    @Override
    public long records() {
        return counters().records();
    }

    @Override
    public long droppedLogs() {
        return counters().droppedLogs();
    }
}
