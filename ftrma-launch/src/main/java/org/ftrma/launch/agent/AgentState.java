package org.ftrma.launch.agent;

import java.util.Set;

/** The state of a host, as the job sees it. */
enum AgentState {
    /** Its agent has joined, and has no job yet. */
    JOINED,
    /** It gets ready for the job. */
    OPENING,
    /** It is ready, and processes run there. */
    OPEN,
    /** It could not be made ready. */
    UNFIT,
    /** The job has left it: its agent ends. */
    LEFT,
    /** It is gone, or taken for that: nothing more is heard of it. */
    LOST;

    /** Whether nothing more is heard of it. */
    boolean isOver() {
        return this == LEFT || this == LOST;
    }

    /** Whether it has said if it is ready. */
    boolean hasAnswered() {
        return this != JOINED && this != OPENING;
    }

    /** Whether the next state may be this one. */
    boolean mayBecome(AgentState next) {
        return switch (this) {
            case JOINED -> Set.of(OPENING, LEFT, LOST).contains(next);
            case OPENING -> Set.of(OPEN, UNFIT, LEFT, LOST).contains(next);
            case OPEN, UNFIT -> next.isOver();
            case LEFT, LOST -> false;
        };
    }
}
