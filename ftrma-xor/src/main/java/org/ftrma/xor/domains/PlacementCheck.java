package org.ftrma.xor.domains;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whether a placement keeps the rules, from the definition and knowing nothing of how it was made: every level up
 * to the t-aware one is counted, though the highest would do. Pure functions; any thread.
 */
public final class PlacementCheck {
    private static final int MAX_VIOLATIONS = 20;

    private PlacementCheck() {
    }

    /**
     * What is wrong, as sentences; empty where nothing is. At most 20 are told.
     *
     * @param placement  what to check
     * @param awareLevel t-awareness level n, 0 for none
     */
    public static List<String> violations(Placement placement, int awareLevel) {
        List<String> wrong = new ArrayList<>();
        checkSizes(placement, wrong);
        checkSlots(placement, wrong);
        for (int level = 1; level <= awareLevel; level++) {
            checkSharing(placement, level, wrong);
        }
        return wrong.size() > MAX_VIOLATIONS ? wrong.subList(0, MAX_VIOLATIONS) : wrong;
    }

    private static void checkSizes(Placement placement, List<String> wrong) {
        int[] computing = new int[placement.groups()];
        for (int rank = 0; rank < placement.ranks(); rank++) {
            computing[placement.groupOf(rank)]++;
        }
        int small = placement.ranks() / placement.groups();
        int large = (placement.ranks() + placement.groups() - 1) / placement.groups();
        for (int group = 0; group < computing.length; group++) {
            if (computing[group] < small || computing[group] > large) {
                wrong.add("group " + group + " has " + computing[group] + " computing ranks, where " + small
                    + (large == small ? "" : " or " + large) + " are its share");
            }
        }
    }

    private static void checkSlots(Placement placement, List<String> wrong) {
        Map<Integer, Integer> load = new HashMap<>();
        for (int member = 0; member < placement.members(); member++) {
            load.merge(placement.nodeOf(member), 1, Integer::sum);
        }
        load.forEach((node, members) -> {
            int slots = placement.topology().slots(node);
            if (members > slots) {
                wrong.add(placement.topology().domainName(1, node) + " holds " + members + " members and has " + slots
                    + " slots");
            }
        });
    }

    private static void checkSharing(Placement placement, int level, List<String> wrong) {
        Map<Long, Integer> together = new HashMap<>();
        for (int member = 0; member < placement.members(); member++) {
            long key = (long) placement.groupOf(member) << Integer.SIZE | placement.domainOf(member, level);
            together.merge(key, 1, Integer::sum);
        }
        together.forEach((key, members) -> {
            if (members > placement.losses()) {
                wrong.add(members + " members of group " + (key >>> Integer.SIZE) + " share "
                    + placement.topology().domainName(level, key.intValue()) + ", and " + placement.losses() + " may");
            }
        });
    }
}
