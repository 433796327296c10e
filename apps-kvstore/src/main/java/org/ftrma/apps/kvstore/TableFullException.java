package org.ftrma.apps.kvstore;

import org.ftrma.FtrmaException;

/**
 * The overflow heap of one rank has no free cell for a new key. The table is as it was: what was inserted before is
 * there, the key is not.
 */
public final class TableFullException extends FtrmaException {
    private static final long serialVersionUID = 1L;

    private final long key;

    TableFullException(String table, int owner, long slots, long heapCells, long key) {
        super(Category.MISUSE, "table=" + table + " rank=" + owner + " slots=" + slots + " heapCells=" + heapCells
            + " key=" + key
            + ": all cells of that rank's overflow heap are in use; allocate the table with more slots or a larger "
            + "heap");
        this.key = key;
    }

    /** The key that was not inserted. */
    public long key() {
        return key;
    }
}
