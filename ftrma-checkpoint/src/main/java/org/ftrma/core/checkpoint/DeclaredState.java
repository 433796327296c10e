package org.ftrma.core.checkpoint;

import java.util.List;
import java.util.Map;
import org.ftrma.Distribution;

/**
 * State of a program as it has declared it. Immutable; any thread.
 *
 * @param parameters what the state depends on, a line each
 * @param locals the names of protected segments, in their order
 * @param distributions by name: how windows and segments lie over the ranks
 */
public record DeclaredState(List<String> parameters, List<String> locals, Map<String, Distribution> distributions) {
    /** Nothing. */
    static final DeclaredState NOTHING = new DeclaredState(List.of(), List.of(), Map.of());
}
