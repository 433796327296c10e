package org.ftrma.testkit.hosts;

/**
 * A process that runs on a {@link NamespacedHosts host}.
 *
 * @param pid its number on that host
 * @param machinePid its number on the machine that the hosts are on
 * @param command its arguments, with a blank between them
 */
public record RunningProcess(long pid, long machinePid, String command) {
}
