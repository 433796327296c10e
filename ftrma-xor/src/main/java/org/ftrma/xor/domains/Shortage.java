package org.ftrma.xor.domains;

import java.util.Arrays;

/** Explains why a placement is impossible, and what would make it possible. One thread. */
final class Shortage {
    private final Topology topology;
    private final int ranks;
    private final int groups;
    private final int losses;
    private final int level;

    private Shortage(Topology topology, int ranks, int groups, int losses, int level) {
        this.topology = topology;
        this.ranks = ranks;
        this.groups = groups;
        this.losses = losses;
        this.level = level;
    }

    static NoPlacementException of(Topology topology, int ranks, int groups, int losses, int level) {
        return new Shortage(topology, ranks, groups, losses, level).exception();
    }

    private NoPlacementException exception() {
        long members = ranks + (long) groups * losses;
        long[] room = sortedRoom(level);
        long usable = usable(room, limit(groups));
        int computing = (ranks - 1) / groups + 1;
        int size = computing + losses;
        StringBuilder text = new StringBuilder(plural(groups, "group")).append(" of ").append(size).append(" (")
            .append(plural(computing, "computing rank")).append(" and ").append(plural(losses, "checksum rank"))
            .append(groups == 1 ? ") does not fit on " : ") do not fit on ").append(topology).append("; ");
        int missing = 0;
        if (level > 0) {
            String rule = "at most " + plural(losses, "member") + " of a group may share a "
                + topology.levelName(level);
            int needed = (size - 1) / losses + 1;
            missing = Math.max(0, needed - topology.count(level));
            text.append(rule).append(missing > 0 ? ", so a group needs " + needed + ": " + missing
                + (missing == 1 ? " is" : " are") + " missing"
                : ", which leaves room for ");
        } else {
            text.append("there is room for ");
        }
        if (missing == 0) {
            text.append(usable).append(" of ").append(members).append(" members: ").append(members - usable)
                .append(" have none");
        }
        suggest(text);
        return new NoPlacementException(text.toString(), missing, members - usable);
    }

    private void suggest(StringBuilder text) {
        long[] room = sortedRoom(level);
        long[] sums = new long[room.length + 1];
        for (int i = 0; i < room.length; i++) {
            sums[i + 1] = sums[i] + room[i];
        }
        int small = 0;
        for (int more = groups + 1; more <= ranks; more++) {
            while (small < room.length && room[small] <= limit(more)) {
                small++;
            }
            if (sums[small] + (room.length - small) * limit(more) >= ranks + (long) more * losses) {
                text.append(". With ").append(more * (long) losses)
                    .append(" checksum ranks (smaller groups) it would fit");
                break;
            }
        }
        for (int lower = level - 1; lower > 0; lower--) {
            if (usable(sortedRoom(lower), limit(groups)) >= ranks + (long) groups * losses) {
                text.append(". Groups can be kept apart at level ").append(topology.levelName(lower));
                break;
            }
        }
    }

    /** Members that an element may hold, as far as groups matter. */
    private long limit(int ofGroups) {
        return level == 0 ? Topology.UNLIMITED : (long) ofGroups * losses;
    }

    /** Slots of each element, smallest first. */
    private long[] sortedRoom(int ofLevel) {
        Room room = new Room(topology, ofLevel);
        long[] slots = new long[room.elements()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = room.of(i, Topology.UNLIMITED, Topology.UNLIMITED);
        }
        Arrays.sort(slots);
        return slots;
    }

    private static long usable(long[] room, long limit) {
        long sum = 0;
        for (long slots : room) {
            sum += Math.min(slots, limit);
        }
        return sum;
    }

    private static String plural(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
