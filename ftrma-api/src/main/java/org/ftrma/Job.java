package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * One rank's view of a running job: what a {@link Program} gets. Everything that all ranks must call in the same order
 * is marked collective. Data thread only (the thread that entered the program).
 *
 * <p>A program allocates, initializes, and goes through one loop; it is entered again after a rollback, and by the
 * process that replaces a lost one. A step boundary is where a checkpoint may be taken. Its contract, which
 * {@code docs/concepts.md} explains:
 *
 * <table>
 * <caption>The contract, and what is checked of it</caption>
 * <tr><th>rule</th><th>checked</th><th>found by</th></tr>
 * <tr><td>windows and segments are allocated before {@code steps()}, outside of {@code initialize}, each under a name
 * of its own</td><td>at the call</td><td>{@code MisuseException}</td></tr>
 * <tr><td>all ranks allocate the same in the same order: names, sizes (except of {@code allocateUnequal}),
 * kinds</td><td>when ranks next exchange something: at the next window, or at the first step</td><td>{@code
 * MisuseException} that names both</td></tr>
 * <tr><td>a program that is entered again allocates the same as before</td><td>at the call, or at the first
 * step</td><td>{@code MisuseException}</td></tr>
 * <tr><td>accesses, locks, collectives and {@code nondeterministic} take place inside of {@code initialize}, in the
 * loop, or after it</td><td>at the call</td><td>{@code MisuseException}</td></tr>
 * <tr><td>the rank's own part of a window and protected segments are written directly only there</td><td>not
 * checked</td><td>{@code --verify-restart}</td></tr>
 * <tr><td>a protected number or record is read only there</td><td>at the call</td><td>{@code MisuseException}</td></tr>
 * <tr><td>a program has one loop, over {@code steps()} or by {@code nextStep()}, goes through it once, and gives the
 * same number of steps on every rank</td><td>at the call, and at the first step</td><td>{@code MisuseException} that
 * names both</td></tr>
 * <tr><td>all ranks leave the loop in the same step, whether it ends or they break out of it</td><td>when they return;
 * earlier if one waits for another that has returned, or if their collectives differ</td><td>{@code MisuseException}
 * that names both steps</td></tr>
 * <tr><td>all ranks call the same collectives in the same order: kind, size, root, operation, type</td><td>when they
 * meet, before data moves (sizes of 64 KiB and more by a digest of 16 bits); on a channel, and in a job with {@code
 * --protocol pessimistic-v} (where gsync is a barrier), when a message of one reaches a rank that calls another one, at
 * the latest when a later collective receives from the same rank; if all wait for each other instead, at {@code
 * --deadline}</td><td>{@code MisuseException} that names both and the number of the collective, and all later
 * collectives of the channel are refused; {@code DeadlineException} that names the collective of one rank, and the rank
 * it waits for</td></tr>
 * <tr><td>all members of a team call the same collectives in the same order: kind, size, root, operation,
 * type</td><td>when a member receives what another one sent in another call; if they wait for each other instead, at
 * {@code --deadline}</td><td>{@code MisuseException} that names both and the number of the collective, and all later
 * collectives of the team are refused; {@code DeadlineException} that names the last call of the other one</td></tr>
 * <tr><td>no rank returns while others still wait for it</td><td>a second or two after it returned</td><td>{@code
 * MisuseException}: rank 1 has finished</td></tr>
 * <tr><td>an exclusive lock is released before the program returns</td><td>when it returns</td><td>{@code
 * MisuseException}</td></tr>
 * <tr><td>a rank holds at most one lock of a window at a target, and releases only what it holds</td><td>at the
 * call</td><td>{@code MisuseException}</td></tr>
 * <tr><td>only the thread that entered the program calls {@code Job}, {@code Window} and {@code Request}; others may
 * use memory</td><td>at the call (except for calls that only return something, and rotating segments)</td><td>{@code
 * MisuseException}</td></tr>
 * <tr><td>ranks exist, ranges lie in window and segment, atomics are aligned and defined, nothing is null</td><td>at
 * the call, before any byte moves</td><td>{@code MisuseException}</td></tr>
 * <tr><td>all ranks ask for a checkpoint in the same step</td><td>not checked</td><td>after {@code --cut-deadline} it
 * is abandoned: a warning names the ranks that did not arrive, and where they are</td></tr>
 * <tr><td>no step waits for what another rank does in a later step</td><td>if a checkpoint is due there</td><td>it is
 * abandoned: a warning names who waits for what; the next ones are tried ever more rarely, and the result counts them
 * ({@code abandoned}) and their time ({@code abandonedMillis})</td></tr>
 * <tr><td>a rotating segment advances at most once in a step, or inside of {@code initialize}</td><td>at the
 * call</td><td>{@code MisuseException}</td></tr>
 * <tr><td>what a later step needs is in a protected window or segment, and in no variable</td><td>not
 * checked</td><td>{@code --verify-restart}</td></tr>
 * <tr><td>a step does the same again, given the restored state</td><td>with logs, at the next logged access that
 * differs</td><td>a rollback, {@code DETERMINANT_MISMATCH}; {@code --verify-restart}</td></tr>
 * <tr><td>accesses of the same bytes, one of them a write, are ordered or atomic</td><td>only where replay meets
 * them</td><td>{@code --check-races}; a rollback, {@code UNORDERED_CONFLICT}</td></tr>
 * <tr><td>until an access is complete its source is not changed, its result not read, and neither freed</td><td>not
 * checked</td><td>{@code --check-races}, if it is memory of a window</td></tr>
 * <tr><td>the memory that {@code Window.shared} returns is read only until the next synchronization, and nobody writes
 * there until then</td><td>not checked</td><td>{@code --check-races} for writes at the time of the call</td></tr>
 * <tr><td>a staged segment is put once, whole, by one put to the window and target that it was staged for, and not used
 * afterwards</td><td>not checked</td><td>nothing</td></tr>
 * <tr><td>the content of a scratch window is not used in a later step</td><td>not checked</td><td>{@code
 * --verify-restart}, which fills it with garbage</td></tr>
 * <tr><td>files, sockets and printed lines may be written again</td><td>not checked</td><td>nothing</td></tr>
 * </table>
 *
 * <p>A call that is refused has changed nothing.
 */
