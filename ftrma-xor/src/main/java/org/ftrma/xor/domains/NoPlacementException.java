package org.ftrma.xor.domains;

/** There is no placement of the kind that was asked for; the message says what is missing, and what would do. */
public final class NoPlacementException extends Exception {
    private static final long serialVersionUID = 1;
    private final int missingDomains;
    private final long missingMembers;

    NoPlacementException(String message, int missingDomains, long missingMembers) {
        super(message);
        this.missingDomains = missingDomains;
        this.missingMembers = missingMembers;
    }

    /** How many elements of the aware level are missing; 0 where there are enough, but not enough slots in them. */
    public int missingDomains() {
        return missingDomains;
    }

    /** How many members find no place. */
    public long missingMembers() {
        return missingMembers;
    }
}
