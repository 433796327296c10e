/** The options of commands that are neither a job's nor a program's, and what a command line gave. */
package org.ftrma.launch.options;
