/**
 * The commands that look into a job from outside, while it runs and afterwards. Begin with
 * {@link org.ftrma.launch.watch.WatchCommands}.
 */
package org.ftrma.launch.watch;
