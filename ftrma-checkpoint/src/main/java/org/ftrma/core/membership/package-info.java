/**
 * Who is in which group of a job: computing ranks and the checksum ranks that guard them. Begin with {@link
 * org.ftrma.core.membership.JobGroups}. It knows options and the placement of groups, and nothing of what runs.
 */
package org.ftrma.core.membership;
