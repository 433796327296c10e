package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.FtrmaException;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.core.coordinator.RestartPoint;
import org.ftrma.spi.ImageStore;
import org.ftrma.testkit.programs.SimRandom;

/**
 * A disk that outlives simulated jobs. It is slow, each image is written piece by piece, at moments that the seed
 * decides, from memory as it is then; now and then it is full. One simulation at a time.
 */
public final class SimDisk {
    private static final int PIECES = 5;
    private static final int FULL = 20;

    private record Image(ImageStore.Label label, byte[] contents) {
    }

    private final Map<String, Map<Integer, Image>> places = new HashMap<>();
    private final List<RestartPoint> named = new ArrayList<>();
    private final long[] delaysNanos;
    private int jobs;

    /**
     * An empty disk.
     *
     * @param slowestNanos the longest that a fifth of an image takes, simulated time; whole runs of small programs take
     *     some milliseconds
     */
    public SimDisk(long slowestNanos) {
        delaysNanos = new long[] {0, slowestNanos / 100, slowestNanos / 20, slowestNanos / 5, slowestNanos};
    }

    /** One of the same contents as another one, which nobody writes to now; images are never changed. */
    public SimDisk(SimDisk other) {
        other.places.forEach((place, images) -> places.put(place, new HashMap<>(images)));
        named.addAll(other.named);
        delaysNanos = other.delaysNanos;
        jobs = other.jobs;
    }

    /** What jobs could start from, the newest last. */
    public List<RestartPoint> named() {
        return List.copyOf(named);
    }

    /** Where the flushes of one more job go. */
    String newJob() {
        return "job " + ++jobs;
    }

    void name(FlushedImages images, String place) {
        named.add(new RestartPoint(images.generation(), images.step(), images.view(), images.timeline(), place));
    }

    void drop(String place) {
        places.remove(place);
    }

    /** The disk as one process sees it. */
    ImageStore store(SimScheduler scheduler, SimProcess process, SimRandom random) {
        return new Store(scheduler, process, random);
    }

    private final class Store implements ImageStore {
        private final SimScheduler scheduler;
        private final SimProcess process;
        private final SimRandom random;
        private boolean closed;
        private boolean writing;
        private boolean cancelled;

        Store(SimScheduler scheduler, SimProcess process, SimRandom random) {
            this.scheduler = scheduler;
            this.process = process;
            this.random = random;
        }

        @Override
        public void write(String place, Label label, List<MemorySegment> parts, Listener listener) {
            if (writing) {
                scheduler.violation("rank " + label.rank() + " writes a second image at a time");
            }
            writing = true;
            cancelled = false;
            int bytes = (int) parts.stream().mapToLong(MemorySegment::byteSize).sum();
            next(new Image(label, new byte[bytes]), 0, place, parts, listener);
        }

        private void next(Image image, int piece, String place, List<MemorySegment> parts, Listener listener) {
            scheduler.after(delaysNanos[random.below(delaysNanos.length)], () -> {
                if (closed || process.isOver()) {
                    return;
                }
                if (cancelled || random.chance(FULL)) {
                    writing = false;
                    listener.failed(cancelled ? "not wanted any more" : "the disk is full");
                } else if (piece < PIECES) {
                    copy(image.contents(), piece, parts);
                    next(image, piece + 1, place, parts, listener);
                } else {
                    writing = false;
                    places.computeIfAbsent(place, p -> new HashMap<>()).put(image.label().rank(), image);
                    listener.written(image.contents().length, new byte[32]);
                }
            });
        }

        /** Takes one piece of the image from the memory that it lies in. */
        private void copy(byte[] contents, int piece, List<MemorySegment> parts) {
            int from = (int) ((long) contents.length * piece / PIECES);
            int to = (int) ((long) contents.length * (piece + 1) / PIECES);
            int at = 0;
            for (MemorySegment part : parts) {
                int first = Math.max(from, at);
                int last = (int) Math.min(to, at + part.byteSize());
                if (first < last) {
                    MemorySegment.copy(part, ValueLayout.JAVA_BYTE, first - at, contents, first, last - first);
                }
                at += (int) part.byteSize();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public Stored open(String place, int rank) {
            process.checkAlive();
            Image image = places.getOrDefault(place, Map.of()).get(rank);
            if (image == null) {
                throw new FtrmaException(FtrmaException.Category.SETUP,
                    "there is no image of rank " + rank + " in " + place);
            }
            return new Stored() {
                @Override
                public Label label() {
                    return image.label();
                }

                @Override
                public long bytes() {
                    return image.contents().length;
                }

                @Override
                public void into(List<MemorySegment> parts, Runnable meanwhile) {
                    int at = 0;
                    for (MemorySegment part : parts) {
                        meanwhile.run();
                        MemorySegment.copy(image.contents(), at, part, ValueLayout.JAVA_BYTE, 0, (int) part.byteSize());
                        at += (int) part.byteSize();
                    }
                    meanwhile.run();
                }

                @Override
                public void close() {
                    process.checkAlive();
                }
            };
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