public interface Job {
    /** This rank, 0 up to {@link #ranks} - 1; constant for the job, whatever process plays it. */
    int rank();

    /** The number of computing ranks. */
    int ranks();

    /** How often this rank was replaced: 0 for the process it started with. */
    int incarnation();

    /** Collective, before {@link #steps}: a protected window of {@code bytes} on every rank, zeroed. */
    default Window allocateWindow(String name, long bytes) {
        return allocateWindow(name, bytes, WindowKind.PROTECTED);
    }

    /**
     * Collective, before {@link #steps} and outside of {@link #initialize}: a window of {@code bytes} on every rank,
     * zeroed at generation 0. No access to it before the first step, but in initialize.
     *
     * @param name of no other window
     * @param bytes more than 0, the same on every rank
     * @param kind the same on every rank
     */
    Window allocateWindow(String name, long bytes, WindowKind kind);

    /** {@link #allocateUnequal(String, long, WindowKind)} of a protected window. */
    default Window allocateUnequal(String name, long bytes) {
        return allocateUnequal(name, bytes, WindowKind.PROTECTED);
    }

    /**
     * Collective, before {@link #steps} and outside of {@link #initialize}: as {@link #allocateWindow(String, long,
     * WindowKind)}, a window of which each rank has as many bytes as it says; {@link Window#bytes(int)} tells how many
     * another one has. What a rank with few bytes has is its own memory alone. But images and parities have the same
     * shape for all, with room for the largest part: in them the rest of a smaller part is zero, takes no memory at the
     * rank itself before it is rebuilt there, and counts in parities and in what is planned.
     *
     * @param bytes 0 or more, and more than 0 on one rank at least; the same at each entry, and after a restart from
     *     disk
     */
    Window allocateUnequal(String name, long bytes, WindowKind kind);

