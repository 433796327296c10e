/** The protocol of a rank: windows, collectives, locks, checkpoints, recovery. It sees only the SPI. */
package org.ftrma.checkpoint;
