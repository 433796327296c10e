package org.ftrma.launch.agent;

import java.nio.BufferUnderflowException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.counter.CounterFile;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.spi.MemoryShare;

/**
 * Messages between a job and an agent as bytes: the tag of the message, then its components in order. Each message has
 * one line in the table. Pure functions; any thread.
 */
final class AgentCodec {
    /** More processes than a host can have. */
    private static final int MOST_THERE = 1 << 20;

    private static final List<Kind<?>> KINDS = List.of(
        kind(1, AgentMessage.Open.class, (m, out) -> open(m, out), in -> new AgentMessage.Open(in.text(), in.i32(),
            in.i32(), in.i64(), options(in), jvm(in), in.texts())),
        kind(2, AgentMessage.Start.class, (m, out) -> out.i32(m.process()), in -> new AgentMessage.Start(in.i32())),
        kind(3, AgentMessage.Send.class, (m, out) -> out.i32(m.process()).i32(m.signal().ordinal()),
            in -> new AgentMessage.Send(in.i32(), in.word("a signal", HostAgent.Signal.values()))),
        kind(4, AgentMessage.AskVitals.class, (m, out) -> out.i32(m.process()),
            in -> new AgentMessage.AskVitals(in.i32())),
        kind(5, AgentMessage.FinishOutput.class, (m, out) -> out.i64(m.timeoutNanos()),
            in -> new AgentMessage.FinishOutput(in.i64())),
        kind(6, AgentMessage.KillAll.class, (m, out) -> out.i64(m.timeoutNanos()),
            in -> new AgentMessage.KillAll(in.i64())),
        kind(7, AgentMessage.Close.class, (m, out) -> { }, in -> new AgentMessage.Close()),
        kind(8, AgentMessage.Printed.class, (m, out) -> out.i64(m.bytes()), in -> new AgentMessage.Printed(in.i64())),
        kind(9, AgentMessage.Echo.class, (m, out) -> out.i64(m.agentNanos()), in -> new AgentMessage.Echo(in.i64())),
        kind(10, AgentMessage.Program.class, (m, out) -> out.text(m.piece()),
            in -> new AgentMessage.Program(in.text())),
        kind(11, AgentMessage.Refuse.class, (m, out) -> out.text(m.why()), in -> new AgentMessage.Refuse(in.text())),
        kind(12, AgentMessage.Crash.class, (m, out) -> { }, in -> new AgentMessage.Crash()),
        kind(13, AgentMessage.Probe.class, (m, out) -> out.text(m.file()).text(m.digest()).text(m.answer()),
            in -> new AgentMessage.Probe(in.text(), in.text(), in.textOrNull())),
        kind(32, AgentMessage.Facts.class, (m, out) -> facts(m.facts(), out),
            in -> new AgentMessage.Facts(new HostFacts(in.text(), in.i64(), in.text(), in.text(), in.text(),
                in.texts(), new HostRoom(in.i32(), in.i64()), in.text(), library(in), in.i32(), in.texts()))),
        kind(33, AgentMessage.Opened.class, (m, out) -> out.text(m.failure()),
            in -> new AgentMessage.Opened(in.textOrNull())),
        kind(34, AgentMessage.Started.class, (m, out) -> out.i32(m.process()).i64(m.pid()),
            in -> new AgentMessage.Started(in.i32(), in.i64())),
        kind(35, AgentMessage.NotStarted.class, (m, out) -> out.i32(m.process()).text(m.why()),
            in -> new AgentMessage.NotStarted(in.i32(), in.text())),
        kind(36, AgentMessage.Dead.class, (m, out) -> out.i32(m.death().process()).i32(m.death().status())
            .text(m.death().cause()).text(m.death().lastWords()).i64(m.death().step()).truth(m.death().allHere()),
            in -> new AgentMessage.Dead(new HostAgent.Death(in.i32(), in.i32(), in.text(), in.textOrNull(), in.i64(),
                in.truth()))),
        kind(37, AgentMessage.Vitals.class, (m, out) -> vitals(m, out), in -> new AgentMessage.Vitals(in.i32(),
            in.truth() ? new ProcessVitals((char) in.i32(), in.i64()) : null)),
        kind(38, AgentMessage.Line.class, (m, out) -> out.i32(m.process()).truth(m.isError()).truth(m.ends())
            .bytes(m.piece()), in -> new AgentMessage.Line(in.i32(), in.truth(), in.truth(), in.bytes())),
        kind(39, AgentMessage.Broken.class, (m, out) -> out.i32(m.process()).text(m.why()),
            in -> new AgentMessage.Broken(in.i32(), in.text())),
        kind(40, AgentMessage.OutputFinished.class, (m, out) -> out.truth(m.all()),
            in -> new AgentMessage.OutputFinished(in.truth())),
        kind(41, AgentMessage.Killed.class, (m, out) -> out.numbers(m.left()),
            in -> new AgentMessage.Killed(in.numbers())),
        kind(42, AgentMessage.Beat.class, (m, out) -> out.i64(m.agentNanos()).i64(m.availableBytes()),
            in -> new AgentMessage.Beat(in.i64(), in.i64())),
        kind(43, AgentMessage.Leaving.class, (m, out) -> out.text(m.why()), in -> new AgentMessage.Leaving(in.text())),
        kind(44, AgentMessage.Stuck.class, (m, out) -> out.text(m.address()).i64(m.nanos()),
            in -> new AgentMessage.Stuck(in.text(), in.i64())),
        kind(45, AgentMessage.Probed.class, (m, out) -> out.text(m.failure()).text(m.digest()),
            in -> new AgentMessage.Probed(in.textOrNull(), in.textOrNull())),
        kind(46, AgentMessage.Counted.class, (m, out) -> out.i32(m.process()).bytes(m.counters()),
            in -> new AgentMessage.Counted(in.i32(), counters(in))));

