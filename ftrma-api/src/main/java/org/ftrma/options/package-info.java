/**
 * Options in tables: what commands and programs parse, check and tell of their options comes from an {@link
 * org.ftrma.options.OptionTable}; {@link org.ftrma.options.JobOption} is that of a job.
 */
package org.ftrma.options;
