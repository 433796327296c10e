package org.ftrma.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.options.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Arguments of a channel of three ranks at rank 1, whose messages have at most 100 bytes. */
class ChannelArgumentsTest {
    private static final int RANK = 1;
    private final ChannelArguments arguments = new ChannelArguments(3, RANK, 100);

    private static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(bytes, 8);
    }

    private static void assertRefused(String part, Executable call) {
        String message = assertThrows(MisuseException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void targetsAreRanksOfTheChannel() {
        arguments.checkTarget("send", 2, 0);
        assertRefused("send: target=3: must be 0 to 2", () -> arguments.checkTarget("send", 3, 0));
        assertRefused("target=-1", () -> arguments.checkTarget("send", -1, 0));
        assertRefused("tag=-1: must be 0 to 2147483647", () -> arguments.checkTarget("send", 0, -1));
    }

    @Test
    void sourcesAndTagsMayBeAny() {
        arguments.checkSource("recv", Channel.ANY_SOURCE, Channel.ANY_TAG);
        assertRefused("source=3: must be 0 to 2, or ANY_SOURCE (-1)", () -> arguments.checkSource("recv", 3, 0));
        assertRefused("source=-2", () -> arguments.checkSource("recv", -2, 0));
        assertRefused("tag=-2", () -> arguments.checkSource("recv", 0, -2));
    }

    @Test
    void bytesLieInTheSegment() {
        ChannelArguments.checkBounds("send", memory(16), 8, 8);
        assertRefused("offset=9 length=8: the segment has 16 bytes",
            () -> ChannelArguments.checkBounds("send", memory(16), 9, 8));
        assertRefused("offset=-1", () -> ChannelArguments.checkBounds("send", memory(16), -1, 8));
        assertRefused("length=9223372036854775807",
            () -> ChannelArguments.checkBounds("send", memory(16), 1, Long.MAX_VALUE));
    }

    @Test
    void memoryOfTheHeapIsRefused() {
        assertRefused("on the Java heap",
            () -> ChannelArguments.checkBounds("send", MemorySegment.ofArray(new byte[8]), 0, 8));
    }

    @Test
    void aMessageThatDoesNotFitTheLogIsToldTheOption() {
        arguments.checkLogged("send", "length", 100);
        assertRefused("length=101 bytes: a message that is logged must fit into --message-log as a whole, which has "
            + "room for 100 bytes; use --message-log 1MiB", () -> arguments.checkLogged("send", "length", 101));
    }

    @Test
    void aRootThatIsNoRankIsRefused() {
        assertRefused("root=3: must be 0 to 2", () -> arguments.checkBroadcast("broadcast", memory(8), 3));
    }

    @Test
    void onlyTheRootOfAReductionNeedsADestination() {
        arguments.checkReduce("reduce", AtomicOp.SUM, DataType.INT64, memory(16), null, 0);
        assertRefused("destination=8 bytes: must be 16",
            () -> arguments.checkReduce("reduce", AtomicOp.SUM, DataType.INT64, memory(16), memory(8), RANK));
    }

    @Test
    void elementsAreWhole() {
        assertRefused("source=12 bytes: must be a multiple of the 8",
            () -> ChannelArguments.checkCombined("scan", AtomicOp.SUM, DataType.INT64, memory(12), memory(12)));
    }

    @Test
    void gatherAndScatterHaveAPartOfEachRank() {
        arguments.checkGather("gather", memory(8), memory(24), RANK);
        assertRefused("destination=16 bytes: must be 24",
            () -> arguments.checkGather("gather", memory(8), memory(16), RANK));
        arguments.checkScatter("scatter", null, memory(8), 0);
        assertRefused("source=16 bytes: must be 24",
            () -> arguments.checkScatter("scatter", memory(16), memory(8), RANK));
    }

    @Test
    void partsOfAllToAllAreEqual() {
        arguments.checkAllToAll("allToAll", memory(24), memory(24));
        assertRefused("source=16 bytes: must be a multiple of the 3 ranks",
            () -> arguments.checkAllToAll("allToAll", memory(16), memory(16)));
    }

    @Test
    void partsOfAnySizeLieInTheirSegments() {
        long[] offsets = {0, 8, 16};
        long[] bytes = {8, 8, 8};
        arguments.checkParts("allToAll", memory(24), offsets, bytes, memory(24), offsets, bytes);
        assertRefused("sendOffsets has 2 elements: must have 3, one for each rank",
            () -> arguments.checkParts("allToAll", memory(24), new long[2], bytes, memory(24), offsets, bytes));
        assertRefused("recvOffsets[2]=16 recvBytes[2]=8: the segment has 20 bytes",
            () -> arguments.checkParts("allToAll", memory(24), offsets, bytes, memory(20), offsets, bytes));
        assertRefused("rank 1 sends 8 bytes to itself, and receives 4", () -> arguments.checkParts("allToAll",
            memory(24), offsets, bytes, memory(24), offsets, new long[] {8, 4, 8}));
    }

    @Test
    void aProtocolThatLogsMessagesHasItsOwnChoice() {
        for (Protocol protocol : Protocol.values()) {
            boolean isOther = MessageProtocols.of(protocol) != MessageProtocols.of(Protocol.NONE);
            assertEquals(protocol.logsMessages(), isOther, protocol.toString());
        }
        assertSame(MessageProtocols.of(Protocol.NONE), MessageProtocols.of(Protocol.COORDINATED));
    }
}
