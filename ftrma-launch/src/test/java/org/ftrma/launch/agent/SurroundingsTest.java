package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What agents learn from whatever has started them. */
class SurroundingsTest {
    @Test
    void ofSeveralProcessesOfAHostTheFirstIsTheAgent() {
        for (String variable : List.of("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
            "PALS_LOCAL_RANKID", "SLURM_LOCALID")) {
            assertFalse(Surroundings.isOneMore(Map.of(variable, "0")), variable);
            assertTrue(Surroundings.isOneMore(Map.of(variable, "3")), variable);
            assertFalse(Surroundings.isOneMore(Map.of(variable, "none")), variable);
        }
        assertFalse(Surroundings.isOneMore(Map.of()));
        assertTrue(Surroundings.isOneMore(Map.of("SLURM_LOCALID", "0", "MPI_LOCALRANKID", "1")),
            "an mpirun that uses srun starts one task on each node");
    }

    @Test
    void aHostFindsItselfWithOrWithoutItsDomain() {
        List<String> listed = List.of("h1", "h2.example.org", "h10", "x.a", "x.b");
        assertEquals(0, Surroundings.find(listed, List.of("h1")));
        assertEquals(1, Surroundings.find(listed, List.of("h2")));
        assertEquals(2, Surroundings.find(listed, List.of("h10.example.org")));
        assertEquals(2, Surroundings.find(listed, List.of("other", "h10")));
        assertEquals(-1, Surroundings.find(listed, List.of("h", "h3")));
        assertEquals(-1, Surroundings.find(listed, List.of("x")), "two are alike");
        assertEquals(3, Surroundings.find(listed, List.of("x.a")));
    }

    @Test
    void theNameOfWhatHasStartedTheAgentComesFirst() {
        assertEquals(List.of("n7", "host7"), Surroundings.names(Map.of("SLURMD_NODENAME", "n7"), "host7"));
        assertEquals(List.of("host7"), Surroundings.names(Map.of("PMIX_HOSTNAME", "host7"), "host7"));
        assertFalse(Surroundings.hostName().isBlank());
    }

    @Test
    void switchesAreThoseAboveTheNodeLargestFirst() {
        assertEquals(List.of("top", "s1"), switches("top.s1.h1", "switch.switch.node"));
        assertEquals(List.of("s1"), switches("s1.h1.example.org", "switch.node"));
        assertEquals(List.of(), switches("h1", "node"));
        assertEquals(List.of(), switches("h1", "switch.node"), "less than the pattern says");
        assertEquals(List.of(), switches("a.b", "switch.switch"));
        assertEquals(List.of(), switches("s.".repeat(3000) + "h", "switch.".repeat(3000) + "node"));
        assertEquals(List.of(), Surroundings.switches(Map.of()));
    }

    private static List<String> switches(String address, String pattern) {
        return Surroundings.switches(Map.of("SLURM_TOPOLOGY_ADDR", address, "SLURM_TOPOLOGY_ADDR_PATTERN", pattern));
    }
}
