/**
 * The page of a job that runs: what there is to see of it, live, in a browser, and its metrics. It reads what is kept
 * of the job, as {@link org.ftrma.launch.watch} does, and asks nothing of the job but checkpoints. Begin with
 * {@link org.ftrma.launch.web.JobPage}.
 */
package org.ftrma.launch.web;
