package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Looks up imported functions in a 64-bit little-endian ELF file, and replaces them where it is loaded.
 *
 * <pre>
 *  file header:    40 section headers' offset (u64)   58 size of one (u16)   60 number of them (u16)
 *  section header:  4 type (u32)   24 offset (u64)   32 size (u64)   40 linked section (u32)
 *          56 size of an entry (u64)
 *  relocation:      0 offset (u64)   8 type (u32)   12 symbol (u32)   16 addend (u64)
 *  symbol:          0 name, an offset in the string table (u32)   … 24 end
 * </pre>
 */
@SuppressWarnings("restricted")
final class ElfImports {
    private static final int MAGIC = 0x464c457f;
    private static final int SECTION_TYPE = 4;
    private static final int SECTION_OFFSET = 24;
    private static final int SECTION_SIZE = 32;
    private static final int SECTION_LINK = 40;
    private static final int RELOCATIONS = 4;
    private static final int RELOCATION_BYTES = 24;
    private static final int SYMBOL_BYTES = 24;

    private final ByteBuffer file;
    private final int sections;
    private final int sectionBytes;

    private ElfImports(ByteBuffer file) {
        this.file = file;
        sections = (int) file.getLong(40);
        sectionBytes = file.getShort(58);
    }

    /** What this process has mapped, for {@link #replace}. */
    static List<String> mappings() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps"));
    }

    /**
     * Makes a library that is loaded call the function at another address than what it imports; whether it does import
     * it.
     */
    static boolean replace(List<String> mappings, String library, String function, long address) throws IOException {
        for (String mapping : mappings) {
            // start-end permissions offset device inode path
            String[] fields = mapping.split("\\s+", 6);
            if (fields.length == 6 && fields[5].contains(library) && Long.parseLong(fields[2], 16) == 0) {
                long offset = offsetOf(function, Path.of(fields[5]));
                if (offset < 0) {
                    return false;
                }
                long entry = Long.parseUnsignedLong(fields[0].split("-")[0], 16) + offset;
                if (!Libc.makeWritable(entry & -Libc.PAGE_BYTES, Libc.PAGE_BYTES)) {
                    return false;
                }
                MemorySegment.ofAddress(entry).reinterpret(JAVA_LONG.byteSize()).set(JAVA_LONG, 0, address);
                return true;
            }
        }
        return false;
    }

    /**
     * Where the address of an imported function is kept, relative to where the file is loaded; -1 if it is not
     * imported.
     */
    static long offsetOf(String function, Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer file = ByteBuffer.allocate(Math.toIntExact(channel.size())).order(ByteOrder.LITTLE_ENDIAN);
            while (file.hasRemaining() && channel.read(file) >= 0) {
                continue;
            }
            return file.getInt(0) == MAGIC ? new ElfImports(file).find(function) : -1;
        }
    }

    private long find(String function) {
        for (int section = 0; section < file.getShort(60); section++) {
            if (file.getInt(header(section) + SECTION_TYPE) == RELOCATIONS) {
                long offset = findIn(section, function);
                if (offset >= 0) {
                    return offset;
                }
            }
        }
        return -1;
    }

    private long findIn(int section, String function) {
        int symbols = file.getInt(header(section) + SECTION_LINK);
        int strings = (int) field(file.getInt(header(symbols) + SECTION_LINK), SECTION_OFFSET);
        int end = (int) (field(section, SECTION_OFFSET) + field(section, SECTION_SIZE));
        for (int entry = (int) field(section, SECTION_OFFSET); entry < end; entry += RELOCATION_BYTES) {
            int symbol = file.getInt(entry + 12);
            if (symbol != 0 && nameIs(strings + file.getInt((int) field(symbols, SECTION_OFFSET)
                + symbol * SYMBOL_BYTES), function)) {
                return file.getLong(entry);
            }
        }
        return -1;
    }

    private boolean nameIs(int position, String name) {
        byte[] expected = (name + "\0").getBytes(StandardCharsets.US_ASCII);
        return file.slice(position, Math.min(expected.length, file.capacity() - position))
            .equals(ByteBuffer.wrap(expected));
    }

    private int header(int section) {
        return sections + section * sectionBytes;
    }

    private long field(int section, int offset) {
        return file.getLong(header(section) + offset);
    }
}
