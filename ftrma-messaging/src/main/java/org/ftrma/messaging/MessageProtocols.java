package org.ftrma.messaging;

import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.ftrma.messaging.pessimistic.PessimisticProtocol;
import org.ftrma.messaging.protocol.MessageProtocol;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.unlogged.UnloggedProtocol;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Protocol;

/** Table of the message protocols, by the name that a job chooses. Immutable; any thread. */
final class MessageProtocols {
    /** Protocols that say nothing of messages log none. */
    private static final Choice UNLOGGED =
        new Choice(UnloggedProtocol::new, UnloggedProtocol::bytes, UnloggedProtocol::memory);
    private static final Map<Protocol, Choice> TABLE = Map.of(
        Protocol.PESSIMISTIC_V,
        new Choice(PessimisticProtocol::new, PessimisticProtocol::bytes, PessimisticProtocol::memory));

    /**
     * A message protocol of the table.
     *
     * @param create makes it
     * @param bytes the memory that it takes beside lanes
     * @param memory the option of that memory, with its value, for error messages
     */
    record Choice(Function<MessagingContext, MessageProtocol> create, ToLongFunction<JobOptions> bytes,
        Function<JobOptions, String> memory) {
    }

    private MessageProtocols() {
    }

    /** The message protocol of a job. */
    static Choice of(Protocol protocol) {
        return TABLE.getOrDefault(protocol, UNLOGGED);
    }
}
