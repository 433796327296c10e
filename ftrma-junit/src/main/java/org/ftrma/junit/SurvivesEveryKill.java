package org.ftrma.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.ftrma.testkit.SimJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that a program survives a kill at every point: it has a parameter, the {@link SimJob} with the options given
 * here, and runs the program on it. The job is simulated in this virtual machine, first without a failure, and then
 * once for each kill; the bytes of all protected windows and segments must be the same in the end.
 *
 * <pre>{@code
 * @SurvivesEveryKill(ranks = 3, protocol = "full")
 * void heat(SimJob job) {
 *     job.run(Heat.class, "--cells", "8");
 * }
 * }</pre>
 *
 * <p>How many kills there are, and how many were tried, is a report entry of the test. A failure names the program, the
 * seed, the kill, and the command that repeats that one run. System properties take the place of what is written here:
 *
 * <table>
 * <caption>System properties</caption>
 * <tr><th>property</th><th>what it does</th></tr>
 * <tr><td>{@code ftrma.everyPoint=true}</td><td>all kills that there are, and not a sample</td></tr>
 * <tr><td>{@code ftrma.seed=N}</td><td>another order of all that happens</td></tr>
 * <tr><td>{@code ftrma.crashes=m1@37b}</td><td>one run alone, with the kill that a message has named</td></tr>
 * </table>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(KillExtension.class)
public @interface SurvivesEveryKill {
    /** Computing ranks. */
    int ranks() default 3;

    /** Checksum ranks. */
    int checksums() default 1;

    /** Processes started ahead. */
    int spares() default 0;

    /** The protocol, as for {@code ./ftrma run}. */
    String protocol() default "full";

    /** When to checkpoint, as for {@code ./ftrma run}. */
    String interval() default "2";

    /** Further options of the job, each as {@code key=value}. */
    String[] options() default {};

    /** What decides about the order of all that happens. */
    long seed() default 1;

    /** How many kills are tried, spread over all points; {@link Integer#MAX_VALUE}: all that there are. */
    int sample() default SimJob.SAMPLE;

    /** The windows and segments whose bytes are compared; none: all. */
    String[] comparing() default {};
}
