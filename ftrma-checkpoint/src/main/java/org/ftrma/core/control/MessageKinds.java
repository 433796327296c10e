package org.ftrma.core.control;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How each message is written and read: one line of components for each record of {@link Message}. Written out, where
 * reflection would take a few milliseconds for the first message of each kind, which is the one that a recovery waits
 * for. The place of a line is the tag of its messages. Immutable; any thread.
 */
final class MessageKinds {
    private static final List<Kind<?>> KINDS = List.of(
        kind(Message.Assign.class, (m, out) -> out.i32(m.member()).i32(m.incarnation()).i32(m.view()).i32(m.timeline())
        .i64(m.generation())
            .i64(m.step()).i32(m.recovery()).map(m.options()).longs(m.watched()).longs(m.latest()).longs(m.missing()),
            in -> new Message.Assign(in.i32(), in.i32(), in.i32(), in.i32(), in.i64(), in.i64(), in.i32(), in.map(),
            in.longs(), in.longs(),
                in.longs())),
        kind(Message.Lost.class, (m, out) -> out.i32(m.view()).i32(m.member()).i32(m.recovery()),
            in -> new Message.Lost(in.i32(), in.i32(), in.i32())),
        kind(Message.ChecksumLost.class, (m, out) -> out.i32(m.view()).i32(m.member()),
            in -> new Message.ChecksumLost(in.i32(), in.i32())),
        kind(Message.Answer.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()).i32(m.member())
        .blobs(m.blobs()),
            in -> new Message.Answer(in.i32(), in.i32(), in.i32(), in.i32(), in.blobs())),
        kind(Message.PeerOpened.class, (m, out) -> out.i32(m.view()).i32(m.member()),
            in -> new Message.PeerOpened(in.i32(), in.i32())),
        kind(Message.Rollback.class, (m, out) -> out.i32(m.view()).i32(m.timeline()).i64(m.generation()).i64(m.step()),
            in -> new Message.Rollback(in.i32(), in.i32(), in.i64(), in.i64())),
        kind(Message.AskWhere.class, (m, out) -> out.i32(m.view()), in -> new Message.AskWhere(in.i32())),
        kind(Message.Exchanged.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()),
            in -> new Message.Exchanged(in.i32(), in.i32(), in.i32())),
        kind(Message.CutGo.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new Message.CutGo(in.i32(), in.i64(), in.i64())),
        kind(Message.CutAbandon.class, (m, out) -> out.i32(m.view()).i64(m.step()).truth(m.retryNext())
        .text(m.reason()),
            in -> new Message.CutAbandon(in.i32(), in.i64(), in.truth(), in.text())),
        kind(Message.CutAwait.class, (m, out) -> out.i32(m.view()).i64(m.step()),
            in -> new Message.CutAwait(in.i32(), in.i64())),
        kind(Message.Resume.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new Message.Resume(in.i32(), in.i64(), in.i64())),
        kind(Message.Encode.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new Message.Encode(in.i32(), in.i64(), in.i64())),
        kind(Message.DemandTake.class, (m, out) -> out.i32(m.view()).i32(m.member()).i64(m.tag()),
            in -> new Message.DemandTake(in.i32(), in.i32(), in.i64())),
        kind(Message.DemandEncode.class, (m, out) -> out.i32(m.view()).i64(m.tag()).longs(m.members()).longs(m.tags()),
            in -> new Message.DemandEncode(in.i32(), in.i64(), in.longs(), in.longs())),
        kind(Message.DemandCommitted.class, (m, out) ->
        out.i32(m.view()).i32(m.member()).i64(m.tag()).i64(m.parity()).longs(m.covered()),
            in -> new Message.DemandCommitted(in.i32(), in.i32(), in.i64(), in.i64(), in.longs())),
        kind(Message.DemandAbandoned.class, (m, out) -> out.i32(m.view()).i32(m.member()).i64(m.tag()),
            in -> new Message.DemandAbandoned(in.i32(), in.i32(), in.i64())),
        kind(Message.Committed.class, (m, out) -> out.i32(m.view()).i64(m.generation()).i64(m.parityNanos()),
            in -> new Message.Committed(in.i32(), in.i64(), in.i64())),
        kind(Message.Misuse.class, (m, out) -> out.i32(m.view()).text(m.text()),
            in -> new Message.Misuse(in.i32(), in.text())),
        kind(Message.Returned.class, (m, out) -> out.i32(m.view()).longs(m.members()).longs(m.steps()),
            in -> new Message.Returned(in.i32(), in.longs(), in.longs())),
        kind(Message.Go.class, (m, out) -> out.i32(m.view()), in -> new Message.Go(in.i32())),
        kind(Message.Watch.class, (m, out) -> out.i64(m.step()), in -> new Message.Watch(in.i64())),
        kind(Message.Release.class, (m, out) -> out.i64(m.step()), in -> new Message.Release(in.i64())),
        kind(Message.Provision.class, (m, out) -> out.map(m.options()).longs(m.computing()).longs(m.imageHoles())
        .i64(m.parity())
            .longs(m.parityHoles()),
            in -> new Message.Provision(in.map(), in.longs(), in.longs(), in.i64(), in.longs())),
        kind(Message.OnDisk.class, (m, out) -> out.i64(m.generation()).text(m.place()),
            in -> new Message.OnDisk(in.i64(), in.text())),
        kind(Message.Flush.class, (m, out) -> out.i64(m.number()).i64(m.generation()).text(m.place()),
            in -> new Message.Flush(in.i64(), in.i64(), in.text())),
        kind(Message.FlushCancel.class, (m, out) -> out.i64(m.number()), in -> new Message.FlushCancel(in.i64())),
        kind(Message.End.class, (m, out) -> out.text(m.reason()), in -> new Message.End(in.text())),
        kind(Message.RegionKey.class, (m, out) -> out.i32(m.view()).i32(m.member()).bytes(m.key()),
            in -> new Message.RegionKey(in.i32(), in.i32(), in.bytes())),
        kind(Message.Regions.class, (m, out) -> out.longs(m.computing()).longs(m.imageHoles()).i64(m.parity())
        .longs(m.parityHoles()),
            in -> new Message.Regions(in.longs(), in.longs(), in.i64(), in.longs())),
        kind(Message.Exchange.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()).bytes(m.blob())
        .text(m.done()),
            in -> new Message.Exchange(in.i32(), in.i32(), in.i32(), in.bytes(), in.text())),
        kind(Message.Ask.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()).i32(m.member())
        .i32(m.count()),
            in -> new Message.Ask(in.i32(), in.i32(), in.i32(), in.i32(), in.i32())),
        kind(Message.CutArrived.class, (m, out) -> out.i32(m.view()).i64(m.step()).text(m.impossible()),
            in -> new Message.CutArrived(in.i32(), in.i64(), in.text())),
        kind(Message.ImageReady.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new Message.ImageReady(in.i32(), in.i64(), in.i64())),
        kind(Message.DemandWanted.class, (m, out) -> out.i32(m.view()).i32(m.member()).truth(m.isUrgent()),
            in -> new Message.DemandWanted(in.i32(), in.i32(), in.truth())),
        kind(Message.DemandReady.class, (m, out) -> out.i32(m.view()).i64(m.tag()).longs(m.covered()),
            in -> new Message.DemandReady(in.i32(), in.i64(), in.longs())),
        kind(Message.DemandEncoded.class, (m, out) -> out.i32(m.view()).i64(m.tag()).i64(m.bytes()),
            in -> new Message.DemandEncoded(in.i32(), in.i64(), in.i64())),
        kind(Message.CutCost.class, (m, out) -> out.i32(m.view()).i64(m.generation()).i64(m.nanos()),
            in -> new Message.CutCost(in.i32(), in.i64(), in.i64())),
        kind(Message.ParityReady.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()).i64(m.nanos()),
            in -> new Message.ParityReady(in.i32(), in.i64(), in.i64(), in.i64())),
        kind(Message.Where.class, (m, out) -> out.i32(m.view()).text(m.place()),
            in -> new Message.Where(in.i32(), in.text())),
        kind(Message.Restored.class, (m, out) -> out.i32(m.view()).text(m.done()),
            in -> new Message.Restored(in.i32(), in.text())),
        kind(Message.LostSeen.class, (m, out) -> out.i32(m.view()).i32(m.recovery()),
            in -> new Message.LostSeen(in.i32(), in.i32())),
        kind(Message.Opened.class, (m, out) -> out.i32(m.view()).i32(m.recovery()).i64(m.step()).longs(m.figures()),
            in -> new Message.Opened(in.i32(), in.i32(), in.i64(), in.longs())),
        kind(Message.Fallback.class, (m, out) -> out.i32(m.view()).text(m.reason()).text(m.text()),
            in -> new Message.Fallback(in.i32(), in.text(), in.text())),
        kind(Message.FlushWritten.class, (m, out) -> out.i64(m.number()).i64(m.bytes()).bytes(m.digest()),
            in -> new Message.FlushWritten(in.i64(), in.i64(), in.bytes())),
        kind(Message.FlushFailed.class, (m, out) -> out.i64(m.number()).text(m.reason()),
            in -> new Message.FlushFailed(in.i64(), in.text())),
        kind(Message.StepBegun.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.iterations())
        .i64(m.averageNanos()),
            in -> new Message.StepBegun(in.i32(), in.i64(), in.i64(), in.i64())),
        kind(Message.Held.class, (m, out) -> out.i32(m.view()).i64(m.step()),
            in -> new Message.Held(in.i32(), in.i64())),
        kind(Message.Finished.class, (m, out) -> out.i32(m.view()).i64(m.step()),
            in -> new Message.Finished(in.i32(), in.i64())),
        kind(Message.Failed.class, (m, out) -> out.i32(m.view()).truth(m.isSetup()).text(m.message()),
            in -> new Message.Failed(in.i32(), in.truth(), in.text())),
        kind(Message.Report.class, (m, out) -> out.text(m.key()).text(m.type()).text(m.value()),
            in -> new Message.Report(in.text(), in.text(), in.text())),
        kind(Message.MemoryTable.class, (m, out) -> out.text(m.text()), in -> new Message.MemoryTable(in.text())),
        kind(Message.Note.class, (m, out) -> out.text(m.text()), in -> new Message.Note(in.text())));

    private static final Map<Class<?>, Integer> TAGS = tags();

    private MessageKinds() {
    }

    /** Writes the components of a message in their order. */
    @FunctionalInterface
    private interface Writing<M extends Message> {
        void write(M message, MessageWriter out);
    }

    /** Reads the components of a message in their order. */
    @FunctionalInterface
    private interface Reading<M extends Message> {
        M read(MessageReader in) throws MessageCodec.MalformedException;
    }

    private record Kind<M extends Message>(Class<M> type, Writing<M> writing, Reading<M> reading) {
        void write(Message message, MessageWriter out) {
            writing.write(type.cast(message), out);
        }
    }

    private static <M extends Message> Kind<M> kind(Class<M> type, Writing<M> writing, Reading<M> reading) {
        return new Kind<>(type, writing, reading);
    }

    private static Map<Class<?>, Integer> tags() {
        Map<Class<?>, Integer> tags = new HashMap<>();
        KINDS.forEach(kind -> tags.put(kind.type, tags.size()));
        return tags;
    }

    static int count() {
        return KINDS.size();
    }

    static Class<?> type(int tag) {
        return KINDS.get(tag).type;
    }

    /** The tag and the components of a message. */
    static void write(Message message, MessageWriter out) {
        int tag = TAGS.get(message.getClass());
        out.tag(tag);
        KINDS.get(tag).write(message, out);
    }

    /** A message of that tag, from its components. */
    static Message read(int tag, MessageReader in) throws MessageCodec.MalformedException {
        return KINDS.get(tag).reading.read(in);
    }
}
