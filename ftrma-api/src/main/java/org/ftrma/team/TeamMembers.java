package org.ftrma.team;

import java.util.Arrays;
import org.ftrma.MisuseException;
import org.ftrma.Team;

/** Members of a team, for all kinds of teams. Immutable; any thread. */
abstract class TeamMembers implements Team {
    private final String name;
    private final int position;
    /** By position. */
    private final int[] ranks;
    /** By rank of the job; -1: no member. */
    private final int[] positions;

    TeamMembers(String name, int[] ranks, int rank, int ofJob) {
        this.name = name;
        this.ranks = ranks.clone();
        this.positions = new int[ofJob];
        Arrays.fill(positions, -1);
        for (int i = 0; i < ranks.length; i++) {
            positions[ranks[i]] = i;
        }
        this.position = positions[rank];
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int position() {
        return position;
    }

    @Override
    public final int size() {
        return ranks.length;
    }

    @Override
    public final int rankOf(int member) {
        if (member < 0 || member >= ranks.length) {
            throw new MisuseException("team " + name + ": rankOf: position=" + member + ": must be 0 to "
                + (ranks.length - 1));
        }
        return ranks[member];
    }

    @Override
    public final int positionOf(int rank) {
        if (rank < 0 || rank >= positions.length) {
            throw new MisuseException("team " + name + ": positionOf: rank=" + rank + ": must be 0 to "
                + (positions.length - 1));
        }
        return positions[rank];
    }

    @Override
    public String toString() {
        return "team " + name + " of ranks " + Arrays.toString(ranks);
    }
}
