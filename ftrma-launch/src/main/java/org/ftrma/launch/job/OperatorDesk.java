package org.ftrma.launch.job;

import java.util.TreeMap;
import java.util.function.Consumer;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;

/**
 * People's requests to a running job and their outcomes: checkpoints, and hosts that are to be left ({@link
 * HostDrains}). The job's thread only.
 */
final class OperatorDesk implements AutoCloseable {
    static final String ENDED = "the job has ended";

    private final JobOptions options;
    private final Coordinator coordinator;
    /** Null where the job runs on one host. */
    private final HostDrains drains;
    private final OperatorSocket operator;
    /** Checkpoints that were asked for, by the number of the request. */
    private final TreeMap<Long, OperatorSocket.Request> cuts = new TreeMap<>();

    /**
     * That of one job.
     *
     * @param drains null where the job runs on one host
     * @param operator where people ask; closed with this
     */
    OperatorDesk(JobOptions options, Coordinator coordinator, HostDrains drains, OperatorSocket operator) {
        this.options = options;
        this.coordinator = coordinator;
        this.drains = drains;
        this.operator = operator;
    }

    /** To be called in each turn of the job. */
    void look(Consumer<JobEvent> events, Consumer<String> notes) {
        for (OperatorSocket.Request request = operator.poll(); request != null; request = operator.poll()) {
            switch (request.verb()) {
                case CHECKPOINT -> checkpoint(request, notes);
                case DRAIN -> {
                    if (drains == null) {
                        request.end(false, "the job runs on one host, and cannot leave it");
                    } else {
                        drains.asked(request, notes);
                    }
                }
            }
        }
        if (drains != null) {
            drains.look(events, notes);
        }
    }

    private void checkpoint(OperatorSocket.Request request, Consumer<String> notes) {
        String refusal = refusal();
        if (refusal != null) {
            request.end(false, "no checkpoint is taken: " + refusal);
            return;
        }
        cuts.put(coordinator.operator().requestCut(), request);
        request.tell("the checkpoint is taken at the next boundary of a step that no rank has passed");
        notes.accept("a checkpoint was asked for (./ftrma checkpoint)");
    }

    /** Why none can be asked for, or null. */
    private String refusal() {
        if (!options.isProtected()) {
            return "the job is not protected; start it with --protocol coordinated or full";
        }
        if (!options.agreesOnCuts()) {
            return "with --interval " + options.value(JobOption.INTERVAL) + " and --protocol " + options.protocol()
                + " the ranks agree on no other checkpoints; start the job with --flush DIR, or with a time or daly as "
                + "--interval";
        }
        return null;
    }

    /** What has happened in the job. */
    void happened(JobEvent event) {
        if (event instanceof JobEvent.CutServed cut) {
            var served = cuts.headMap(cut.request(), true);
            served.values().forEach(request -> request.end(true, "generation " + cut.generation() + ", of step "
                + cut.step() + ", is committed"));
            served.clear();
        }
    }

    /** The job is over: whoever waits is told so. */
    @Override
    public void close() {
        cuts.values().forEach(request -> request.end(false, ENDED));
        cuts.clear();
        if (drains != null) {
            drains.close();
        }
        operator.close();
    }
}
