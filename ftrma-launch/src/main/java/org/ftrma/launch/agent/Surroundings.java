package org.ftrma.launch.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The facts that the program which started an agent, srun or an mpirun, has put into its environment. Pure functions
 * but for one; any thread.
 */
public final class Surroundings {
    /** Of Open MPI; of MPICH and those that come from it; of MVAPICH; of Cray's; of Slurm. */
    private static final List<String> LOCAL_RANKS = List.of("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
        "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID", "SLURM_LOCALID");
    /** Of Slurm; of Open MPI. */
    private static final List<String> NAMES = List.of("SLURMD_NODENAME", "PMIX_HOSTNAME");
    private static final String TOPOLOGY = "SLURM_TOPOLOGY_ADDR";
    private static final String PATTERN = "SLURM_TOPOLOGY_ADDR_PATTERN";
    private static final String NODE = "node";
    private static final int MOST_CHARACTERS = 2048;

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private Surroundings() {
    }

    /** What the system calls this host. */
    public static String hostName() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException e) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "host";
            }
        }
    }

    /** Whether another process of the same host is the agent: the first one that was started there is. */
    public static boolean isOneMore(Map<String, String> environment) {
        for (String variable : LOCAL_RANKS) {
            String rank = environment.get(variable);
            if (rank != null) {
                return rank.matches("[0-9]+") && !rank.matches("0+");
            }
        }
        return false;
    }

    /**
     * What this host may be called, the likeliest first.
     *
     * @param hostName what the system says
     */
    public static List<String> names(Map<String, String> environment, String hostName) {
        return Stream.concat(NAMES.stream().map(environment::get).filter(name -> name != null && !name.isEmpty()),
            Stream.of(hostName)).distinct().toList();
    }

    /**
     * The place of this host in a list, with or without the domain of its name; -1 if it is not there.
     *
     * @param listed names of hosts
     */
    public static int find(List<String> listed, List<String> names) {
        for (String name : names) {
            if (listed.contains(name)) {
                return listed.indexOf(name);
            }
        }
        for (String name : names) {
            List<String> alike = listed.stream().filter(one -> one.startsWith(name + ".") || name.startsWith(one + "."))
                .toList();
            if (alike.size() == 1) {
                return listed.indexOf(alike.getFirst());
            }
        }
        return -1;
    }

    /** The switches above this host, largest first, as Slurm has them; empty where it tells of none. */
    static List<String> switches(Map<String, String> environment) {
        String address = environment.getOrDefault(TOPOLOGY, "");
        String[] kinds = environment.getOrDefault(PATTERN, "").split("\\.");
        if (address.length() > MOST_CHARACTERS || !kinds[kinds.length - 1].equals(NODE)) {
            return List.of();
        }
        // The last part is the node, whose name may have dots itself.
        String[] parts = address.split("\\.", kinds.length);
        return parts.length < kinds.length ? List.of() : List.of(parts).subList(0, kinds.length - 1);
    }
}
