package org.ftrma.rma.window;

import java.util.Arrays;
import org.ftrma.MisuseException;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.spi.RemoteMemory;

/**
 * The parts of one window, by rank, as this rank reaches them: each is opened before its first access, and anew when
 * its rank was lost. Says also where the program may access the window at all. Data thread only; hot path.
 */
final class WindowParts {
    /** No rank: what {@link #remotes} is where the program may not access windows. */
    private static final RemoteMemory[] CLOSED = {};

    private final PeerTable peers;
    private final ProgramPhase phase;
    private final Inbox inbox;
    private final String name;
    /** Of each rank. */
    private final long[] sizes;
    private final WindowArguments arguments;
    private final RemoteMemory[] attached;
    /**
     * {@link #attached}, or {@link #CLOSED}: the check of a target refuses an access that may not be made now, at no
     * cost of its own.
     */
    private RemoteMemory[] remotes = CLOSED;
    private Contributions keys;

    WindowParts(Inbox inbox, PeerTable peers, ProgramPhase phase, String name, WindowSizes sizes,
        WindowArguments arguments) {
        this.inbox = inbox;
        this.peers = peers;
        this.phase = phase;
        this.name = name;
        this.sizes = sizes.byRank;
        this.arguments = arguments;
        this.attached = new RemoteMemory[sizes.byRank.length];
    }

    /** In each view with what all ranks contributed: their keys. */
    void open(Contributions newKeys) {
        keys = newKeys;
        Arrays.fill(attached, null);
    }

    void allowAccesses(boolean isAllowed) {
        remotes = isAllowed ? attached : CLOSED;
    }

    void close(int peer) {
        attached[peer] = null;
    }

    /** The part of a target, of which these bytes are about to be accessed. */
    RemoteMemory remote(int target, long offset, long length) {
        inbox.drainIfReady();
        if (target < 0 || target >= remotes.length) {
            throw refused(target);
        }
        if ((offset | length) < 0 || offset > sizes[target] - length) {
            throw arguments.outside(target, offset, length);
        }
        RemoteMemory remote = remotes[target];
        return remote != null ? remote : attach(target);
    }

    void checkTarget(int target) {
        inbox.drainIfReady();
        if (target < 0 || target >= remotes.length) {
            throw refused(target);
        }
    }

    private MisuseException refused(int target) {
        return phase.allowsAccess() ? arguments.noSuchRank(target)
            : phase.refused("an access or lock, window=" + name + " target=" + target + ",");
    }

    private RemoteMemory attach(int target) {
        arguments.requireReached(target);
        RemoteMemory remote = peers.attachAgain(target, () -> keys.of(target));
        attached[target] = remote;
        return remote;
    }

    /** The part of a target now: it may have been replaced in a wait since the arguments were checked. */
    RemoteMemory present(int target) {
        RemoteMemory remote = remotes[target];
        return remote != null ? remote : attach(target);
    }

    /** As {@link #present}, where the program may not access windows yet: for a recovery. */
    RemoteMemory evenClosed(int target) {
        RemoteMemory remote = attached[target];
        return remote != null ? remote : attach(target);
    }

    void prefetch(int target, long offset) {
        if (target < 0 || target >= remotes.length) {
            throw refused(target);
        }
        if (offset < 0 || offset > sizes[target] - 8) {
            throw arguments.outside(target, offset, 8);
        }
        RemoteMemory remote = remotes[target];
        if (remote != null) {
            remote.prefetch(offset);
        }
    }
}
