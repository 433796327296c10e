/** The one table of job options: parsing, validation, help and documentation come from it. */
package org.ftrma.options;
