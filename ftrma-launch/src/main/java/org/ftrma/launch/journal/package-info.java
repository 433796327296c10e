/**
 * What is left of a job for people: its folder, with what it was asked to be, what happened in it, and what its
 * processes counted. Begin with {@link org.ftrma.launch.journal.JobJournal}, which writes it;
 * {@link org.ftrma.launch.journal.JobView} reads it.
 */
package org.ftrma.launch.journal;
