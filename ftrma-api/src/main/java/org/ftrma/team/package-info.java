/** Teams: collectives of some ranks of a job, over windows or channels. Internal: programs know {@code Team} alone. */
package org.ftrma.team;
