package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import org.ftrma.options.ShellLine;
import org.junit.jupiter.api.Test;

/** How agents are started, as command lines. */
class AgentLinesTest {
    private static final AgentLines.Job JOB = new AgentLines.Job("/opt/ft rma", new InetSocketAddress("10.0.0.1", 4711),
        5_000_000_000L, "eth0");
    private static final List<HostSpec> HOSTS = HostList.parse("--hosts", "a:2,b", false);

    @Test
    void anAgentIsToldWhichHostItIsOrWhichThereAre() {
        assertEquals(List.of("/opt/ft rma", "agent", "--join", "10.0.0.1:4711", "--host", "1", "--name", "b",
            "--host-timeout", "5s", "--device", "eth0", "--token-file", "-"), AgentLines.one(JOB, 1,
            HOSTS.get(1), "-"));
        assertEquals("'/opt/ft rma' agent --join 10.0.0.1:4711 --hosts a,b --host-timeout 5s --device eth0 "
            + "--token-file 'my file'", ShellLine.of(AgentLines.any(JOB, HOSTS, "my file")));
    }

    @Test
    void aRemoteShellGetsOneWordAndMpirunMany() {
        assertEquals(List.of("ssh", "-o", "BatchMode=yes", "b", "x 'y z'"), AgentLines.shell("ssh -o BatchMode=yes",
            HOSTS.get(1), List.of("x", "y z")));
        assertEquals(List.of("mpirun", "--mca", "a", "b", "--host", "a", "-n", "1", "--bind-to", "none", "x",
            "y z"), AgentLines.mpirun(" mpirun --mca a b", HOSTS.get(0), List.of("x", "y z")));
    }

    /** The limits of an allocation's tasks are not those of an agent, which starts all processes of its node. */
    @Test
    void aStepHasOneTaskOnEachNodeAndAllThatTheNodeHas() {
        List<String> step = AgentLines.step(HOSTS, List.of("x"));
        assertTrue(step.containsAll(List.of("srun", "--overlap", "--no-kill", "--kill-on-bad-exit=0", "--wait=0",
            "--nodes=2", "--ntasks=2", "--ntasks-per-node=1", "--nodelist=a,b", "--mem=0", "--cpu-bind=none")),
            step::toString);
        assertEquals("x", step.getLast());
        assertEquals(List.of("env", "-u"), step.subList(0, 2));
        assertTrue(step.indexOf("SLURM_CPUS_PER_TASK") > 0 && step.indexOf("SLURM_MEM_PER_CPU") < step.indexOf("srun"),
            step::toString);
        assertFalse(step.toString().contains("SLURM_JOB_ID"), step::toString);
    }
}
