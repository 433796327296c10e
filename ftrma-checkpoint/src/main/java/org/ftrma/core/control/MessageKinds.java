package org.ftrma.core.control;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodings of all messages: one line of components for each record of {@link ControlMessage}. Written out, where
 * reflection would take a few milliseconds for the first message of each kind, which is the one that a recovery waits
 * for. The place of a line is the tag of its messages. Immutable; any thread.
 */
final class MessageKinds {
    private static final List<Kind<?>> KINDS = List.of(
        kind(ControlMessage.Assign.class, (m, out) -> out.i32(m.member()).i32(m.incarnation()).i32(m.start().view())
            .i32(m.start().timeline()).i64(m.start().generation()).i64(m.start().step()).i32(m.recovery())
            .map(m.options()).longs(m.watched()).longs(m.latest()).longs(m.missing()),
            in -> new ControlMessage.Assign(in.i32(), in.i32(),
                new ControlMessage.Start(in.i32(), in.i32(), in.i64(), in.i64()), in.i32(), in.map(), in.longs(),
                in.longs(), in.longs())),
        kind(ControlMessage.Lost.class, (m, out) -> out.i32(m.view()).i32(m.member()).i32(m.recovery()),
            in -> new ControlMessage.Lost(in.i32(), in.i32(), in.i32())),
        kind(ControlMessage.ChecksumLost.class, (m, out) -> out.i32(m.view()).i32(m.member()),
            in -> new ControlMessage.ChecksumLost(in.i32(), in.i32())),
        kind(ControlMessage.Answer.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()).i32(m.member())
        .blobs(m.blobs()),
            in -> new ControlMessage.Answer(in.i32(), in.i32(), in.i32(), in.i32(), in.blobs())),
        kind(ControlMessage.PeerResumes.class, (m, out) -> out.i32(m.view()).i32(m.member()),
            in -> new ControlMessage.PeerResumes(in.i32(), in.i32())),
        kind(ControlMessage.PeerLive.class, (m, out) -> out.i32(m.view()).i32(m.member()),
            in -> new ControlMessage.PeerLive(in.i32(), in.i32())),
        kind(ControlMessage.Rollback.class, (m, out) ->
        out.i32(m.view()).i32(m.timeline()).i64(m.generation()).i64(m.step()),
            in -> new ControlMessage.Rollback(in.i32(), in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.AskWhere.class, (m, out) -> out.i32(m.view()), in -> new ControlMessage.AskWhere(in.i32())),
        kind(ControlMessage.Exchanged.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()),
            in -> new ControlMessage.Exchanged(in.i32(), in.i32(), in.i32())),
        kind(ControlMessage.CutGo.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new ControlMessage.CutGo(in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.CutAbandon.class, (m, out) -> out.i32(m.view()).i64(m.step()).truth(m.retryNext())
            .i32(m.intervals()).text(m.reason()),
            in -> new ControlMessage.CutAbandon(in.i32(), in.i64(), in.truth(), in.i32(), in.text())),
        kind(ControlMessage.CutWanted.class, (m, out) -> out.i32(m.view()),
            in -> new ControlMessage.CutWanted(in.i32())),
        kind(ControlMessage.CutAwait.class, (m, out) -> out.i32(m.view()).i64(m.step()),
            in -> new ControlMessage.CutAwait(in.i32(), in.i64())),
        kind(ControlMessage.Resume.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new ControlMessage.Resume(in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.Encode.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new ControlMessage.Encode(in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.DemandTake.class, (m, out) -> out.i32(m.view()).i32(m.member()).i64(m.tag()),
            in -> new ControlMessage.DemandTake(in.i32(), in.i32(), in.i64())),
        kind(ControlMessage.DemandEncode.class, (m, out) ->
        out.i32(m.view()).i64(m.tag()).longs(m.members()).longs(m.tags()),
            in -> new ControlMessage.DemandEncode(in.i32(), in.i64(), in.longs(), in.longs())),
        kind(ControlMessage.DemandCommitted.class, (m, out) ->
        out.i32(m.view()).i32(m.member()).i64(m.tag()).i64(m.parity()).longs(m.covered()),
            in -> new ControlMessage.DemandCommitted(in.i32(), in.i32(), in.i64(), in.i64(), in.longs())),
        kind(ControlMessage.DemandAbandoned.class, (m, out) -> out.i32(m.view()).i32(m.member()).i64(m.tag()),
            in -> new ControlMessage.DemandAbandoned(in.i32(), in.i32(), in.i64())),
        kind(ControlMessage.Committed.class, (m, out) -> out.i32(m.view()).i64(m.generation()).i64(m.step())
            .i64(m.parityNanos()),
            in -> new ControlMessage.Committed(in.i32(), in.i64(), in.i64(), in.i64())),
        kind(ControlMessage.Misuse.class, (m, out) -> out.i32(m.view()).text(m.text()),
            in -> new ControlMessage.Misuse(in.i32(), in.text())),
        kind(ControlMessage.Returned.class, (m, out) -> out.i32(m.view()).longs(m.members()).longs(m.steps()),
            in -> new ControlMessage.Returned(in.i32(), in.longs(), in.longs())),
        kind(ControlMessage.Go.class, (m, out) -> out.i32(m.view()), in -> new ControlMessage.Go(in.i32())),
        kind(ControlMessage.Watch.class, (m, out) -> out.i64(m.step()), in -> new ControlMessage.Watch(in.i64())),
        kind(ControlMessage.Release.class, (m, out) -> out.i64(m.step()), in -> new ControlMessage.Release(in.i64())),
        kind(ControlMessage.Provision.class, (m, out) -> out.map(m.options()).longs(m.computing()).longs(m.imageHoles())
        .i64(m.parity())
            .longs(m.parityHoles()),
            in -> new ControlMessage.Provision(in.map(), in.longs(), in.longs(), in.i64(), in.longs())),
        kind(ControlMessage.OnDisk.class, (m, out) -> out.i64(m.generation()).text(m.place()).i32(m.firstView()),
            in -> new ControlMessage.OnDisk(in.i64(), in.text(), in.i32())),
        kind(ControlMessage.Flush.class, (m, out) -> out.i64(m.number()).i64(m.generation()).text(m.place()),
            in -> new ControlMessage.Flush(in.i64(), in.i64(), in.text())),
        kind(ControlMessage.FlushCancel.class, (m, out) -> out.i64(m.number()),
            in -> new ControlMessage.FlushCancel(in.i64())),
        kind(ControlMessage.End.class, (m, out) -> out.text(m.reason()), in -> new ControlMessage.End(in.text())),
        kind(ControlMessage.RegionKey.class, (m, out) -> out.i32(m.view()).i32(m.member()).bytes(m.key()),
            in -> new ControlMessage.RegionKey(in.i32(), in.i32(), in.bytes())),
        kind(ControlMessage.Regions.class, (m, out) -> out.longs(m.computing()).longs(m.imageHoles()).i64(m.parity())
        .longs(m.parityHoles()),
            in -> new ControlMessage.Regions(in.longs(), in.longs(), in.i64(), in.longs())),
        kind(ControlMessage.Exchange.class, (m, out) ->
        out.i32(m.view()).i32(m.scope()).i32(m.sequence()).longs(m.among())
        .bytes(m.blob()).text(m.done()),
            in -> new ControlMessage.Exchange(in.i32(), in.i32(), in.i32(), in.longs(), in.bytes(), in.text())),
        kind(ControlMessage.Ask.class, (m, out) -> out.i32(m.view()).i32(m.scope()).i32(m.sequence()).i32(m.member())
        .i32(m.count()),
            in -> new ControlMessage.Ask(in.i32(), in.i32(), in.i32(), in.i32(), in.i32())),
        kind(ControlMessage.CutArrived.class, (m, out) -> out.i32(m.view()).i64(m.step()).text(m.impossible()),
            in -> new ControlMessage.CutArrived(in.i32(), in.i64(), in.text())),
        kind(ControlMessage.ImageReady.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.generation()),
            in -> new ControlMessage.ImageReady(in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.DemandWanted.class, (m, out) -> out.i32(m.view()).i32(m.member()).truth(m.isUrgent()),
            in -> new ControlMessage.DemandWanted(in.i32(), in.i32(), in.truth())),
        kind(ControlMessage.DemandReady.class, (m, out) -> out.i32(m.view()).i64(m.tag()).longs(m.covered()),
            in -> new ControlMessage.DemandReady(in.i32(), in.i64(), in.longs())),
        kind(ControlMessage.DemandTooSlow.class, (m, out) -> out.i32(m.view()).i64(m.tag()),
            in -> new ControlMessage.DemandTooSlow(in.i32(), in.i64())),
        kind(ControlMessage.DemandEncoded.class, (m, out) -> out.i32(m.view()).i64(m.tag()).i64(m.bytes()),
            in -> new ControlMessage.DemandEncoded(in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.CutCost.class, (m, out) -> out.i32(m.view()).i64(m.generation()).i64(m.nanos()),
            in -> new ControlMessage.CutCost(in.i32(), in.i64(), in.i64())),
        kind(ControlMessage.ParityReady.class, (m, out) ->
        out.i32(m.view()).i64(m.step()).i64(m.generation()).i64(m.nanos()),
            in -> new ControlMessage.ParityReady(in.i32(), in.i64(), in.i64(), in.i64())),
        kind(ControlMessage.Where.class, (m, out) -> out.i32(m.view()).text(m.place()),
            in -> new ControlMessage.Where(in.i32(), in.text())),
        kind(ControlMessage.Restored.class, (m, out) -> out.i32(m.view()).text(m.done()),
            in -> new ControlMessage.Restored(in.i32(), in.text())),
        kind(ControlMessage.LostSeen.class, (m, out) -> out.i32(m.view()).i32(m.recovery()),
            in -> new ControlMessage.LostSeen(in.i32(), in.i32())),
        kind(ControlMessage.Resumed.class, (m, out) -> out.i32(m.view()).i32(m.recovery()),
            in -> new ControlMessage.Resumed(in.i32(), in.i32())),
        kind(ControlMessage.WentLive.class, (m, out) -> out.i32(m.view()).i32(m.recovery()).i64(m.step())
        .longs(m.figures()),
            in -> new ControlMessage.WentLive(in.i32(), in.i32(), in.i64(), in.longs())),
        kind(ControlMessage.Fallback.class, (m, out) -> out.i32(m.view()).text(m.reason()).text(m.text()),
            in -> new ControlMessage.Fallback(in.i32(), in.text(), in.text())),
        kind(ControlMessage.FlushWritten.class, (m, out) -> out.i64(m.number()).i64(m.bytes()).bytes(m.digest()),
            in -> new ControlMessage.FlushWritten(in.i64(), in.i64(), in.bytes())),
        kind(ControlMessage.FlushFailed.class, (m, out) -> out.i64(m.number()).text(m.reason()),
            in -> new ControlMessage.FlushFailed(in.i64(), in.text())),
        kind(ControlMessage.StepBegun.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.iterations())
        .i64(m.averageNanos()),
            in -> new ControlMessage.StepBegun(in.i32(), in.i64(), in.i64(), in.i64())),
        kind(ControlMessage.Held.class, (m, out) -> out.i32(m.view()).i64(m.step()),
            in -> new ControlMessage.Held(in.i32(), in.i64())),
        kind(ControlMessage.Finished.class, (m, out) -> out.i32(m.view()).i64(m.step()).text(m.called()),
            in -> new ControlMessage.Finished(in.i32(), in.i64(), in.text())),
        kind(ControlMessage.Failed.class, (m, out) -> out.i32(m.view()).truth(m.isSetup()).text(m.message()),
            in -> new ControlMessage.Failed(in.i32(), in.truth(), in.text())),
        kind(ControlMessage.Report.class, (m, out) -> out.text(m.key()).text(m.type()).text(m.value()),
            in -> new ControlMessage.Report(in.text(), in.text(), in.text())),
        kind(ControlMessage.MemoryTable.class, (m, out) -> out.text(m.text()),
            in -> new ControlMessage.MemoryTable(in.text())),
        kind(ControlMessage.Note.class, (m, out) -> out.text(m.text()), in -> new ControlMessage.Note(in.text())),
        kind(ControlMessage.AskAlone.class, (m, out) -> out.i32(m.view()).i32(m.recovery()),
            in -> new ControlMessage.AskAlone(in.i32(), in.i32())),
        kind(ControlMessage.LeftAlone.class, (m, out) -> out.i32(m.view()).i32(m.recovery()),
            in -> new ControlMessage.LeftAlone(in.i32(), in.i32())),
        kind(ControlMessage.AskAddress.class, (m, out) -> out.i32(m.view()).i32(m.member()).bytes(m.address()),
            in -> new ControlMessage.AskAddress(in.i32(), in.i32(), in.bytes())),
        kind(ControlMessage.AddressWanted.class, (m, out) -> out.i32(m.view()).i32(m.member()).i32(m.incarnation())
            .bytes(m.address()),
            in -> new ControlMessage.AddressWanted(in.i32(), in.i32(), in.i32(), in.bytes())),
        kind(ControlMessage.AddressGiven.class, (m, out) -> out.i32(m.view()).i32(m.member()).i32(m.incarnation())
            .bytes(m.address()),
            in -> new ControlMessage.AddressGiven(in.i32(), in.i32(), in.i32(), in.bytes())),
        kind(ControlMessage.AddressFor.class, (m, out) -> out.i32(m.view()).i32(m.member()).bytes(m.address()),
            in -> new ControlMessage.AddressFor(in.i32(), in.i32(), in.bytes())),
        kind(ControlMessage.Renounced.class, (m, out) -> out.i32(m.view()).longs(m.ranks()),
            in -> new ControlMessage.Renounced(in.i32(), in.longs())),
        kind(ControlMessage.EventsKept.class, (m, out) -> out.i32(m.view()).i32(m.keeper()),
            in -> new ControlMessage.EventsKept(in.i32(), in.i32())),
        kind(ControlMessage.Redistributed.class, (m, out) -> out.text(m.text()),
            in -> new ControlMessage.Redistributed(in.text())),
        kind(ControlMessage.AskDoing.class, (m, out) -> out.i32(m.view()), in -> new ControlMessage.AskDoing(in.i32())),
        kind(ControlMessage.Expired.class, (m, out) -> out.i32(m.view()).text(m.message()),
            in -> new ControlMessage.Expired(in.i32(), in.text())),
        kind(ControlMessage.Doing.class, (m, out) -> out.i32(m.view()).i64(m.step()).i64(m.idleNanos())
            .longs(m.waits()).text(m.what()).text(m.stack()),
            in -> new ControlMessage.Doing(in.i32(), in.i64(), in.i64(), in.longs(), in.text(), in.text())));

    private static final Map<Class<?>, Integer> TAGS = tags();

    private MessageKinds() {
    }

    /** Writes the components of a message in their order. */
    @FunctionalInterface
    private interface Writing<M extends ControlMessage> {
        void write(M message, MessageWriter out);
    }

    /** Reads the components of a message in their order. */
    @FunctionalInterface
    private interface Reading<M extends ControlMessage> {
        M read(MessageReader in) throws MessageCodec.MalformedException;
    }

    private record Kind<M extends ControlMessage>(Class<M> type, Writing<M> writing, Reading<M> reading) {
        void write(ControlMessage message, MessageWriter out) {
            writing.write(type.cast(message), out);
        }
    }

    private static <M extends ControlMessage> Kind<M> kind(Class<M> type, Writing<M> writing, Reading<M> reading) {
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
    static void write(ControlMessage message, MessageWriter out) {
        int tag = TAGS.get(message.getClass());
        out.tag(tag);
        KINDS.get(tag).write(message, out);
    }

    /** A message of that tag, from its components. */
    static ControlMessage read(int tag, MessageReader in) throws MessageCodec.MalformedException {
        return KINDS.get(tag).reading.read(in);
    }
}