    /**
     * Collective, before {@link #steps}: local memory that survives, zeroed; the same name and size on every rank, in
     * the same order.
     */
    MemorySegment protect(String name, long bytes);

    /**
     * Collective, before {@link #steps}: a local number that survives, 0 at generation 0; a {@link #protect(String,
     * long)} of 8 bytes under that name.
     */
    default LongCell protectLong(String name) {
        return new LongCell(protect(name, LongCell.BYTES), new CellGate(this, "protectLong", name));
    }

    /**
     * Collective, before {@link #steps}: a local floating point number that survives, 0 at generation 0; a
     * {@link #protect(String, long)} of 8 bytes under that name.
     */
    default DoubleCell protectDouble(String name) {
        return new DoubleCell(protect(name, DoubleCell.BYTES), new CellGate(this, "protectDouble", name));
    }

    /**
     * Collective, before {@link #steps}: a local record of primitives that survives, all 0 and false at generation 0; a
     * {@link #protect(String, long)} under that name, of the bytes that its components take, each of which lies at the
     * next multiple of its size.
     *
     * @param type a record whose components are primitives, the same on every rank
     * @throws MisuseException if it has another component, or none, or is in a package that is not open
     */
    default <R extends Record> RecordCell<R> protect(String name, Class<R> type) {
        RecordShape<R> shape = RecordShape.of(name, type);
        return new RecordCell<>(shape, protect(name, shape.bytes()), new CellGate(this, "protect", name));
    }

    /**
     * Whether protected state is what a program may rely on: inside of {@link #initialize}, and from the first step on.
     * Before that a process that takes a lost rank's place has nothing in it yet.
     */
    default boolean hasState() {
        return true;
    }

    /** {@link #random(String, long)} under the name {@code random}, for a program that has one. */
    default RandomGenerator random(long seed) {
        return random("random", seed);
    }

    /**
     * Collective, before {@link #steps}: random numbers that a step draws again when it is run again, since the
     * generator's state survives; a {@link #protect(String, long)} of 32 bytes under that name. To be used inside of
     * {@link #initialize}, in the loop and after it, by one thread. Each rank has a sequence of its own; equal seeds
     * give equal ones. After a restart from disk the sequence goes on, whatever seed is given. Uniform, of period 2^256
     * - 1, not for cryptography; {@code nextLong} allocates nothing.
     */
    default RandomGenerator random(String name, long seed) {
        return new ProtectedRandom(protect(name, ProtectedRandom.BYTES), seed, rank());
    }

    /**
     * Collective, before {@link #steps}: local double-buffered memory that survives, zeroed; the same name and size on
     * every rank.
     */
    RotatingSegment protectRotating(String name, long bytes);

    /**
     * Collective, after the allocations: runs {@code body} at generation 0 only, never over restored state. Accesses,
     * locks and collectives are allowed in it, and before the first step nowhere else; allocation is not, since it
     * would be left out at the next entry.
     */
    void initialize(Runnable body);

    /**
     * Collective, before {@link #steps}: declares that the protected state is one of a problem with this parameter,
     * such as its size, a seed, or the name of its input. A job begins from a generation on disk only if the program
     * declares the same then, in the same order. What is not declared may differ there: more steps, a tolerance,
     * what is printed. Nothing is done about it elsewhere.
     *
     * @param name of no other parameter, one line
     * @param value one line
     * @throws MisuseException in the loop, inside of {@link #initialize}, or where the other ranks declare another
     */
    void parameter(String name, String value);

