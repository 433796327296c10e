package org.ftrma;

/**
 * Distribution of protected state over the ranks, for a restart from disk with another number of them: see {@link
 * Job#distribution}. Three kinds:
 * <ul>
 * <li>An array that all ranks have together, each element at one of them: {@link #block}, {@link #cyclic} and
 * {@link #blockCyclic}, as HPF and ScaLAPACK have them, {@link #even}, or {@link #of}, by a function.
 * <li>{@link #replicated}: the same bytes at each rank.
 * <li>{@link #zeroed}: what a step makes anew, such as a halo.
 * </ul>
 * What belongs to no element of an array is zero after the restart. Immutable; any thread.
 */
public final class Distribution {
    private static final Placement NOWHERE = new Placement() {
        @Override
        public int rank(int ranks, long element) {
            throw new IllegalStateException("it has no elements");
        }

        @Override
        public long offset(int ranks, long element) {
            return rank(ranks, element);
        }
    };

    private final Kind kind;
    private final String text;
    private final long elements;
    private final long elementBytes;
    private final Placement placement;

    private Distribution(Kind kind, String text, long elements, long elementBytes, Placement placement) {
        this.kind = kind;
        this.text = text;
        this.elements = elements;
        this.elementBytes = elementBytes;
        this.placement = placement;
    }

    /** What becomes of it on another number of ranks. */
    public enum Kind {
        /** Elements go to the ranks that have them there. */
        ELEMENTS,
        /** All ranks have the same, and so have more or fewer of them. */
        REPLICATED,
        /** It begins with zeros. */
        ZEROED
    }

    /** Where elements are. Called by the data thread, for any number of ranks; depends on nothing but its arguments. */
    public interface Placement {
        /**
         * The rank that has an element.
         *
         * @param ranks computing ranks of the job, which may be others than {@link Job#ranks}
         * @param element 0 up to the number of elements - 1
         * @return 0 up to ranks - 1
         */
        int rank(int ranks, long element);

        /** Where in that rank's part the element begins, in bytes. */
        long offset(int ranks, long element);

        /**
         * How many elements, this one and those that follow it, are at the same rank, one behind the other: at least 1.
         * They are moved together; a larger number is quicker, and changes nothing else.
         */
        default long run(int ranks, long element) {
            return 1;
        }
    }

    /**
     * Rank r has the elements from r * b up to (r + 1) * b - 1, where b is elements / ranks, rounded up: the last ranks
     * may have fewer, or none. HPF's BLOCK. The first of each rank lies at the start of its part.
     *
     * @param elements of all ranks together
     */
    public static Distribution block(long elements, long elementBytes) {
        return new Distribution(Kind.ELEMENTS, "block of " + described(elements, elementBytes), elements, elementBytes,
            new BlockCyclic(elements, elementBytes, 0));
    }

    /**
     * Rank r has the elements from elements * r / ranks on, rounded down, up to where the next rank's begin: no two
     * ranks differ by more than one element.
     *
     * @param elements of all ranks together, at most 2^46
     */
    public static Distribution even(long elements, long elementBytes) {
        if (elements > Even.MOST) {
            throw new MisuseException("even: elements=" + elements + ": must be 1 to " + Even.MOST);
        }
        return new Distribution(Kind.ELEMENTS, "even, " + described(elements, elementBytes), elements, elementBytes,
            new Even(elements, elementBytes));
    }

    /** Rank r has the elements r, r + ranks, r + 2 * ranks and so on, one behind the other. HPF's CYCLIC. */
    public static Distribution cyclic(long elements, long elementBytes) {
        return new Distribution(Kind.ELEMENTS, "cyclic, " + described(elements, elementBytes), elements, elementBytes,
            new BlockCyclic(elements, elementBytes, 1));
    }

    /**
     * Blocks of so many elements go round over the ranks: rank r has the blocks r, r + ranks and so on, one behind the
     * other. HPF's CYCLIC(k), ScaLAPACK's block-cyclic distribution in one dimension.
     */
    public static Distribution blockCyclic(long elements, long elementBytes, long blockElements) {
        if (blockElements < 1) {
            throw new MisuseException("blockCyclic: blockElements=" + blockElements + ": must be 1 or more");
        }
        return new Distribution(Kind.ELEMENTS, "cyclic by " + blockElements + ", " + described(elements, elementBytes),
            elements, elementBytes, new BlockCyclic(elements, elementBytes, blockElements));
    }

