package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import org.ftrma.Job;
import org.ftrma.Window;

/** The exchange of a real job: scratch windows, staged non-blocking puts, gsync. Data thread only. */
final class JobExchange implements Exchange {
    private final Job job;
    private final Window[] areas;

    /** @param areas one scratch window per area */
    JobExchange(Job job, Window[] areas) {
        this.job = job;
        this.areas = areas;
    }

    @Override
    public MemorySegment scratch(int area) {
        return areas[area].memory();
    }

    @Override
    public MemorySegment stage(int target, int area, long bytes) {
        return areas[area].stage(target, bytes);
    }

    @Override
    public void put(MemorySegment source, int target, int area, long offset, long stride, long blockBytes, long count) {
        if (count == 1) {
            areas[area].put(source, 0, target, offset, blockBytes);
        } else {
            areas[area].putStrided(source, 0, blockBytes, target, offset, stride, blockBytes, count);
        }
    }

    @Override
    public void progress() {
        job.progress();
    }

    @Override
    public void fence() {
        job.gsync();
    }
}
