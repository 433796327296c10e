package org.ftrma.ucx;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.ucp.FatalErrorGuard;
import org.ftrma.ucp.Repair;

/**
 * The program of a {@link PeerProcess}: one fabric with one region, driven by lines on standard input. Every line is
 * answered by one line, {@code ok …} or {@code error …}.
 */
final class PeerMain {
    /** At the end of a path's name: by addresses of their own for each. */
    static final String ONE_BY_ONE = "-one-by-one";
    /** At the end of a path's name, before the names of all that is replaced in UCX, with commas: {@link Repair}. */
    static final String REPAIRED = "-repaired-";
    /** Of each put of a stream. */
    static final long STREAM_BYTES = 4096;
    static final int STREAM_REPORT = 16;

    private final UcxOptions options;
    private final boolean oneByOne;
    private UcxFabric fabric;
    private MemoryRegion region;
    private long streamed;
    private final Map<Integer, RemoteMemory> peers = new HashMap<>();

    private PeerMain(UcxOptions options, boolean oneByOne, long bytes) {
        this.options = options;
        this.oneByOne = oneByOne;
        open(bytes);
    }

    private void open(long bytes) {
        fabric = new UcxFabric(options);
        if (oneByOne) {
            fabric.letInOneByOne();
        }
        fabric.waitWith(new TestWait(20));
        region = fabric.expose(bytes);
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        String[] words = args[0].split(REPAIRED);
        if (words.length > 1) {
            UcxRuntime.load();
            FatalErrorGuard.install(Arrays.stream(words[1].split(",")).map(Repair::valueOf)
                .collect(Collectors.toSet()));
        }
        UcxOptions.Path path = UcxOptions.parsePath(words[0].replace(ONE_BY_ONE, ""));
        PeerMain main = new PeerMain(args.length > 2 ? UcxOptions.over(path, args[2]) : UcxOptions.of(path),
            words[0].endsWith(ONE_BY_ONE), Long.parseLong(args[1]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println("ok ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = "ok " + main.execute(line.split(" "), out);
            } catch (RuntimeException e) {
                answer = "error " + e;
            }
            out.println(answer.replace('\n', ' '));
        }
        main.fabric.close();
    }

    private String execute(String[] words, PrintStream out) {
        return switch (words[0]) {
            case "address" -> Base64.getEncoder().encodeToString(fabric.address());
            case "addressFor" -> Base64.getEncoder().encodeToString(fabric.addressFor(Integer.parseInt(words[1]),
                Base64.getDecoder().decode(words[2])));
            case "revoke" -> revoke(Integer.parseInt(words[1]));
            case "reconnect" -> reconnect(Integer.parseInt(words[1]), words[2]);
            case "reopen" -> reopen();
            case "stream" -> stream(Integer.parseInt(words[1]), Long.parseLong(words[2]), out);
            case "digest" -> digest();
            case "key" -> Base64.getEncoder().encodeToString(region.key());
            case "connect" -> connect(Integer.parseInt(words[1]), words[2], words[3]);
            case "put" -> put(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            case "add" -> add(Integer.parseInt(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
            case "get" -> "" + peers.get(Integer.parseInt(words[1])).getLong(Long.parseLong(words[2]));
            case "fetch" -> "" + peers.get(Integer.parseInt(words[1])).fetchOp(AtomicOp.SUM, DataType.INT64,
                Long.parseLong(words[2]), Long.parseLong(words[3]));
            case "immediate" -> "" + fabric.isImmediate(Integer.parseInt(words[1]));
            case "info" -> fabric.info().transports() + " " + fabric.info().path();
            case "read" -> "" + region.segment().get(ValueLayout.JAVA_LONG, Long.parseLong(words[1]));
            case "renew" -> renew();
            case "wait" -> waitFor(Long.parseLong(words[1]));
            case "flood" -> flood(Integer.parseInt(words[1]), Long.parseLong(words[2]), out);
            case "pipeline" -> pipeline(Integer.parseInt(words[1]), out);
            case "withhold" -> withhold(Integer.parseInt(words[1]), Integer.parseInt(words[2]),
                Long.parseLong(words[3]));
            case "flush" -> flush(Integer.parseInt(words[1]));
            case "expose" -> expose(out);
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private String connect(int peer, String address, String key) {
        fabric.connect(peer, Base64.getDecoder().decode(address));
        peers.put(peer, fabric.attach(peer, Base64.getDecoder().decode(key)));
        return "connected";
    }

    private String revoke(int peer) {
        fabric.revoke(peer);
        return "revoked";
    }

    /** Closes the connection to a peer, and makes another: nothing is done about what comes from there. */
    private String reconnect(int peer, String address) {
        fabric.connect(peer, Base64.getDecoder().decode(address));
        return "reconnected";
    }

    /** The next process, as far as others can tell. */
    private String reopen() {
        long bytes = region.segment().byteSize();
        fabric.close();
        peers.clear();
        open(bytes);
        return "reopened";
    }

    /**
     * Puts so many numbered blocks into the second half of a peer's region, and each number into its first word, and
     * waits for none of them; says from time to time which was the last. What the peer answered has been read then.
     */
    private String stream(int peer, long count, PrintStream out) {
        RemoteMemory memory = peers.get(peer);
        long blocks = memory.bytes() / 2 / STREAM_BYTES;
        for (long end = streamed + count; streamed < end;) {
            streamed++;
            long at = streamed % blocks * STREAM_BYTES;
            region.segment().set(ValueLayout.JAVA_LONG, at, streamed);
            memory.put(region.segment(), at, memory.bytes() / 2 + at, STREAM_BYTES);
            memory.putLong(0, streamed);
            if (streamed % STREAM_REPORT == 0) {
                while (fabric.progress() > 0) {
                    Thread.onSpinWait();
                }
                out.println("ok " + streamed);
            }
        }
        return "streamed";
    }

    private String digest() {
        CRC32 crc = new CRC32();
        crc.update(region.segment().asByteBuffer());
        return "" + crc.getValue();
    }

    private String put(int peer, long offset, long value) {
        peers.get(peer).putLong(offset, value);
        fabric.flush(peer);
        return "put";
    }

    private String add(int peer, long offset, int times) {
        for (int i = 0; i < times; i++) {
            peers.get(peer).fetchOp(AtomicOp.SUM, DataType.INT64, offset, 1);
        }
        return "added";
    }

    private String waitFor(long seconds) {
        fabric.waitWith(new TestWait(seconds));
        return "will wait";
    }

    private String renew() {
        fabric.renew();
        peers.clear();
        return "renewed";
    }

    /** Writes the second half of a peer's region, block after block, until killed or until the peer is lost. */
    private String flood(int peer, long length, PrintStream out) {
        RemoteMemory memory = peers.get(peer);
        MemorySegment block = region.segment().asSlice(0, length);
        out.println("ok flooding");
        for (long round = 1;; round++) {
            block.fill((byte) round);
            memory.put(block, 0, memory.bytes() / 2, length);
            fabric.flush(peer);
        }
    }

    /**
     * Keeps many accesses of all kinds, small and large, under way, in the second half of a peer's region, until
     * killed.
     */
    private String pipeline(int peer, PrintStream out) {
        RemoteMemory memory = peers.get(peer);
        long base = memory.bytes() / 2;
        out.println("ok pipelining");
        for (long round = 1;; round++) {
            for (int i = 0; i < 64; i++) {
                memory.put(region.segment(), 0, base + 4096, 1024);
                memory.get(region.segment(), 4096L * i, base, 4096);
                memory.op(AtomicOp.SUM, DataType.INT64, base + 8, 1);
            }
            for (int i = 0; i < 8; i++) {
                memory.get(region.segment(), 0, base, base);
            }
            memory.putLong(base, round);
            fabric.flush(peer);
        }
    }

    /**
     * Asks a peer for more than connections hold, then for many small things, and reads no answer. The last access is a
     * put of {@code value} to the middle of the peer's region.
     */
    private String withhold(int peer, int gets, long value) {
        RemoteMemory memory = peers.get(peer);
        long base = memory.bytes() / 2;
        for (int i = 0; i < gets; i++) {
            memory.get(region.segment(), 0, base, base);
        }
        for (int i = 0; i < 40; i++) {
            memory.put(region.segment(), 0, base + 4096, 1024);
            memory.op(AtomicOp.SUM, DataType.INT64, base + 8, 1);
            memory.get(region.segment(), 0, base, 4096);
        }
        memory.putLong(base, value);
        return "withheld";
    }

    private String flush(int peer) {
        fabric.flush(peer);
        return "flushed";
    }

    /** Allocates and frees regions until killed. */
    private String expose(PrintStream out) {
        out.println("ok exposing");
        for (long bytes = 4096;; bytes = bytes < 1 << 26 ? 2 * bytes : 4096) {
            fabric.expose(bytes).close();
        }
    }
}
