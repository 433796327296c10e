package org.ftrma.launch.agent;

import java.util.List;
import org.ftrma.rank.program.ClassPathDigest;

/**
 * The facts of a host, which its agent reports when it joins. Immutable; any thread.
 *
 * @param name what the host calls itself
 * @param identity a random number that the agent made: processes with another one share no memory, whatever else they
 *     have in common
 * @param kernel identifies the running kernel: two agents with the same one share a machine
 * @param address the address that the host is reached at, as its agent sees it
 * @param device the network device of that address
 * @param switches of its network, as far as what has started the agent tells of them: those above it, largest first
 * @param room what it has to offer
 * @param jdk the version of its JDK
 * @param library what the places of the library hold there
 * @param slots processes that it is to run at a time, if the job does not know; 0: as many as it has cores
 * @param addresses all of that device
 */
public record HostFacts(String name, long identity, String kernel, String address, String device,
    List<String> switches, HostRoom room, String jdk, ClassPathDigest library, int slots, List<String> addresses) {
}
