package org.ftrma.launch.agent;

import java.util.List;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;

/**
 * The part of a job that a host must know. Immutable; any thread.
 *
 * @param address where processes join, at the launcher: a number, not a name
 * @param port its port there
 * @param token what they and the launcher show each other that they know
 * @param joinMillis how long the launcher may take to answer one of so many processes
 * @param options what each process must know besides
 * @param jvm how their virtual machines are started
 * @param places whole names of further places that are to go where the launcher is killed; otherwise whoever made them
 *     removes them
 * @param kept the whole name of a folder to which counters of processes are copied when the job ends; null: they go
 */
public record HostJob(String address, int port, Token token, int joinMillis, RankOptions options, RankJvm jvm,
    List<String> places, String kept) {
    /** One whose counters go with it. */
    public HostJob(String address, int port, Token token, int joinMillis, RankOptions options, RankJvm jvm,
        List<String> places) {
        this(address, port, token, joinMillis, options, jvm, places, null);
    }

    /** The same for a host that is not the launcher's: that one sees to the further places, and keeps no counters. */
    public HostJob elsewhere() {
        return new HostJob(address, port, token, joinMillis, options, jvm, List.of());
    }

    /** The same with other options of its processes. */
    public HostJob with(RankOptions others) {
        return new HostJob(address, port, token, joinMillis, others, jvm, places, kept);
    }
}
