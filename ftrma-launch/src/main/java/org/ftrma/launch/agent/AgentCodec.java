package org.ftrma.launch.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.counter.CounterFile;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.spi.MemoryShare;

/**
 * Messages between a job and an agent as bytes: the tag of the message, then its components in order. Integers are
 * big-endian; a text is its length in bytes (4 bytes) and UTF-8, and null is the length -1; a list is its length (4
 * bytes) and its elements. A length is compared with what is left of the frame before memory is taken. Pure functions;
 * any thread.
 */
final class AgentCodec {
    private static final int OPEN = 1;
    private static final int START = 2;
    private static final int SEND = 3;
    private static final int ASK_VITALS = 4;
    private static final int FINISH_OUTPUT = 5;
    private static final int KILL_ALL = 6;
    private static final int CLOSE = 7;
    private static final int PRINTED = 8;
    private static final int ECHO = 9;
    private static final int PROGRAM = 10;
    private static final int REFUSE = 11;
    private static final int CRASH = 12;
    private static final int PROBE = 13;
    private static final int FACTS = 32;
    private static final int OPENED = 33;
    private static final int STARTED = 34;
    private static final int NOT_STARTED = 35;
    private static final int DEAD = 36;
    private static final int VITALS = 37;
    private static final int LINE = 38;
    private static final int BROKEN = 39;
    private static final int OUTPUT_FINISHED = 40;
    private static final int KILLED = 41;
    private static final int BEAT = 42;
    private static final int LEAVING = 43;
    private static final int STUCK = 44;
    /** More processes than a host can have. */
    private static final int MOST_THERE = 1 << 20;
    private static final int PROBED = 45;
    private static final int COUNTED = 46;

    private AgentCodec() {
    }

    /** A frame that is not a message. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** The frame of a message. */
    static byte[] encode(AgentMessage message) {
        Writer out = new Writer();
        switch (message) {
            case AgentMessage.Request request -> out.request(request);
            case AgentMessage.Event event -> out.event(event);
        }
        return out.bytes.toByteArray();
    }

    /** The request of a frame. */
    static AgentMessage.Request request(byte[] frame) throws MalformedException {
        return whole(frame, Reader::request);
    }

    /** The event of a frame. */
    static AgentMessage.Event event(byte[] frame) throws MalformedException {
        return whole(frame, Reader::event);
    }

    /** Reads a message. */
    @FunctionalInterface
    private interface Reading<M> {
        M read(Reader in) throws MalformedException;
    }

    private static <M> M whole(byte[] frame, Reading<M> reading) throws MalformedException {
        Reader in = new Reader(ByteBuffer.wrap(frame));
        M message;
        try {
            message = reading.read(in);
        } catch (BufferUnderflowException e) {
            throw new MalformedException("a frame of " + frame.length + " bytes ends too early");
        }
        if (in.from.hasRemaining()) {
            throw new MalformedException(message.getClass().getSimpleName() + " with " + in.from.remaining()
                + " bytes too many");
        }
        return message;
    }

