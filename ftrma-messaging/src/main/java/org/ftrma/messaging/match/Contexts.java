package org.ftrma.messaging.match;

import java.util.Arrays;
import org.ftrma.FtrmaException;

/** Contexts of a rank by number: two of each channel. Data thread only; allocates nothing once it has grown. */
public final class Contexts {
    private static final int MOST = 1 << 16;
    private Matching[] contexts = {new Matching(), new Matching()};

    /** The context of that number. */
    public Matching of(int context) {
        if (context < 0 || context >= MOST) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "a message of context " + context
                + ", where there are at most " + MOST);
        }
        if (context >= contexts.length) {
            int count = contexts.length;
            contexts = Arrays.copyOf(contexts, Math.max(context + 1, 2 * count));
            for (int i = count; i < contexts.length; i++) {
                contexts[i] = new Matching();
            }
        }
        return contexts[context];
    }

    /** Contexts that have been asked for, and perhaps more. */
    public int count() {
        return contexts.length;
    }

    /** Messages that have come and were not received. */
    public int messages() {
        int count = 0;
        for (Matching context : contexts) {
            for (Incoming one = context.firstCome(); one != null; one = one.next) {
                count++;
            }
        }
        return count;
    }
}
