/**
 * The access logs: where they lie, how they are written, read and trimmed, and the interceptor that fills them. Nothing
 * here knows of recovery: a replacement reads the logs with {@code LogReader}. Read {@code LogDescriptor} first, then
 * {@code Determinant} and {@code AccessLog}.
 *
 * <ul>
 * <li>Bytes: {@code LogDescriptor}, {@code LogRegion} with its {@code ChunkPool}, {@code LogGap}.
 * <li>Writing one log: {@code LogWriter} with its {@code ChunkChain}, {@code Reservation} and {@code LateCopy}. Reading
 * it: {@code LogReader}, which shows a {@code LogRecord}.
 * <li>What a rank logs: {@code AccessLog} with {@code RankLogs}, {@code Epochs}, {@code ResultRecorder},
 * {@code PendingGets}, {@code StagedPuts}, {@code InFlight}, {@code LockLog}; {@code ChecksumLog} for protocol ml.
 * <li>What becomes of it: {@code LogMarks} and {@code LogEnds} at a cut, {@code Coverage} and {@code DemandLog} at a
 * demand checkpoint, {@code LogImage} in an image, {@code LostPeers} after a loss.
 * </ul>
 */
package org.ftrma.rma.log;

