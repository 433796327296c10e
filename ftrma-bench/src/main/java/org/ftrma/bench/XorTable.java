package org.ftrma.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.xor.GaloisProduct;

/**
 * The operations of {@link XorBenchmark} side by side: a few milliseconds of each in turn, many rounds, and of each the
 * best and the median round. Where other programs share the machine the best rounds can still be compared, which
 * averages over seconds cannot.
 *
 * <p>Usage: {@code XorTable [CONFINED|SHARED|GLOBAL|MAPPED] [bytes ...]}. Rates are bytes touched, counted as
 * XorBenchmark says; {@code of copy} is the best rate as a share of the best of {@code copy}, {@code of pieces} of
 * {@code copyInPieces}.
 */
public final class XorTable {
    private static final long SAMPLE_NANOS = 3_000_000;
    private static final int WARM_UP_ROUNDS = 60;
    private static final int ROUNDS = 60;

    private interface Operation {
        void run(XorBenchmark.Memory memory, XorBenchmark.Rate rate);
    }

    private XorTable() {
    }

    private static Map<String, Operation> operations() {
        XorBenchmark benchmark = new XorBenchmark();
        Map<String, Operation> operations = new LinkedHashMap<>();
        operations.put("copy", benchmark::copy);
        operations.put("copyInPieces", benchmark::copyInPieces);
        operations.put("xorInto", benchmark::xorInto);
        operations.put("accumulate2", benchmark::accumulate2);
        operations.put("encode2", benchmark::encode2);
        operations.put("encode3", benchmark::encode3);
        operations.put("encode4", benchmark::encode4);
        operations.put("encode8", benchmark::encode8);
        operations.put("encode12", benchmark::encode12);
        operations.put("RS 4+2, Java", benchmark::reedSolomon42Java);
        operations.put(GaloisProduct.best() == GaloisProduct.Engine.JAVA ? "RS 4+2, no ISA-L" : "RS 4+2, ISA-L",
            benchmark::reedSolomon42);
        operations.put("copyChanged, all", benchmark::copyChangedAllDiffer);
        operations.put("copyChanged, late", benchmark::copyChangedLateDifferences);
        operations.put("copyChanged, none", benchmark::copyChangedNoneDiffer);
        return operations;
    }

    /** Prints a table for each size. */
    public static void main(String[] args) {
        XorBenchmark.Kind kind = args.length > 0 ? XorBenchmark.Kind.valueOf(args[0].toUpperCase(Locale.ROOT))
            : XorBenchmark.Kind.CONFINED;
        long[] sizes = args.length > 1 ? Arrays.stream(args).skip(1).mapToLong(Long::parseLong).toArray()
            : new long[] {4096, 32_768, 262_144, 1 << 20, 64 << 20};
        Map<String, Operation> operations = operations();
        for (long size : sizes) {
            XorBenchmark.Memory memory = new XorBenchmark.Memory();
            memory.bytes = size;
            memory.kind = kind;
            memory.allocate();
            try {
                print(operations, measure(operations, memory), size, kind);
            } finally {
                memory.free();
            }
        }
    }

    private static Map<String, List<Double>> measure(Map<String, Operation> operations, XorBenchmark.Memory memory) {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            for (Map.Entry<String, Operation> operation : operations.entrySet()) {
                double rate = sample(operation.getValue(), memory);
                if (round >= 0) {
                    rates.computeIfAbsent(operation.getKey(), name -> new ArrayList<>()).add(rate);
                }
            }
        }
        return rates;
    }

    private static double sample(Operation operation, XorBenchmark.Memory memory) {
        XorBenchmark.Rate rate = new XorBenchmark.Rate();
        int batch = (int) Math.max(1, 400_000 / memory.bytes);
        operation.run(memory, rate);
        rate.touched = 0;
        long start = System.nanoTime();
        long elapsed;
        do {
            for (int i = 0; i < batch; i++) {
                operation.run(memory, rate);
            }
            elapsed = System.nanoTime() - start;
        } while (elapsed < SAMPLE_NANOS);
        return (double) rate.touched / elapsed;
    }

    private static void print(Map<String, Operation> operations, Map<String, List<Double>> rates, long size,
        XorBenchmark.Kind kind) {
        rates.values().forEach(list -> list.sort(null));
        double copy = rates.get("copy").getLast();
        double pieces = rates.get("copyInPieces").getLast();
        System.out.printf(Locale.ROOT, "%n%d bytes, %s%n%-20s%12s%12s%10s%12s%n", size, kind, "operation", "best GB/s",
            "median GB/s", "of copy", "of pieces");
        for (String name : operations.keySet()) {
            List<Double> list = rates.get(name);
            System.out.printf(Locale.ROOT, "%-20s%12.1f%12.1f%9.0f%%%11.0f%%%n", name, list.getLast(),
                list.get(list.size() / 2),
                100 * list.getLast() / copy, 100 * list.getLast() / pieces);
        }
    }
}
