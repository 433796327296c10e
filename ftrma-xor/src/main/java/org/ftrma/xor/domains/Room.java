package org.ftrma.xor.domains;

/**
 * Members that the elements of one level can take: an element holds at most {@code limit} members in all, a node at
 * most its slots and the {@code load} asked for. One thread.
 */
final class Room {
    private final Topology topology;
    private final int level;

    /**
     * The room in the elements of one level.
     *
     * @param level the elements' level; 0 is as 1
     */
    Room(Topology topology, int level) {
        this.topology = topology;
        this.level = Math.max(1, level);
    }

    int elements() {
        return topology.count(level);
    }

    /** Members that an element takes if no node of it takes more than {@code load}. */
    long of(int element, long load, long limit) {
        long sum = 0;
        int end = topology.endNode(level, element);
        for (int node = topology.firstNode(level, element); node < end && sum < limit; node++) {
            sum += Math.min(load, topology.slots(node));
        }
        return Math.min(sum, limit);
    }

    /** The same for the elements {@code from} to {@code to - 1} together. */
    long of(int from, int to, long load, long limit) {
        long sum = 0;
        for (int element = from; element < to; element++) {
            sum += of(element, load, limit);
        }
        return sum;
    }

    /** The least load of the fullest node with which the elements take so many members, or -1 if they cannot. */
    long leastLoad(int from, int to, long members, long limit) {
        if (of(from, to, members, limit) < members) {
            return -1;
        }
        long low = 0;
        long high = members;
        while (low < high) {
            long middle = low + high >>> 1;
            if (of(from, to, middle, limit) >= members) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Lays so many members on the nodes of the elements, as evenly as possible: no node gets more than the least load,
     * and those that get one less are spread over the range.
     *
     * @param load receives the members of each node
     */
    void fill(int from, int to, long members, long limit, int[] load) {
        long least = leastLoad(from, to, members, limit);
        long[] target = new long[to - from];
        long[] open = new long[to - from];
        long rest = members;
        long places = 0;
        for (int i = 0; i < target.length; i++) {
            target[i] = least == 0 ? 0 : of(from + i, least - 1, limit);
            open[i] = of(from + i, least, limit) - target[i];
            rest -= target[i];
            places += open[i];
        }
        long before = 0;
        for (int i = 0; i < target.length; i++) {
            long behind = before + open[i];
            target[i] += open[i] == 0 ? 0 : rest * behind / places - rest * before / places;
            before = behind;
            fillElement(from + i, target[i], load);
        }
    }

    private void fillElement(int element, long members, int[] load) {
        long least = leastLoad(element, element + 1, members, Long.MAX_VALUE);
        int first = topology.firstNode(level, element);
        int end = topology.endNode(level, element);
        int[] open = new int[end - first];
        int count = 0;
        long rest = members;
        for (int node = first; node < end; node++) {
            load[node] = (int) Math.min(Math.max(0, least - 1), topology.slots(node));
            rest -= load[node];
            if (topology.slots(node) >= least) {
                open[count++] = node;
            }
        }
        for (int i = 0; i < rest; i++) {
            load[open[(int) (i * (long) count / rest)]]++;
        }
    }
}
