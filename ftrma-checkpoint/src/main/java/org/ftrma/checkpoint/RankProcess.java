package org.ftrma.checkpoint;

import org.ftrma.Program;
import org.ftrma.spi.Clock;
import org.ftrma.spi.ControlPlane;

/**
 * The protocol's side of one process of a job, from joining to the end. Being written: this states the calls that hosts make. Data thread.
 */
public final class RankProcess {
    /** Opens the fabric when the process is assigned to a member (so that spares hold no resources). */
    @FunctionalInterface
    public interface FabricFactory {
        /** Opens a fabric for the member; forceNetwork as in the options. */
        org.ftrma.spi.Fabric open(int member, org.ftrma.options.JobOptions options);
    }

    /** A process that has joined by {@code control}. */
    public RankProcess(ControlPlane control, Clock clock, FabricFactory fabrics) {
    }

    /**
     * Waits until this process is assigned to a member (or the job ends).
     *
     * @return COMPUTING: call {@link #runProgram}; CHECKSUM: call {@link #runChecksum}; NONE: the job is over, leave
     */
    public Role awaitRole() {
        return Role.NONE;
    }

    /** Plays a computing rank until the whole job is done. The program's exceptions are reported to the coordinator and thrown on. */
    public void runProgram(Program program) {
    }

    /** Plays a checksum rank until the whole job is done. */
    public void runChecksum() {
    }

    /** What a process plays. */
    public enum Role {
        /** A computing rank. */
        COMPUTING,
        /** A checksum rank. */
        CHECKSUM,
        /** Nothing: the job ended before this process was needed. */
        NONE
    }
}
