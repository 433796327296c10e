package org.ftrma.compare;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.ftrma.apps.kvstore.Keys;
import org.ftrma.apps.kvstore.KvOptions;

/**
 * One process of the key-value benchmark with a Chronicle Map: one persisted map, of boxed keys and values, that all
 * processes share; each inserts the keys that the rank of its number inserts. Whoever started it talks to it in lines:
 *
 * <pre>
 *   to standard output                                  from standard input
 *   ready                                               go
 *   done BEGIN END ADDED  (System.nanoTime)             check
 *   checked FOUND WRONG SIZE
 * </pre>
 *
 * <p>The end of standard input ends it; before {@code go} it then removes the map's file, which from {@code go} on
 * nobody needs to find.
 */
public final class ChronicleInserts {
    private final File file;
    private final int rank;
    private final int ranks;
    private final KvOptions options;
    private final Keys keys;
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in,
        StandardCharsets.US_ASCII));

    private ChronicleInserts(File file, int rank, int ranks, KvOptions options) {
        this.file = file;
        this.rank = rank;
        this.ranks = ranks;
        this.options = options;
        keys = new Keys(options.keySeed(), options.inserts());
    }

    /** Arguments: the file, this rank, the number of ranks, and the benchmark's own. */
    public static void main(String[] args) throws IOException {
        KvOptions options = KvOptions.parse(Arrays.copyOfRange(args, 3, args.length));
        new ChronicleInserts(new File(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]), options).run();
    }

    private ChronicleMapBuilder<Long, Long> builder(long entries) {
        return ChronicleMapBuilder.of(Long.class, Long.class).name("keys").entries(entries);
    }

    private void run() throws IOException {
        warmUp();
        try (ChronicleMap<Long, Long> map = builder((long) options.inserts() * ranks).createPersistedTo(file)) {
            System.out.println("ready");
            if (!"go".equals(input.readLine())) {
                Files.deleteIfExists(file.toPath());
                return;
            }
            long begin = System.nanoTime();
            long added = insert(map, keys, options.inserts());
            System.out.println("done " + begin + " " + System.nanoTime() + " " + added);
            if ("check".equals(input.readLine())) {
                check(map);
            }
        }
    }

    /** The same with other keys in a map of its own, until the compiler has seen enough of it. */
    private void warmUp() {
        long begin = System.nanoTime();
        int round = Math.min(options.inserts(), 50_000);
        for (long number = 0; System.nanoTime() - begin < options.warmUpSeconds() * 1e9; number++) {
            try (ChronicleMap<Long, Long> map = builder(round).create()) {
                insert(map, new Keys(~options.keySeed() - number, round), round);
            }
        }
    }

    private long insert(ChronicleMap<Long, Long> map, Keys source, int count) {
        long added = 0;
        for (int number = 0; number < count; number++) {
            long key = source.key(rank, number);
            added += map.putIfAbsent(key, source.value(key)) == null ? 1 : 0;
        }
        return added;
    }

    private void check(ChronicleMap<Long, Long> map) {
        long found = 0;
        long wrong = 0;
        for (int number = 0; number < options.inserts(); number++) {
            long key = keys.key(rank, number);
            Long value = map.get(key);
            found += value == null ? 0 : 1;
            wrong += value == null || value == keys.value(key) ? 0 : 1;
        }
        System.out.println("checked " + found + " " + wrong + " " + map.longSize());
    }
}
