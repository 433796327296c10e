package org.ftrma.rank.control;

/**
 * Directory of a job's processes on one host. Immutable; any thread.
 *
 * @param device the network device by which processes of other hosts are reached; lo: there are none
 * @param identity a number that the host's agent has made: processes with another one share no memory with these,
 *     whatever else they have in common; 0: the job has one host
 */
public record HostPlace(String device, long identity) {
    /** That of a job that has one host. */
    public static final HostPlace ONLY = new HostPlace("lo", 0);
}
