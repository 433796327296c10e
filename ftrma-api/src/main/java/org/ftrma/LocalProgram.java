package org.ftrma;

import java.io.Serializable;

/**
 * A program for {@link Ftrma#local(int, LocalOptions, LocalProgram)}: it is written into bytes, which each process of
 * the job reads. A lambda expression is that if all that it captures is; the class that it is written in is loaded, and
 * initialized, in each process.
 */
@FunctionalInterface
public interface LocalProgram extends Program, Serializable {
}
