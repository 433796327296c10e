package org.ftrma.launch.agent;

import java.util.List;

/**
 * The command line options of a job's JVMs. Places are names that mean the same on the job's host. Immutable; any
 * thread.
 *
 * @param ranks computing ranks: the first processes play them
 * @param checksums checksum ranks: the next ones play them
 * @param arguments further arguments of each
 * @param aotCache the ahead-of-time cache of ranks, beside which are those of checksum ranks and of spares; null: none
 * @param trainedCache where the cache of ranks is to be made, and others beside it, in the build's one small job for
 *     that; null: this is another job
 */
public record RankJvm(int ranks, int checksums, List<String> arguments, String aotCache, String trainedCache) {
    /** Those of ranks and checksum ranks; processes beyond are spares, or take the place of others. */
    int members() {
        return ranks + checksums;
    }
}