    /**
     * Collective, before {@link #steps}: says how a protected window or segment lies over the ranks. A job begins from
     * a generation on disk that was written on another number of ranks only if the program says it of all that is
     * protected; the distribution is asked for both numbers then. What {@link #initialize} would have made there is
     * part of what is moved. Nothing is done about it elsewhere; with as many ranks as before each rank gets what it
     * had. A number, a record and a generator of random numbers are segments under their names, a {@link Team} has a
     * window that the library knows of.
     *
     * @param name of what is allocated before or after, until the loop
     * @param distribution the same on every rank, and of the same text when a job begins from disk
     * @throws MisuseException in the loop, inside of {@link #initialize}, where it was said before in this entry, or
     *     where the other ranks say something else
     */
    void distribution(String name, Distribution distribution);

    /**
     * Before {@link #steps}: what this rank does when a generation is committed, such as to hand on output that the
     * program has kept since the one before. It is called between steps, on the data thread, and told of each
     * generation in the order of their numbers:
     * <ul>
     * <li>A process is told of a generation at most once, whatever is rolled back.
     * <li>Each committed generation is told on each rank at least once before the next one is committed: a rank copies
     * its state for that one after the action has returned. The process that takes a lost rank's place, and each
     * process of a job that begins from disk, is told of the generation that it begins from, which a process before it
     * may have been told of, too.
     * <li>A generation that is committed when the program has returned is told nowhere: the end of the program does
     * what comes after the last one.
     * </ul>
     * So what it does happens once, and where a process is lost perhaps twice. A program has it happen exactly once if
     * to do it again changes nothing: by a file that is written under another name and then renamed to one with the
     * generation's number, or a table that has that number as its key. What is to be handed on belongs to steps up to
     * {@link Generation#step}; the program's state is that of a later one by then.
     *
     * <p>Inside of it are no accesses, locks, collectives or {@link #nondeterministic}, and protected state is only
     * read: when it is called is not repeated by a replay. It may report. What it throws the program has thrown. Where
     * the job is not protected it is never called. Several actions are called in their order; they are given anew at
     * each entry.
     *
     * @throws MisuseException in the loop, or inside of {@link #initialize}
     */
    void onCommit(Consumer<Generation> action);

    /**
     * Collective: the resilient loop over the steps 1 to {@code iterations}. It begins at the step after the restored
     * image's. All ranks run the same number of steps, whether they go through all or break out of one; checkpoints are
     * taken between steps. Called once in a program, and iterated once. From its first step on accesses, locks and
     * collectives are allowed, after it too, until the program returns.
     *
     * @param iterations 0 to 2^31 - 2, the same on every rank
     */
    Iterable<Long> steps(long iterations);

    /**
     * Collective: the resilient loop where nobody knows ahead how many steps it takes, in place of {@link #steps}. Ends
     * the step being run, if there is one, and begins the next; the first call begins the step after the restored
     * image's. A checkpoint is taken between steps, so that a step which the program breaks out of has none at its end:
     * <pre>{@code
     * while (job.nextStep()) {
     *     double residual = job.allReduce(AtomicOp.SUM, relax());
     *     if (residual < tolerance) {
     *         break; // in the same step on all ranks, since all know the sum
     *     }
     * }
     * }</pre>
     * Allocates nothing.
     *
     * @return whether a step has begun: true, until there were 2^31 - 2 of them
     * @throws MisuseException where the program has another loop, or inside of {@link #initialize}
     */
    boolean nextStep();

    /**
     * Collective: asks for a coordinated checkpoint at the end of the step being run, besides those of {@code
     * --interval}. All ranks call it in the same step, or none does: else the checkpoint is given up when {@code
     * --cut-deadline} is over. It is put off to the next boundary where an exclusive lock is held at this one. It comes
     * to nothing in the last step, in one that the program breaks out of, and where the job is not protected. Costs
     * nothing where it is not called. Data thread only; allocates nothing.
     *
     * @throws MisuseException outside of the loop
     */
    void checkpoint();

