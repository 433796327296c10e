package org.ftrma.launch.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.options.Units;
import org.ftrma.rank.control.Token;

/**
 * The agent of one host for a job: it keeps the job's places, starts and signals processes, reports their deaths,
 * passes on what they print, and leaves nothing behind. The job names a process by its number; ids, pipes, files and
 * all else that only the host can reach stay with the agent.
 *
 * <p>An agent may be far away, so a request returns at once, and requests are carried out in their order. What comes of
 * them the {@link Listener} hears inside {@link #poll}. A question ({@link #room}, {@link #vitals}) is answered by what
 * the host has told last. Only {@link #open}, {@link #finishOutput}, {@link #killAll} and {@link #close} wait for the
 * host: at set-up and at the end.
 *
 * <p>The job's thread only. The processes end with that thread, whatever its end.
 */
public interface HostAgent extends AutoCloseable {
    /** What can be done to a process from outside. */
    enum Signal {
        /** It never runs again, stopped or not. */
        KILL,
        /** It does nothing until it is continued, and does not know it. */
        STOP,
        /** It goes on. */
        CONTINUE
    }

    /**
     * The end of a process.
     *
     * @param process its number
     * @param status as a shell tells it: what the process ended with, or 128 and the signal; {@link #UNKNOWN}
     * @param cause the same for people, with what the process died of where it left a report
     * @param lastWords what it was at when it died, for people, as its counters say; null: it had counted nothing
     * @param step the one that it was in, as these say; 0: none, or nobody knows
     * @param allHere whether all that it had sent to the job has arrived, so that reading once finds it; else the end
     *     of its connection tells that there is no more
     */
    record Death(int process, int status, String cause, String lastWords, long step, boolean allHere) {
        /** Instead of a status: the kernel has not told it. */
        public static final int UNKNOWN = -1;
        /** Instead of a status: the host is lost, and the process with it, whatever it does there. */
        public static final int HOST_LOST = -2;

        /** One of whose step nobody knows. */
        public Death(int process, int status, String cause, String lastWords, boolean allHere) {
            this(process, status, cause, lastWords, 0, allHere);
        }
    }

    /** Hears of processes, inside {@link #poll}; it may make requests. */
    interface Listener {
        /** A process runs, under this id on its host. */
        void started(int process, long pid);

        /** A process could not be started; nothing more is told of it. */
        void notStarted(int process, String why);

        /**
         * A process is dead: none of its threads will run another instruction, by the word of the host's kernel.
         * Nothing more is told of it. Where its host is lost, nobody knows that; but nothing more comes from it.
         */
        void dead(Death death);

        /** A further host has come, for so many processes at a time. */
        default void hostJoined(String host, int slots) {
            // an agent of one host has no other ones
        }

        /** A host is lost; the deaths of its processes were told before. */
        default void hostLost(String host, String why) {
            // an agent of the own host is not lost while anybody hears of it
        }
    }

    /** Takes what processes print, and what their host says, on any thread; lines of one stream come in their order. */
    interface Output {
        /**
         * A whole line.
         *
         * @param isError whether it was printed as an error
         * @param line its bytes, without the end of the line
         */
        void line(int process, boolean isError, byte[] line);

        /** The rest of a process's output is lost. */
        void broken(int process, String why);

        /** The host itself has something to say to people. */
        void note(String text);
    }

    /** What the host has to offer, as it told last; known before {@link #open}. */
    HostRoom room();

    /**
     * Refuses to start so many processes at first, each of which takes so many bytes at least: far too many would take
     * the machine down before any of them could tell what it lacks.
     */
    default void requireRoom(int processes, long leastBytes) {
        long least = processes * leastBytes;
        if (least > room().availableBytes()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, processes + " processes need at least "
                + Units.bytes(least) + ", only " + Units.bytes(room().availableBytes())
                + " is available: reduce --ranks, --checksums or --spares");
        }
    }

    /** The secret of the job that it is to be opened for: one that the host knows already, or a new one. */
    default Token token() {
        return Token.random();
    }

    /** Where this process must listen so that the processes of the host can join: the number of an address. */
    default String launcherAddress() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    /**
     * Makes the host ready for a job: its places, and what its processes must know. Once. It may wait for the host, for
     * no longer than a process may take to join.
     *
     * @param wakeup runs on any thread when {@link #poll} has something to tell
     * @throws IOException if the host cannot be made ready
     */
    void open(HostJob job, Listener listener, Output output, Runnable wakeup) throws IOException;

    /** A folder of the job on this machine that nobody else can enter, once it is open; null where there is none. */
    default String place() {
        return null;
    }

    /** Starts the process of this number, which had none before; {@link Listener#started} or another event follows. */
    void start(int process);

    /** Sends a signal to a process; nothing happens if it is dead. */
    void signal(int process, Signal signal);

    /**
     * What the host's kernel says of a process, as it told last; asking makes the host tell again.
     *
     * @return null if nothing is known
     */
    ProcessVitals vitals(int process);

    /**
     * This process was told to end, and sees to the job: the same signal to processes of the own host is not for them.
     * Any thread.
     */
    default void isTold() {
        // processes of another host have their agent there
    }

    /**
     * For how long nothing was heard of the whole host of a process: of such a one nobody can tell whether it hangs.
     */
    default long hostSilentNanos(int process, long nowNanos) {
        return 0;
    }

    /**
     * What a process of the own host counts, or counted before it died, as the bytes of its file; until {@link #close}.
     * Null where it has counted nothing, or its host is another one.
     */
    default byte[] counters(int process) {
        return null;
    }

    /** So long {@link #poll} has nothing to do, if nobody wakes the job's thread: 0, or more. */
    long nextNanos(long nowNanos);

    /** Tells the listener what has happened since. */
    void poll(long nowNanos);

    /**
     * Waits until everything that ended processes have printed was handed on, but no longer than this: a grandchild may
     * hold a stream open.
     *
     * @return whether it was
     */
    boolean finishOutput(long timeoutNanos);

    /**
     * Kills all processes that are left, waits until they are gone, and removes what they left in shared memory. The
     * listener hears no more. Also where {@link #open} failed or was never called.
     *
     * @return the processes that are not gone after so long
     */
    List<Integer> killAll(long timeoutNanos);

    /** Removes the job's places, after {@link #killAll}. */
    @Override
    void close();
}
