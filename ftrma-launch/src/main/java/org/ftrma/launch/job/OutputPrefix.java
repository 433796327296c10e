package org.ftrma.launch.job;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.options.JobOptions;

/** The beginnings of output lines: the member that their process plays. The job's thread tells it; any thread asks. */
final class OutputPrefix implements JobObserver {
    private final JobOptions options;
    private final Map<Integer, Integer> memberOf = new ConcurrentHashMap<>();

    OutputPrefix(JobOptions options) {
        this.options = options;
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        if (event instanceof JobEvent.Assigned assigned) {
            memberOf.put(assigned.process(), assigned.member());
        }
    }

    /** That of a process, with a space at its end. */
    String of(int process) {
        Integer member = memberOf.get(process);
        return member == null ? "[process " + process + "] "
            : "[" + InjectedFailure.memberName(member, options) + "] ";
    }
}
