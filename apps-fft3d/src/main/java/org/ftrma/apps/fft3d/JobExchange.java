package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import org.ftrma.Job;
import org.ftrma.Window;

/** The exchange of a real job: scratch windows, non-blocking strided puts, gsync. Data thread only. */
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
    public void put(MemorySegment source, long sourceOffset, int target, int area, long offset, long stride, long blockBytes, long count) {
        if (count == 1) {
            areas[area].put(source, sourceOffset, target, offset, blockBytes);
        } else {
            areas[area].putStrided(source, sourceOffset, blockBytes, target, offset, stride, blockBytes, count);
        }
    }

    @Override
    public void sourcesReusable() {
        for (Window area : areas) {
            area.flushLocalAll();
        }
    }

    @Override
    public void fence() {
        job.gsync();
    }
}