    /** The step being run, or after the loop the last one; 0 before the loop. */
    long step();

    /** Collective: completes all accesses of all ranks in all windows (an MPI fence). */
    void gsync();

    /** Collective: returns when all ranks have called it. It completes no accesses. */
    void barrier();

    /** Collective: the contents of {@code data} at {@code root} reach all ranks. Same size everywhere. */
    void broadcast(MemorySegment data, int root);

    /**
     * Collective: element-wise reduction with lower ranks on the left. How it is bracketed follows from the number of
     * ranks and bytes alone, so that every rank gets the same bits, in each run. {@code op} is neither REPLACE nor
     * NO_OP. The destination may be the source.
     */
    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Collective: {@link #allReduce} of one value. */
    double allReduce(AtomicOp op, double value);

    /** Collective: {@link #allReduce} of one value. */
    long allReduce(AtomicOp op, long value);

    /**
     * Collective: the {@code source} of rank r arrives at {@code r * source.byteSize()} of {@code destination} on every
     * rank.
     */
    void allGather(MemorySegment source, MemorySegment destination);

    /**
     * Lets what is under way go on while the program computes: copies of staged puts to the log, a few KiB in each
     * call, and transfers over the network. A program that computes for long between its accesses may call it every
     * microsecond or so, best in a part that works in the cache: the processor writes to memory then without having to
     * wait. It never has to be called. Allocates nothing; takes nanoseconds where there is nothing to do.
     */
    void progress();

    /**
     * A value that is not determined by the program (time, random numbers, the outcome of a test). Not before the first
     * step, but in initialize. A replay takes the value from the log and does not call the supplier: it calls nothing
     * of this library.
     */
    long nondeterministic(LongSupplier supplier);

    /**
     * Before {@link #steps}, on all ranks or none: two-sided messages and collectives among all ranks. Each call
     * returns the same channel. It needs memory: {@code --lane} bytes for each rank that sends to this one, and what
     * {@code --outbox} and {@code --unexpected} say, all taken as it is used.
     *
     * @throws MisuseException where accesses are logged (protocols full, puts and ml), which messages are not yet
     */
    Channel messages();

    /**
     * Collective, before {@link #steps} and outside of {@link #initialize}: the ranks that give the same color, in the
     * order of their keys, equal ones in that of their ranks (as MPI_Comm_split has them). A program that is entered
     * again gets the same for the same colors and keys.
     *
     * @param color at least 0; or -1: this rank is in none
     * @return ranks of the job, this one among them; null for color -1
     */
    int[] split(int color, int key);

    /**
     * Collective, before {@link #steps} and outside of {@link #initialize}, of all ranks of the job: those that give
     * the same color become a {@link Team}, in the order of {@link #split}. Each rank, whatever its color, has a
     * protected window of that name for it, unless messages are logged: then it is a {@link Channel}.
     *
     * @param name of no other window, segment or team; the same on every rank
     * @param color at least 0; or -1: this rank is in no team
     * @return the team, or null for color -1
     */
    Team team(String name, int color, int key);

    /** {@link #team(String, int, int)} under the name {@code team}, for a program that splits its ranks once. */
    default Team team(int color, int key) {
        return team("team", color, key);
    }

    /** This rank's counters: a live view, all 0 where accesses are not logged (and before the first step). */
    Counters counters();

    /** Sets a value of the job's result (shown in its summary and JSON). Any rank; the last one set wins. */
    void report(String key, String value);

    /** {@link #report(String, String)} of a number. */
    void report(String key, double value);

    /** {@link #report(String, String)} of a number. */
    void report(String key, long value);

    /**
     * {@link #report(String, String)} of a truth value. {@code report("verified", false)} makes the job end with exit
     * code 1.
     */
    void report(String key, boolean value);
}
