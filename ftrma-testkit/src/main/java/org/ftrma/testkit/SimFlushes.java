package org.ftrma.testkit;

import java.util.function.Supplier;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.spi.ImageStore;
import org.ftrma.testkit.programs.SimRandom;

/**
 * The flushes of one simulated job to a disk, as its host does them. Belongs to whoever holds the scheduler's baton.
 */
final class SimFlushes {
    private final SimDisk disk;
    private final SimScheduler scheduler;
    private final SimRandom random;
    private final Supplier<Coordinator> coordinator;
    private final String job;

    SimFlushes(SimDisk disk, SimScheduler scheduler, long seed, Supplier<Coordinator> coordinator) {
        this.disk = disk;
        this.scheduler = scheduler;
        this.random = new SimRandom(seed ^ 0xD15C);
        this.coordinator = coordinator;
        this.job = disk.newJob();
    }

    /** Where a process's images go. */
    ImageStore store(SimProcess process) {
        return disk.store(scheduler, process, random);
    }

    String place(long number) {
        return job + " flush " + number;
    }

    void name(FlushedImages images) {
        scheduler.after(random.between(1, 50_000), () -> {
            disk.name(images, place(images.number()));
            scheduler.after(random.between(1, 20_000), () -> coordinator.get().onFlushNamed(images.number(),
                place(images.number()), null, images.bytes(), 0));
        });
    }

    void drop(long number) {
        scheduler.after(random.between(1, 50_000), () -> disk.drop(place(number)));
    }
}