    /** Writes components; a byte array takes all. */
    private static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        private Writer numbers(int... values) {
            try {
                for (int value : values) {
                    out.writeInt(value);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        private Writer wide(long value) {
            try {
                out.writeLong(value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        private Writer put(boolean value) {
            return numbers(value ? 1 : 0);
        }

        private Writer put(byte[] value) {
            numbers(value.length);
            bytes.writeBytes(value);
            return this;
        }

        private Writer put(String value) {
            return value == null ? numbers(-1) : put(value.getBytes(StandardCharsets.UTF_8));
        }

        private Writer put(List<String> values) {
            numbers(values.size());
            values.forEach(this::put);
            return this;
        }

        void request(AgentMessage.Request request) {
            switch (request) {
                case AgentMessage.Open m -> open(m);
                case AgentMessage.Start m -> numbers(START, m.process());
                case AgentMessage.Send m -> numbers(SEND, m.process(), m.signal().ordinal());
                case AgentMessage.AskVitals m -> numbers(ASK_VITALS, m.process());
                case AgentMessage.FinishOutput m -> numbers(FINISH_OUTPUT).wide(m.timeoutNanos());
                case AgentMessage.KillAll m -> numbers(KILL_ALL).wide(m.timeoutNanos());
                case AgentMessage.Close m -> numbers(CLOSE);
                case AgentMessage.Printed m -> numbers(PRINTED).wide(m.bytes());
                case AgentMessage.Program m -> numbers(PROGRAM).put(m.piece());
                case AgentMessage.Crash m -> numbers(CRASH);
                case AgentMessage.Refuse m -> numbers(REFUSE).put(m.why());
                case AgentMessage.Probe m -> numbers(PROBE).put(m.file()).put(m.digest()).put(m.answer());
                case AgentMessage.Echo m -> numbers(ECHO).wide(m.agentNanos());
            }
        }

        private void open(AgentMessage.Open m) {
            numbers(OPEN).put(m.address()).numbers(m.port(), m.joinMillis()).wide(m.hostTimeoutNanos());
            RankOptions options = m.options();
            put(options.mainClass()).put(options.arguments()).put(options.givenPath());
            numbers(options.check().ordinal(), options.members(), options.groupSize(), options.losses());
            put(options.oversubscribed()).put(options.sharing()).put(options.share().host());
            numbers(options.share().ranks(), options.share().checksums(), options.share().spares());
            RankJvm jvm = m.jvm();
            numbers(jvm.ranks(), jvm.checksums()).put(jvm.arguments()).put(jvm.aotCache()).put(jvm.trainedCache());
            put(m.places());
        }

        void event(AgentMessage.Event event) {
            switch (event) {
                case AgentMessage.Facts m -> facts(m.facts());
                case AgentMessage.Opened m -> numbers(OPENED).put(m.failure());
                case AgentMessage.Started m -> numbers(STARTED, m.process()).wide(m.pid());
                case AgentMessage.NotStarted m -> numbers(NOT_STARTED, m.process()).put(m.why());
                case AgentMessage.Dead m -> numbers(DEAD, m.death().process(), m.death().status())
                    .put(m.death().cause()).put(m.death().lastWords()).wide(m.death().step())
                    .put(m.death().allHere());
                case AgentMessage.Vitals m -> vitals(m);
                case AgentMessage.Line m -> numbers(LINE, m.process()).put(m.isError()).put(m.ends()).put(m.piece());
                case AgentMessage.Broken m -> numbers(BROKEN, m.process()).put(m.why());
                case AgentMessage.OutputFinished m -> numbers(OUTPUT_FINISHED).put(m.all());
                case AgentMessage.Killed m -> numbers(KILLED, m.left().size())
                    .numbers(m.left().stream().mapToInt(Integer::intValue).toArray());
                case AgentMessage.Beat m -> numbers(BEAT).wide(m.agentNanos()).wide(m.availableBytes());
                case AgentMessage.Stuck m -> numbers(STUCK).put(m.address()).wide(m.nanos());
                case AgentMessage.Probed m -> numbers(PROBED).put(m.failure()).put(m.digest());
                case AgentMessage.Counted m -> numbers(COUNTED, m.process()).put(m.counters());
                case AgentMessage.Leaving m -> numbers(LEAVING).put(m.why());
            }
        }

        private void facts(HostFacts facts) {
            numbers(FACTS).put(facts.name()).wide(facts.identity()).put(facts.kernel()).put(facts.address());
            put(facts.device()).put(facts.switches()).numbers(facts.room().cores()).wide(facts.room().availableBytes());
            put(facts.jdk()).put(facts.library().text()).numbers(facts.slots()).put(facts.addresses());
        }

        private void vitals(AgentMessage.Vitals m) {
            numbers(VITALS, m.process()).put(m.vitals() != null);
            if (m.vitals() != null) {
                numbers(m.vitals().state()).wide(m.vitals().processorNanos());
            }
        }
    }

    /** Reads components. */
    private static final class Reader {
        private final ByteBuffer from;

        Reader(ByteBuffer from) {
            this.from = from;
        }

        private int number() {
            return from.getInt();
        }

        private long wide() {
            return from.getLong();
        }

        private boolean flag() throws MalformedException {
            return ordinal("a flag", 2) == 1;
        }

        private int ordinal(String what, int count) throws MalformedException {
            int value = number();
            if (value < 0 || value >= count) {
                throw new MalformedException(what + " of " + value + "; there are " + count);
            }
            return value;
        }

        /** How many elements follow that take so many bytes each, at least. */
        private int count(int least) throws MalformedException {
            int count = number();
            if (count < 0 || count > from.remaining() / least) {
                throw new MalformedException("a length of " + count + " where " + from.remaining()
                    + " bytes are left");
            }
            return count;
        }

        private byte[] bytes() throws MalformedException {
            byte[] bytes = new byte[count(1)];
            from.get(bytes);
            return bytes;
        }

        private byte[] counters() throws MalformedException {
            byte[] counters = bytes();
            if (counters.length > CounterFile.MOST_BYTES) {
                throw new MalformedException("counters of " + counters.length + " bytes; there are "
                    + CounterFile.MOST_BYTES + " at most");
            }
            return counters;
        }

        private String textOrNull() throws MalformedException {
            int length = number();
            if (length == -1) {
                return null;
            }
            from.position(from.position() - Integer.BYTES);
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        private String text() throws MalformedException {
            String text = textOrNull();
            if (text == null) {
                throw new MalformedException("a text is missing");
            }
            return text;
        }

        private List<String> texts() throws MalformedException {
            int count = count(Integer.BYTES);
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                texts.add(text());
            }
            return List.copyOf(texts);
        }

        private List<Integer> numbers() throws MalformedException {
            int count = count(Integer.BYTES);
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                numbers.add(number());
            }
            return List.copyOf(numbers);
        }

        AgentMessage.Request request() throws MalformedException {
            int tag = number();
            return switch (tag) {
                case OPEN -> new AgentMessage.Open(text(), number(), number(), wide(), options(), jvm(),
                    texts());
                case START -> new AgentMessage.Start(number());
                case SEND -> new AgentMessage.Send(number(), HostAgent.Signal.values()[ordinal("a signal",
                    HostAgent.Signal.values().length)]);
                case ASK_VITALS -> new AgentMessage.AskVitals(number());
                case FINISH_OUTPUT -> new AgentMessage.FinishOutput(wide());
                case KILL_ALL -> new AgentMessage.KillAll(wide());
                case CLOSE -> new AgentMessage.Close();
                case PRINTED -> new AgentMessage.Printed(wide());
                case PROGRAM -> new AgentMessage.Program(text());
                case CRASH -> new AgentMessage.Crash();
                case REFUSE -> new AgentMessage.Refuse(text());
                case PROBE -> new AgentMessage.Probe(text(), text(), textOrNull());
                case ECHO -> new AgentMessage.Echo(wide());
                default -> throw new MalformedException("unknown request " + tag);
            };
        }

        private RankOptions options() throws MalformedException {
            return new RankOptions(text(), texts(), text(), ClassPathDigest.NONE, RankCheck.values()[ordinal("a check",
                RankCheck.values().length)], number(), number(), number(), flag(), flag(), share());
        }

        private MemoryShare share() throws MalformedException {
            String host = text();
            return new MemoryShare(host, ordinal("computing ranks", MOST_THERE), ordinal("checksum ranks", MOST_THERE),
                ordinal("spares", MOST_THERE));
        }

        private RankJvm jvm() throws MalformedException {
            return new RankJvm(number(), number(), texts(), textOrNull(), textOrNull());
        }

        private ClassPathDigest library() throws MalformedException {
            try {
                return ClassPathDigest.parse(text());
            } catch (IllegalArgumentException e) {
                throw new MalformedException("a library that cannot be read: " + e.getMessage());
            }
        }

        AgentMessage.Event event() throws MalformedException {
            int tag = number();
            return switch (tag) {
                case FACTS -> new AgentMessage.Facts(new HostFacts(text(), wide(), text(), text(), text(), texts(),
                    new HostRoom(number(), wide()), text(), library(), number(), texts()));
                case OPENED -> new AgentMessage.Opened(textOrNull());
                case STARTED -> new AgentMessage.Started(number(), wide());
                case NOT_STARTED -> new AgentMessage.NotStarted(number(), text());
                case DEAD -> new AgentMessage.Dead(new HostAgent.Death(number(), number(), text(), textOrNull(), wide(),
                    flag()));
                case VITALS -> new AgentMessage.Vitals(number(), flag() ? new ProcessVitals((char) number(), wide())
                    : null);
                case LINE -> new AgentMessage.Line(number(), flag(), flag(), bytes());
                case BROKEN -> new AgentMessage.Broken(number(), text());
                case OUTPUT_FINISHED -> new AgentMessage.OutputFinished(flag());
                case KILLED -> new AgentMessage.Killed(numbers());
                case BEAT -> new AgentMessage.Beat(wide(), wide());
                case STUCK -> new AgentMessage.Stuck(text(), wide());
                case PROBED -> new AgentMessage.Probed(textOrNull(), textOrNull());
                case COUNTED -> new AgentMessage.Counted(number(), counters());
                case LEAVING -> new AgentMessage.Leaving(text());
                default -> throw new MalformedException("unknown event " + tag);
            };
        }
    }
}
