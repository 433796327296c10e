package org.ftrma.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.Distribution;
import org.ftrma.MisuseException;
import org.ftrma.WindowKind;
import org.ftrma.core.checkpoint.DeclaredState;
import org.ftrma.core.checkpoint.MemoryNeeds;
import org.ftrma.core.checkpoint.PlacementDigest;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.core.session.Session;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.rma.window.WindowSizes;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/**
 * Allocations of a program: they survive a new view, and are handed out again, in the same order, when the program is
 * entered again. Data thread only.
 */
final class Allocations {
    private static final String WINDOW = "window";
    private static final String LOCAL = "protected segment";
    private static final String ROTATING = "rotating segment";
    private static final String DISTRIBUTION = "distribution";

    private final Session session;
    private final Fabric fabric;
    private final Inbox inbox;
    private final Exchanges exchanges;
    private final ProgramPhase phase;
    private final int member;
    private final int ranks;
    private final Arena arena;
    private final MemoryNeeds memory;
    private final List<WindowImpl> windows = new ArrayList<>();
    private final List<Local> locals = new ArrayList<>();
    private final List<RotatingImpl> rotating = new ArrayList<>();
    /** What the program says in this entry that its state depends on. */
    private final List<String> parameters = new ArrayList<>();
    /** How it says in this entry that this lies over the ranks, by name. */
    private final Map<String, Distribution> distributions = new HashMap<>();
    private int nextWindow;
    private int nextLocal;
    private int nextRotating;
    /** Whether the program begins with nothing: what was allocated before is handed out empty. */
    private boolean isFromNothing;

    private record Local(String name, MemorySegment memory) {
    }

    Allocations(Session session, Arena arena, MemoryNeeds memory) {
        this.session = session;
        this.fabric = session.fabric;
        this.inbox = session.inbox;
        this.exchanges = session.exchanges;
        this.phase = session.phase;
        this.member = session.member;
        this.ranks = session.ranks;
        this.arena = arena;
        this.memory = memory;
    }

    /** The program is about to be entered. */
    void enter(boolean fromNothing) {
        isFromNothing = fromNothing;
        nextWindow = 0;
        nextLocal = 0;
        nextRotating = 0;
        parameters.clear();
        distributions.clear();
        allowAccesses(false);
    }

    /** All windows, in the order of their numbers: a view of what there is. */
    List<WindowImpl> windows() {
        return windows;
    }

    List<MemorySegment> locals() {
        return locals.stream().map(Local::memory).toList();
    }

    List<RotatingImpl> rotating() {
        return rotating;
    }

    /** What the program says of its state; all of it is allocated. */
    DeclaredState declared() {
        return new DeclaredState(List.copyOf(parameters), locals.stream().map(Local::name).toList(),
            Map.copyOf(distributions));
    }

    /** How what has that name lies over the ranks. */
    void distribution(String name, Distribution distribution) {
        inbox.checkThread();
        ProgramCollectives.requireGiven(name, DISTRIBUTION, "name");
        ProgramCollectives.requireGiven(distribution, DISTRIBUTION, DISTRIBUTION);
        phase.requirePreparation(DISTRIBUTION);
        Distribution known = distributions.putIfAbsent(name, distribution);
        if (known != null) {
            throw new MisuseException(DISTRIBUTION + " " + name + ": " + distribution + "; it was said before to be "
                + known + "; say it once in an entry");
        }
        String places = PlacementDigest.of(distribution, ranks);
        exchanges.recordCall(DISTRIBUTION + " " + name + ": " + distribution
            + (places == null ? "" : "; places " + places));
    }

    private void checkDistributions() {
        for (String name : distributions.keySet()) {
            if (windows.stream().anyMatch(w -> w.name().equals(name) && w.kind() == WindowKind.SCRATCH)) {
                throw new MisuseException(DISTRIBUTION + " " + name + ": that is a scratch window, of which no image "
                    + "holds anything; leave the distribution out");
            }
            if (isNew(name)) {
                throw new MisuseException(DISTRIBUTION + " " + name + ": there is no window or segment of that name; "
                    + "allocate it before the loop, or leave the distribution out");
            }
        }
    }

    /** The state depends on it. */
    void parameter(String name, String value) {
        inbox.checkThread();
        ProgramCollectives.requireGiven(name, "parameter", "name");
        ProgramCollectives.requireGiven(value, "parameter", "value");
        phase.requirePreparation("parameter");
        String line = "parameter " + name + ": " + value;
        if (line.chars().anyMatch(Character::isISOControl)) {
            throw new MisuseException("parameter " + name.strip() + ": name and value are of one line, without control "
                + "characters; give a digest of what is longer");
        }
        exchanges.recordCall(line);
        parameters.add(line);
    }

    /** Whether the program may access its windows from now on. */
    void allowAccesses(boolean isAllowed) {
        windows.forEach(window -> window.allowAccesses(isAllowed));
    }

    /** The bytes of all that images hold. */
    long protectedBytes() {
        return windows.stream().filter(window -> window.kind() == WindowKind.PROTECTED)
            .mapToLong(WindowImpl::largestBytes)
            .sum()
            + locals.stream().mapToLong(local -> local.memory().byteSize()).sum() + rotating.stream()
            .mapToLong(segment -> segment.bytes).sum();
    }

    /** All is allocated now. */
    void checkComplete() {
        if (nextWindow < windows.size() || nextLocal < locals.size() || nextRotating < rotating.size()) {
            throw new MisuseException("steps: the program allocated less than when it was entered before");
        }
        checkDistributions();
    }

