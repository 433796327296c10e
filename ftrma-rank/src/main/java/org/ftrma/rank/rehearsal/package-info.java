/** What spares do to be fast from their first step on: a small job inside of the process, in which a rank is lost. */
package org.ftrma.rank.rehearsal;
