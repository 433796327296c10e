/**
 * The places of a program's classes, and what is in them: expanding a class path, and telling whether two processes
 * would run the same code. It must not depend on how either of them is started.
 */
package org.ftrma.rank.program;
