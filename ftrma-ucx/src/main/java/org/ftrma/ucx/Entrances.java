package org.ftrma.ucx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.openucx.jucx.ucp.UcpContext;

/**
 * Service workers for incoming network accesses: one per admitted peer, or one for all. The thread that serves them
 * begins with the first. Any thread, one at a time; those that close something are the data thread.
 */
final class Entrances implements Admission {
    /**
     * A peer's own way.
     *
     * @param process whose it is
     */
    private record Entrance(long process, ServiceWorker worker) {
    }

    private final UcpContext context;
    private final Map<Integer, Entrance> byPeer = new HashMap<>();
    private final Refusals refusals;
    private ServiceWorker common;
    private ServiceThread thread;
    private boolean givesWay;
    private boolean anyWorkerLost;
    private boolean closed;

    Entrances(UcpContext context, Refusals refusals) {
        this.context = context;
        this.refusals = refusals;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public synchronized void giveWay() {
        givesWay = true;
    }

    @Override
    public synchronized byte[] addressForAll() {
        if (common == null) {
            common = open();
        }
        return common.address();
    }

    @Override
    public synchronized boolean letAllIn() {
        return common != null;
    }

    @Override
    public synchronized byte[] addressFor(int peer, long process) {
        refusals.require(peer, process);
        Entrance entrance = byPeer.get(peer);
        if (entrance == null) {
            entrance = new Entrance(process, open());
            byPeer.put(peer, entrance);
        } else if (entrance.process != process) {
            throw new MisuseException("peer=" + peer + ": an earlier process of it was not revoked");
        }
        return entrance.worker.address();
    }

    private ServiceWorker open() {
        if (closed) {
            throw new MisuseException("the fabric is closed: it lets nobody in");
        }
        if (thread == null) {
            thread = new ServiceThread(givesWay);
        }
        ServiceWorker worker = new ServiceWorker(context);
        thread.add(worker);
        return worker;
    }

    @Override
    public boolean revoke(int peer) {
        Entrance entrance;
        synchronized (this) {
            entrance = byPeer.remove(peer);
            if (entrance == null) {
                return false;
            }
            refusals.add(entrance.process);
        }
        close(entrance.worker); // those who ask for an address meanwhile need not wait
        return true;
    }

    private void close(ServiceWorker worker) {
        thread.release(worker);
        worker.destroy();
        synchronized (this) {
            anyWorkerLost |= worker.lost() != null;
        }
    }

    /** Closes all ways: whoever is to come again needs a new address. */
    void closeAll() {
        List<ServiceWorker> workers = new ArrayList<>();
        synchronized (this) {
            byPeer.values().forEach(entrance -> workers.add(entrance.worker));
            byPeer.clear();
            if (common != null) {
                workers.add(common);
                common = null;
            }
        }
        workers.forEach(this::close);
    }

    /** Whether UCX gave up one of the workers, which then still belongs to the context. */
    synchronized boolean lostAny() {
        return anyWorkerLost;
    }

    /** Closes all ways for ever. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        closeAll();
        synchronized (this) {
            if (thread != null) {
                thread.close();
                thread = null;
            }
        }
    }
}
