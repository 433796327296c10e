/** What all commands that measure share: how they end, and what they tell then. */
package org.ftrma.bench.command;
