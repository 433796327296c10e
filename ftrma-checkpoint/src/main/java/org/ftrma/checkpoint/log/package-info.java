/**
 * The access logs: where they lie, how they are written, read and trimmed, and the interceptor that fills them. Read {@code LogDescriptor}
 * first. Nothing here knows of recovery: a replacement reads the logs with {@code LogReader}.
 */
package org.ftrma.checkpoint.log;