    private void check(String what, String name, long bytes) {
        inbox.checkThread();
        if (name == null) {
            throw new MisuseException(what + ": name is null");
        }
        phase.requireAllocation(what, name);
        if (bytes <= 0) {
            throw new MisuseException(what + " " + name + " bytes=" + bytes + ": must be more than 0");
        }
    }

    private static void checkSame(String what, String name, long bytes, String oldName, long oldBytes) {
        if (!oldName.equals(name) || oldBytes != bytes) {
            throw new MisuseException(what + " " + name + " bytes=" + bytes + ": allocated as " + oldName + " bytes="
                + oldBytes
                + " when the program was entered before; it must allocate the same in the same order");
        }
    }

    private boolean isNew(String name) {
        return windows.stream().noneMatch(window -> window.name().equals(name))
            && locals.stream().noneMatch(local -> local.name().equals(name))
            && rotating.stream().noneMatch(segment -> segment.name.equals(name));
    }

    private void checkNew(String what, String name) {
        if (!isNew(name)) {
            throw new MisuseException(what + " " + name
                + ": the name is taken; give each window, segment and team a name of its own");
        }
    }

    /** The next window, of the same size on each rank; its peers' keys are to be exchanged. */
    WindowImpl window(String name, long bytes, WindowKind kind) {
        check(WINDOW, name, bytes);
        requireKind(name, kind);
        exchanges.recordCall(WINDOW + " " + name + " bytes=" + bytes + " kind=" + kind);
        return window(name, WindowSizes.equal(ranks, bytes), kind);
    }

    /** The next window, of so many bytes here, and of as many as each other rank says. */
    WindowImpl unequalWindow(String name, long bytes, WindowKind kind) {
        check(WINDOW, name, Math.max(1, bytes));
        requireKind(name, kind);
        if (bytes < 0) {
            throw new MisuseException(WINDOW + " " + name + " bytes=" + bytes + ": must be 0 or more");
        }
        exchanges.recordCall(WINDOW + " " + name + " of sizes of their own, kind=" + kind);
        inbox.place("in allocateUnequal \"" + name + '"');
        Contributions told = exchanges.of(ControlMessage.Scope.COMPUTING, Blob.longs(new long[] {bytes}));
        told.fetch(ranks);
        long[] sizes = new long[ranks];
        for (int rank = 0; rank < sizes.length; rank++) {
            sizes[rank] = Blob.longs(told.of(rank))[0];
        }
        WindowSizes all = WindowSizes.of(sizes);
        if (all.largest() == 0) {
            throw new MisuseException(WINDOW + " " + name + " bytes=0: on all ranks; one has more than 0 at least");
        }
        return window(name, all, kind);
    }

    private static void requireKind(String name, WindowKind kind) {
        if (kind == null) {
            throw new MisuseException(WINDOW + " " + name + ": kind is null");
        }
    }

    private WindowImpl window(String name, WindowSizes sizes, WindowKind kind) {
        if (nextWindow == windows.size()) {
            checkNew(WINDOW, name);
            if (windows.size() == ControlDescriptor.MAX_WINDOWS) {
                throw new MisuseException(WINDOW + " " + name + ": at most " + ControlDescriptor.MAX_WINDOWS
                    + " windows in a job");
            }
            memory.window(sizes.largest(), kind);
            windows.add(new WindowImpl(session, name, windows.size(), sizes, kind));
            return windows.get(nextWindow++);
        }
        WindowImpl window = windows.get(nextWindow);
        checkSame(WINDOW, name, sizes.at(member), window.name(), window.bytes());
        if (!sizes.toString().equals(window.sizes())) {
            throw new MisuseException(WINDOW + " " + name + " of " + sizes + ": allocated with " + window.sizes()
                + " when the program was entered before; it must allocate the same in the same order");
        }
        if (window.kind() != kind) {
            throw new MisuseException(WINDOW + " " + name + " kind=" + kind + ": allocated as " + window.kind()
                + " when the program was entered before; it must allocate the same in the same order");
        }
        if (isFromNothing) {
            window.memory().fill((byte) 0);
        }
        nextWindow++;
        return window;
    }

    /** The next protected segment. */
    MemorySegment local(String name, long bytes) {
        check(LOCAL, name, bytes);
        exchanges.recordCall(LOCAL + " " + name + " bytes=" + bytes);
        if (nextLocal == locals.size()) {
            checkNew(LOCAL, name);
            memory.local(bytes);
            locals.add(new Local(name, arena.allocate(bytes, ImageLayout.BLOCK)));
            return locals.get(nextLocal++).memory();
        }
        Local local = locals.get(nextLocal++);
        checkSame(LOCAL, name, bytes, local.name(), local.memory().byteSize());
        if (isFromNothing) {
            local.memory().fill((byte) 0);
        }
        return local.memory();
    }

    /** The next rotating segment, of so many buffers. */
    RotatingImpl rotating(String name, long bytes, int buffers) {
        check(ROTATING, name, bytes);
        exchanges.recordCall(ROTATING + " " + name + " bytes=" + bytes);
        if (nextRotating == rotating.size()) {
            checkNew(ROTATING, name);
            if (rotating.size() == ImageLayout.MAX_ROTATING) {
                throw new MisuseException(ROTATING + " " + name + ": at most " + ImageLayout.MAX_ROTATING
                    + " in a job");
            }
            memory.rotating(bytes);
            MemoryRegion region = fabric.expose(buffers * ImageLayout.align(bytes));
            rotating.add(new RotatingImpl(name, bytes, region, buffers, phase));
            return rotating.get(nextRotating++);
        }
        RotatingImpl segment = rotating.get(nextRotating);
        checkSame(ROTATING, name, bytes, segment.name, segment.bytes);
        if (isFromNothing) {
            segment.clear();
        }
        nextRotating++;
        return segment;
    }
}
