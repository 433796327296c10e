/**
 * The experiments of the paper's section 7 at this machine's scale: jobs in turn, and what came of them as CSV, table
 * and pictures.
 */
package org.ftrma.bench.figures;
