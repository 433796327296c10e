package org.ftrma.launch.hosts;

import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.RemoteAgent;

/** One host of a job: its agent, and the processes there. The job's thread only. */
public final class Host {
    /** A host where so many starts failed in a row is used no more. */
    private static final int MAX_FAILED_STARTS = 3;
    private final HostSpec spec;
    private final RemoteAgent agent;
    private int processes;
    private int failedStarts;
    private String leaving;

    Host(HostSpec spec, RemoteAgent agent) {
        this.spec = spec;
        this.agent = agent;
    }

    HostSpec spec() {
        return spec;
    }

    RemoteAgent agent() {
        return agent;
    }

    /** Processes that are there now. */
    public int processes() {
        return processes;
    }

    /** How its user calls it. */
    public String name() {
        return spec.name();
    }

    /** Processes that it is to run at a time. */
    public int slots() {
        return spec.slots();
    }

    /** Whether it runs processes only when another host does not. */
    public boolean isSpare() {
        return spec.isSpare();
    }

    /** Slots that no process has. */
    public int freeSlots() {
        return spec.slots() - processes;
    }

    /** Whether nothing is known of it any more. */
    public boolean isLost() {
        return agent.lost() != null;
    }

    /** Why it is to be left, by the word of its agent or of somebody here; null: it is not. */
    public String leaving() {
        return leaving != null ? leaving : agent.leaving();
    }

    /** It is to be left. */
    public void leaving(String why) {
        leaving = why;
    }

    /** It is not to be left. */
    public void stay() {
        leaving = null;
        agent.stay();
    }

    /** Nothing runs there any more: its agent ends. */
    public void leave() {
        agent.leave();
    }

    /** Why no process is to go there any more; null: it may. */
    public String closed() {
        if (agent.lost() != null) {
            return "lost: " + agent.lost();
        }
        if (leaving() != null) {
            return "to be left: " + leaving();
        }
        return failedStarts < MAX_FAILED_STARTS ? null
            : "set aside: " + failedStarts + " processes in a row ended there before they had joined";
    }

    /** Has a process started there. */
    void start(int process) {
        processes++;
        agent.start(process);
    }

    /** One of its processes has joined the job: it can start processes. */
    void joined() {
        failedStarts = 0;
    }

    /** One of its processes ended before it had joined. */
    void failedToStart() {
        failedStarts++;
    }

    /** Counts its processes, and passes on to the job what is heard of them. */
    HostAgent.Listener heardBy(HostAgent.Listener job) {
        return new Hearer(job);
    }

    private final class Hearer implements HostAgent.Listener {
        private final HostAgent.Listener listener;

        Hearer(HostAgent.Listener listener) {
            this.listener = listener;
        }

        @Override
        public void started(int process, long pid) {
            listener.started(process, pid);
        }

        @Override
        public void notStarted(int process, String why) {
            processes--;
            listener.notStarted(process, why);
        }

        @Override
        public void dead(HostAgent.Death death) {
            processes--;
            listener.dead(death);
        }

        @Override
        public void hostLost(String name, String why) {
            listener.hostLost(name, why);
        }
    }
}
