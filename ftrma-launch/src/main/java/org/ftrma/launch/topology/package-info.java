/** Machines from files and options, and the commands about placement and risk. */
package org.ftrma.launch.topology;
