/** The messages between members and coordinator, and their encoding. */
package org.ftrma.core.control;

