package org.ftrma.messaging.pessimistic;

import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.receive.DuplicateFilter;

/**
 * What images of a rank cover: messages that it has received, by source, and its events. Nothing is dropped elsewhere
 * before an image is committed. Data thread only.
 */
final class ImageMarks {
    private final DuplicateFilter received;
    private final LoggedDeterminants determinants;
    private final EventLog events;
    /** Of an image that is not committed yet: of a coordinated checkpoint, and of one of this rank alone. */
    private Marks pending;
    private Marks pendingAlone;
    private long pendingGeneration;
    /** Of a committed image, not yet published to the ranks that may drop what it covers. */
    private Marks due;

    /** By source the last number that was received, and the first event that the image does not cover. */
    private record Marks(long[] received, long event) {
    }

    ImageMarks(DuplicateFilter received, LoggedDeterminants determinants, EventLog events) {
        this.received = received;
        this.determinants = determinants;
        this.events = events;
    }

    /** A new view: no image is on its way. */
    void clear() {
        pending = null;
        pendingAlone = null;
        pendingGeneration = 0;
        due = null;
    }

    private Marks present() {
        return new Marks(received.marks(), determinants.mark());
    }

    /** The image of a generation is copied. */
    void copied(long generation) {
        pending = present();
        pendingGeneration = generation; // until it counts it may be given up
    }

    /** A generation is committed. */
    void committed(long generation) {
        if (generation == pendingGeneration && pending != null) {
            due = pending;
            pending = null;
            pendingGeneration = 0;
        }
    }

    /** An image of this rank alone is copied. */
    void copiedAlone() {
        pendingAlone = present();
    }

    /** An image of this rank alone is committed. */
    void committedAlone() {
        if (pendingAlone != null) {
            due = pendingAlone;
            pendingAlone = null;
        }
    }

    /** An image of this rank alone is given up. */
    void abandonedAlone() {
        pendingAlone = null;
    }

    /** Publishes what the newest committed image covers, if that is due. */
    void publish() {
        if (due != null) {
            Marks marks = due;
            due = null;
            received.covered(marks.received());
            events.trim(marks.event());
        }
    }
}
