/*
 * The loop of ./ftrma sample pingpong with MPI, on two ranks: sizes from 1 byte to 8 MiB, one for each step, and from 1
 * byte on again. Prints half of the time of a round trip for each size, of the newest step.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZES 24
#define MOST_BYTES (16L << 10)

static void trade(int rank, char *buffer, int bytes, long count) {
    for (long i = 0; i < count; i++) {
        if (rank == 0) {
            char mark = (char) (i * 31 + bytes);
            buffer[bytes - 1] = mark;
            MPI_Send(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            buffer[bytes - 1] = (char) ~mark;
            MPI_Recv(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (buffer[bytes - 1] != mark) {
                fprintf(stderr, "bytes=%d round trip %ld: another message came back\n", bytes, i);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
        } else {
            MPI_Recv(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long steps = atol(argv[1]);
    long repetitions = atol(argv[2]);
    double halves[SIZES] = {0};
    char *buffer = malloc(1L << (SIZES - 1));
    memset(buffer, 0, 1L << (SIZES - 1));
    for (long step = 0; step < steps; step++) {
        int bytes = 1 << step % SIZES;
        long count = bytes <= MOST_BYTES ? repetitions : repetitions * MOST_BYTES / bytes;
        count = count < 1 ? 1 : count;
        double began = MPI_Wtime();
        trade(rank, buffer, bytes, count);
        halves[step % SIZES] = 1e6 * (MPI_Wtime() - began) / (2.0 * count);
    }
    for (int size = 0; rank == 0 && size < SIZES && size < steps; size++) {
        printf("%ld B: %.3f us\n", 1L << size, halves[size]);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