    /**
     * By a function.
     *
     * @param name what it is called where a job tells what it does, and by which it is known again: one line,
     *     without a colon
     */
    public static Distribution of(String name, long elements, long elementBytes, Placement placement) {
        if (name == null || name.isBlank()
            || name.chars().anyMatch(c -> c == ':' || Character.isISOControl(c))) {
            throw new MisuseException("distribution: its name is " + (name == null ? "null" : "\"" + name.strip()
                + "\"") + "; give it one of one line, without colons and control characters");
        }
        if (placement == null) {
            throw new MisuseException("distribution " + name + ": placement is null");
        }
        return new Distribution(Kind.ELEMENTS, name + ", " + described(elements, elementBytes), elements, elementBytes,
            placement);
    }

    /**
     * The same bytes at each rank, such as a sum that all know: checked when a job starts from disk. Where the program
     * has more of it than the image, the rest is zero.
     */
    public static Distribution replicated() {
        return new Distribution(Kind.REPLICATED, "replicated", 0, 0, NOWHERE);
    }

    /** What is not needed any more at the end of a step, although it is protected: it is zero then. */
    public static Distribution zeroed() {
        return new Distribution(Kind.ZEROED, "zeroed", 0, 0, NOWHERE);
    }

    /** The same, where so many bytes of each rank's part come before its elements. */
    public Distribution after(long bytes) {
        if (bytes < 0 || kind != Kind.ELEMENTS) {
            throw new MisuseException("distribution " + text + ": after " + bytes + " bytes; it must be 0 or more, and "
                + "of elements");
        }
        Placement from = placement;
        return new Distribution(kind, text + " after " + bytes + " bytes", elements, elementBytes, new Placement() {
            @Override
            public int rank(int ranks, long element) {
                return from.rank(ranks, element);
            }

            @Override
            public long offset(int ranks, long element) {
                return bytes + from.offset(ranks, element);
            }

            @Override
            public long run(int ranks, long element) {
                return from.run(ranks, element);
            }
        });
    }

    private static String described(long elements, long elementBytes) {
        if (elements < 1 || elementBytes < 1 || elements > Long.MAX_VALUE / elementBytes) {
            throw new MisuseException("distribution: elements=" + elements + " elementBytes=" + elementBytes
                + ": both must be 1 or more, and fewer than 2^63 bytes together");
        }
        return elements + " elements of " + elementBytes + " bytes";
    }

    public Kind kind() {
        return kind;
    }

    /** Of all ranks together; 0 where there are none. */
    public long elements() {
        return elements;
    }

    public long elementBytes() {
        return elementBytes;
    }

    /** Where its elements are. */
    public Placement placement() {
        return placement;
    }

    /** In words, by which another one is told apart: one line. */
    @Override
    public String toString() {
        return text;
    }

    /** Blocks that go round over the ranks; 0 elements in a block: as many as let them go round once. */
    private record BlockCyclic(long elements, long elementBytes, long blockElements)
        implements Placement {
        private long block(int ranks) {
            return blockElements > 0 ? blockElements : (elements - 1) / ranks + 1;
        }

        @Override
        public int rank(int ranks, long element) {
            return (int) (element / block(ranks) % ranks);
        }

        @Override
        public long offset(int ranks, long element) {
            long block = block(ranks);
            return (element / block / ranks * block + element % block) * elementBytes;
        }

        @Override
        public long run(int ranks, long element) {
            long block = block(ranks);
            return ranks == 1 ? elements - element : Math.min(block - element % block, elements - element);
        }
    }

    /** Blocks of which none is larger than another one by more than one element. */
    private record Even(long elements, long elementBytes) implements Placement {
        /** Times as many ranks as a job can have it is a long. */
        static final long MOST = 1L << 46;

        @Override
        public int rank(int ranks, long element) {
            return (int) (((element + 1) * ranks - 1) / elements);
        }

        @Override
        public long offset(int ranks, long element) {
            return (element - elements * rank(ranks, element) / ranks) * elementBytes;
        }

        @Override
        public long run(int ranks, long element) {
            return elements * (rank(ranks, element) + 1L) / ranks - element;
        }
    }
}
