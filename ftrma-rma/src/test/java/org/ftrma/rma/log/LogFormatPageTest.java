package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The example of docs/internals/log-format.md is what the code writes, byte by byte. */
class LogFormatPageTest {
    private static final Pattern WORD = Pattern.compile(" *([0-9]+)   ((?:[0-9a-f]{2} ){7}[0-9a-f]{2})(?: .*)?");
    private static final int RANKS = 2;
    private static final int VIEW_ONE = 1 << 16;

    private final LogDescriptor layout = new LogDescriptor(RANKS, 8192, 4096);
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment[] regions = new MemorySegment[RANKS];
    private final List<Map<Long, String>> blocks = new ArrayList<>();
    private AccessLog log;

    @BeforeEach
    void readsThePage() throws IOException {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/internals/log-format.md"))) {
            place = place.getParent();
        }
        String page = Files.readString(place.resolve("docs/internals/log-format.md"));
        String example = page.substring(page.indexOf("## An example"), page.indexOf("## What a reader must check"));
        Map<Long, String> block = new TreeMap<>();
        for (String line : example.split("\n")) {
            Matcher word = WORD.matcher(line);
            if (word.matches()) {
                block.put(Long.parseLong(word.group(1)), word.group(2));
            } else if (line.equals("```") && !block.isEmpty()) {
                blocks.add(block);
                block = new TreeMap<>();
            }
        }
        assertEquals(List.of(20, 13, 6, 9), blocks.stream().map(Map::size).toList());
    }

    @BeforeEach
    void executesTheProgram() {
        LogRegion[] opened = new LogRegion[RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
            regions[rank] = arena.allocate(layout.regionBytes(), 4096);
            layout.format(regions[rank], VIEW_ONE);
            FakeRemote remote = new FakeRemote(regions[rank], true, new Random(1));
            opened[rank] = new LogRegion(layout, rank, 0, remote, regions[rank], remote::flush, arena);
        }
        log = new AccessLog(0, layout, rank -> opened[rank], 0);
        MemorySegment source = arena.allocate(8, 8);
        MemorySegment destination = arena.allocate(8, 8);
        source.set(ValueLayout.JAVA_LONG, 0, 41);
        log.put(0, 1, source, 0, 16, 8);
        log.get(0, 1, destination, 0, 64, 8);
        destination.set(ValueLayout.JAVA_LONG, 0, 7);
        log.flushed(0, 1);
    }

    private String bytes(int rank, long offset) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            text.append(i == 0 ? "" : " ").append(String.format("%02x", regions[rank].get(ValueLayout.JAVA_BYTE,
                offset + i)));
        }
        return text.toString();
    }

    private Map<Long, String> notZero(int rank, long from) {
        Map<Long, String> words = new TreeMap<>();
        for (long offset = from; offset < layout.regionBytes(); offset += 8) {
            if (regions[rank].get(ValueLayout.JAVA_LONG, offset) != 0) {
                words.put(offset, bytes(rank, offset));
            }
        }
        return words;
    }

    private void assertThere(int rank, Map<Long, String> block) {
        block.forEach((offset, bytes) -> assertEquals(bytes, bytes(rank, offset), "offset " + offset));
    }

    @Test
    void aPutAndAGetLeaveTheseWordsAndNoOthers() {
        assertEquals(blocks.get(0), notZero(0, 0));
        long header = blocks.get(1).keySet().iterator().next();
        assertEquals(blocks.get(1), notZero(1, header));
        Map<Long, String> headers = new TreeMap<>(blocks.get(0));
        headers.keySet().removeIf(offset -> offset >= layout.chunksOffset() || offset >= header - 8);
        headers.forEach((offset, bytes) -> assertEquals(bytes, bytes(1, offset), "offset " + offset));
    }

    @Test
    void anAtomicUpdateIsNotedAndThenLogged() {
        log.locked(0, 1, LockType.EXCLUSIVE, 17, false);
        log.beginUpdate(0, 1, 8);
        log.updating(0, 1, DataType.INT64, 8, 100, 105);
        assertThere(1, blocks.get(2));
        log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        assertThere(0, blocks.get(3));
        assertTrue(bytes(1, 1536).equals(bytes(1, 12320)) && bytes(1, 1536).equals("00 00 00 00 00 00 00 00"));
        assertEquals("01 00 00 00 00 00 00 00", bytes(1, 12368));
    }
}
