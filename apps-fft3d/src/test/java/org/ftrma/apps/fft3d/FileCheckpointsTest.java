package org.ftrma.apps.fft3d;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints in files, as they are compared with: any one file follows from the others. */
class FileCheckpointsTest {
    @TempDir
    private Path place;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theDataOfAnyRankFollowsFromTheOthersFiles(int ranks) throws IOException, InterruptedException {
        for (int rank = 0; rank < ranks; rank++) {
            // A second name of the file: the program removes the first one at its end.
            Files.createFile(place.resolve("kept-" + rank));
            Files.createLink(FileCheckpoints.file(place, rank, 0), place.resolve("kept-" + rank));
        }
        FtOptions options = FtOptions.parse(new String[] {"--warm-up=0", "--iterations=5", "--files=" + place,
            "--files-every=4"});
        Map<String, Object> reported = new RollbackCluster(ranks, options, -1, -1, 0).run();
        assertEquals(true, reported.get("verified"));
        assertEquals(1L, reported.get("fileCheckpoints"));
        byte[][] data = new byte[ranks][];
        byte[][] parity = new byte[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            assertFalse(Files.exists(FileCheckpoints.file(place, rank, 0)));
            byte[] file = Files.readAllBytes(place.resolve("kept-" + rank));
            ByteBuffer header = ByteBuffer.wrap(file);
            assertEquals(4, header.getLong());
            int bytes = 16 * 64 * 64 * Math.ceilDiv(64, ranks);
            assertEquals(bytes, header.getLong());
            int end = FileCheckpoints.HEADER_BYTES + bytes;
            data[rank] = Arrays.copyOfRange(file, FileCheckpoints.HEADER_BYTES, end);
            parity[rank] = Arrays.copyOfRange(file, end, file.length);
            assertNotEquals(0, Arrays.hashCode(data[rank]));
        }
        for (int lost = 0; lost < ranks && ranks > 1; lost++) {
            assertArrayEquals(data[lost], rebuilt(lost, data, parity), "of rank " + lost);
        }
    }

    /** Each piece of the lost data is at one other rank, combined with those that came from the rest. */
    private static byte[] rebuilt(int lost, byte[][] data, byte[][] parity) {
        int ranks = data.length;
        byte[] result = new byte[data[lost].length];
        int piece = (int) FileCheckpoints.pieceBytes(result.length, ranks);
        for (int keeper = 0; keeper < ranks; keeper++) {
            int at = piece * FileCheckpoints.indexAmongOthers(keeper, lost);
            for (int i = 0; keeper != lost && i < piece && at + i < result.length; i++) {
                byte value = parity[keeper][i];
                for (int other = 0; other < ranks; other++) {
                    int from = piece * FileCheckpoints.indexAmongOthers(keeper, other) + i;
                    value ^= other == keeper || other == lost || from >= data[other].length ? 0 : data[other][from];
                }
                result[at + i] = value;
            }
        }
        return result;
    }
}
