package org.ftrma.runtime;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.core.collective.CollectiveCall;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.image.BufferChecks;
import org.ftrma.core.protocol.RecoveryProtocols;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.messaging.MessageEngine;
import org.ftrma.options.JobOptions;

/**
 * The collectives that a program calls: arguments are checked, and the call goes to the job's own collectives, or,
 * where messages are logged, to those of its channel. Data thread only.
 */
final class ProgramCollectives {
    private final Inbox inbox;
    private final JobOptions options;
    private final PeerFailureHandling survivor;
    private final ProgramPhase phase;
    private final int member;
    private final Collectives collectives;
    private final RecoveryProtocols protocols;
    private final MessageEngine messages;
    private final boolean isMessageLogged;

    ProgramCollectives(Inbox inbox, JobOptions options, PeerFailureHandling survivor, ProgramPhase phase, int member,
        Collectives collectives, RecoveryProtocols protocols, MessageEngine messages) {
        this.inbox = inbox;
        this.options = options;
        this.survivor = survivor;
        this.phase = phase;
        this.member = member;
        this.collectives = collectives;
        this.protocols = protocols;
        this.messages = messages;
        this.isMessageLogged = options.protocol().logsMessages();
    }

    private void entering(String collective) {
        inbox.drainIfReady();
        phase.requireAccess(collective);
    }

    static void requireGiven(Object argument, String call, String parameter) {
        if (argument == null) {
            throw new MisuseException(call + ": " + parameter + " is null");
        }
    }

    void gsync() {
        entering("gsync");
        if (isMessageLogged) {
            survivor.flushAll(); // of the own windows
            messages.world().barrier();
            return;
        }
        protocols.gsyncBegins();
        survivor.completeAll();
        protocols.gsyncFlushed();
        collectives.barrier(CollectiveCall.Kind.GSYNC);
        protocols.collectiveOver(true);
    }

    void barrier() {
        entering("barrier");
        if (isMessageLogged) {
            messages.world().barrier();
            return;
        }
        collectives.barrier(CollectiveCall.Kind.BARRIER);
        protocols.collectiveOver(false);
    }

    void broadcast(MemorySegment data, int root) {
        entering("broadcast");
        if (root == member) {
            BufferChecks.checkRead(data, "broadcast", "data");
        } else {
            BufferChecks.checkWritten(data, "broadcast", "data");
        }
        if (isMessageLogged) {
            messages.world().broadcast(data, root);
            return;
        }
        collectives.broadcast(data, root);
        protocols.collectiveOver(false);
    }

    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        entering("allReduce");
        requireGiven(op, "allReduce", "op");
        requireGiven(type, "allReduce", "type");
        BufferChecks.checkRead(source, "allReduce", "source");
        BufferChecks.checkWritten(destination, "allReduce", "destination");
        if (isMessageLogged) {
            messages.world().allReduce(op, type, source, destination);
            return;
        }
        collectives.allReduce(op, type, source, destination);
        protocols.collectiveOver(false);
    }

    double allReduce(AtomicOp op, double value) {
        entering("allReduce");
        requireGiven(op, "allReduce", "op");
        if (isMessageLogged) {
            return messages.world().allReduce(op, value);
        }
        double result = Double.longBitsToDouble(collectives.allReduceOne(op, DataType.FLOAT64,
            Double.doubleToRawLongBits(value)));
        protocols.collectiveOver(false);
        return result;
    }

    long allReduce(AtomicOp op, long value) {
        entering("allReduce");
        requireGiven(op, "allReduce", "op");
        if (isMessageLogged) {
            return messages.world().allReduce(op, value);
        }
        long result = collectives.allReduceOne(op, DataType.INT64, value);
        protocols.collectiveOver(false);
        return result;
    }

    void allGather(MemorySegment source, MemorySegment destination) {
        entering("allGather");
        BufferChecks.checkRead(source, "allGather", "source");
        BufferChecks.checkWritten(destination, "allGather", "destination");
        if (isMessageLogged) {
            messages.world().allGather(source, destination);
            return;
        }
        collectives.allGather(source, destination);
        protocols.collectiveOver(false);
    }
}
