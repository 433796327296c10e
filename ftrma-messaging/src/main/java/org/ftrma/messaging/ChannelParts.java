package org.ftrma.messaging;

import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.messaging.match.HeldRequests;
import org.ftrma.messaging.receive.MessageDeterminants;
import org.ftrma.messaging.receive.NondeterministicCalls;
import org.ftrma.messaging.receive.PointToPoint;
import org.ftrma.messaging.receive.RequestCompletion;

/**
 * Parts of a rank that all of its channels use.
 *
 * @param mostBytes bytes of the longest message that can be sent
 */
record ChannelParts(Inbox inbox, ProgramPhase phase, PointToPoint messages, NondeterministicCalls calls,
    RequestCompletion completion, HeldRequests held, MessageDeterminants determinants, long mostBytes) {
}
