/**
 * The re-execution of a lost rank by its replacement. Begin with {@link org.ftrma.rma.replay.Replay}. It reads logs,
 * and does again what others did to the lost rank's windows, in the order that barriers and locks give.
 */
package org.ftrma.rma.replay;