    private static final Map<Class<?>, Kind<?>> BY_TYPE = KINDS.stream().collect(Collectors.toUnmodifiableMap(
        Kind::type, Function.identity()));
    private static final Map<Integer, Kind<?>> BY_TAG = KINDS.stream().collect(Collectors.toUnmodifiableMap(
        Kind::tag, Function.identity()));

    private AgentCodec() {
    }

    /** A frame that is not a message. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** Writes the components of a message in their order. */
    @FunctionalInterface
    private interface Writing<M extends AgentMessage> {
        void write(M message, AgentFrameWriter out);
    }

    /** Reads the components of a message in their order. */
    @FunctionalInterface
    private interface Reading<M extends AgentMessage> {
        M read(AgentFrameReader in) throws MalformedException;
    }

    private record Kind<M extends AgentMessage>(int tag, Class<M> type, Writing<M> writing, Reading<M> reading) {
        void write(AgentMessage message, AgentFrameWriter out) {
            writing.write(type.cast(message), out.i32(tag));
        }
    }

    private static <M extends AgentMessage> Kind<M> kind(int tag, Class<M> type, Writing<M> writing,
        Reading<M> reading) {
        return new Kind<>(tag, type, writing, reading);
    }

    /** The frame of a message. */
    static byte[] encode(AgentMessage message) {
        AgentFrameWriter out = new AgentFrameWriter();
        BY_TYPE.get(message.getClass()).write(message, out);
        return out.frame();
    }

    /** The request of a frame. */
    static AgentMessage.Request request(byte[] frame) throws MalformedException {
        return whole(frame, AgentMessage.Request.class);
    }

    /** The event of a frame. */
    static AgentMessage.Event event(byte[] frame) throws MalformedException {
        return whole(frame, AgentMessage.Event.class);
    }

    private static <M extends AgentMessage> M whole(byte[] frame, Class<M> type) throws MalformedException {
        AgentFrameReader in = new AgentFrameReader(frame);
        try {
            int tag = in.i32();
            Kind<?> kind = BY_TAG.get(tag);
            if (kind == null || !type.isAssignableFrom(kind.type)) {
                throw new MalformedException("no " + type.getSimpleName() + " has the tag " + tag);
            }
            M message = type.cast(kind.reading.read(in));
            if (in.left() > 0) {
                throw new MalformedException(kind.type.getSimpleName() + " with " + in.left() + " bytes too many");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedException("a frame of " + frame.length + " bytes ends too early");
        }
    }

    private static void open(AgentMessage.Open m, AgentFrameWriter out) {
        RankOptions options = m.options();
        MemoryShare share = options.share();
        RankJvm jvm = m.jvm();
        out.text(m.address()).i32(m.port()).i32(m.joinMillis()).i64(m.hostTimeoutNanos())
            .text(options.mainClass()).texts(options.arguments()).text(options.givenPath())
            .i32(options.check().ordinal()).i32(options.members()).i32(options.groupSize()).i32(options.losses())
            .truth(options.oversubscribed()).truth(options.sharing())
            .text(share.host()).i32(share.ranks()).i32(share.checksums()).i32(share.spares())
            .i32(jvm.ranks()).i32(jvm.checksums()).texts(jvm.arguments()).text(jvm.aotCache())
            .text(jvm.trainedCache()).texts(m.places());
    }

    private static RankOptions options(AgentFrameReader in) throws MalformedException {
        return new RankOptions(in.text(), in.texts(), in.text(), ClassPathDigest.NONE,
            in.word("a check", RankCheck.values()), in.i32(), in.i32(), in.i32(), in.truth(), in.truth(),
            new MemoryShare(in.text(), in.ordinal("computing ranks", MOST_THERE),
                in.ordinal("checksum ranks", MOST_THERE), in.ordinal("spares", MOST_THERE)));
    }

    private static RankJvm jvm(AgentFrameReader in) throws MalformedException {
        return new RankJvm(in.i32(), in.i32(), in.texts(), in.textOrNull(), in.textOrNull());
    }

    private static void facts(HostFacts facts, AgentFrameWriter out) {
        out.text(facts.name()).i64(facts.identity()).text(facts.kernel()).text(facts.address()).text(facts.device())
            .texts(facts.switches()).i32(facts.room().cores()).i64(facts.room().availableBytes()).text(facts.jdk())
            .text(facts.library().text()).i32(facts.slots()).texts(facts.addresses());
    }

    private static ClassPathDigest library(AgentFrameReader in) throws MalformedException {
        try {
            return ClassPathDigest.parse(in.text());
        } catch (IllegalArgumentException e) {
            throw new MalformedException("a library that cannot be read: " + e.getMessage());
        }
    }

    private static void vitals(AgentMessage.Vitals m, AgentFrameWriter out) {
        out.i32(m.process()).truth(m.vitals() != null);
        if (m.vitals() != null) {
            out.i32(m.vitals().state()).i64(m.vitals().processorNanos());
        }
    }

    private static byte[] counters(AgentFrameReader in) throws MalformedException {
        byte[] counters = in.bytes();
        if (counters.length > CounterFile.MOST_BYTES) {
            throw new MalformedException("counters of " + counters.length + " bytes; there are "
                + CounterFile.MOST_BYTES + " at most");
        }
        return counters;
    }
}
