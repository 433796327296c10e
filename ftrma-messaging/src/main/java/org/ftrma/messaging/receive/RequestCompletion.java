package org.ftrma.messaging.receive;

import java.util.StringJoiner;
import org.ftrma.DeadlineException;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.match.RequestCalls;

/**
 * Completes requests that a program holds: tests and waits for one, or for several at once. Data thread only; allocates
 * nothing.
 */
public final class RequestCompletion implements RequestCalls {
    /** Some requests are open, and none is complete. */
    private static final int NONE = -2;
    /** None is open. */
    private static final int EMPTY = -1;
    /** Requests that a message for people names. */
    private static final int MOST_NAMED = 4;
    private final MessageDeterminants determinants;
    private final NondeterministicCalls calls;
    private final MessageProgress progress;
    private final MessageWaiter waiter;

    /** Calls of a rank's program on its requests. */
    public RequestCompletion(MessageDeterminants determinants, NondeterministicCalls calls, MessageProgress progress,
        MessageWaiter waiter) {
        this.determinants = determinants;
        this.calls = calls;
        this.progress = progress;
        this.waiter = waiter;
    }

    @Override
    public void enter() {
        progress.enter();
    }

    @Override
    public boolean test(PendingRequest request) {
        return calls.test(request);
    }

    @Override
    public void await(PendingRequest request) {
        waiter.awaitNamed(request);
    }

    @Override
    public boolean isTakenBack(ReceiveRequest receive) {
        return calls.isTakenBack(receive);
    }

    private static PendingRequest own(MessageRequest request, String call) {
        if (!(request instanceof PendingRequest own)) {
            throw new MisuseException(call + ": a request of another kind: " + request);
        }
        own.requireOpen(call);
        return own;
    }

    private static void requireGiven(String call, String name, Object array) {
        if (array == null) {
            throw new MisuseException(call + ": " + name + " is null: must be an array"
                + (name.equals("requests") ? ", of which elements may be null" : ""));
        }
    }

    /** Nothing has been done yet when this refuses what was given. */
    private static void requireOpen(String call, MessageRequest... requests) {
        requireGiven(call, "requests", requests);
        for (MessageRequest one : requests) {
            if (one != null) {
                own(one, call);
            }
        }
    }

    /** Waits until all are complete. */
    public void waitAll(MessageRequest... requests) {
        requireOpen("waitAll", requests);
        for (MessageRequest one : requests) {
            if (one != null) {
                waiter.awaitNamed((PendingRequest) one);
            }
        }
        overAll("waitAll", false, requests);
    }

    /** All are complete, and end; the first one that has not received what it should is told of. */
    private static void overAll(String call, boolean areTaken, MessageRequest... requests) {
        MisuseException first = null;
        for (int i = 0; i < requests.length; i++) {
            PendingRequest one = (PendingRequest) requests[i];
            if (one != null) {
                requests[i] = areTaken ? null : one;
            }
            if (one != null && !one.isOver()) { // it may have been given twice
                try {
                    one.over();
                } catch (MisuseException e) {
                    first = first != null ? first : new MisuseException(call + ": requests[" + i + "]: "
                        + e.getMessage());
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Waits until one is complete. */
    public int waitAny(MessageRequest... requests) {
        return waitAny("waitAny", requests);
    }

    private int waitAny(String call, MessageRequest... requests) {
        requireOpen(call, requests);
        if (firstComplete(requests) == EMPTY) {
            return EMPTY;
        }
        long known = determinants.next(MessageDeterminants.Call.ANY);
        if (known != MessageDeterminants.FREE) {
            return complete(call, (int) known, requests);
        }
        progress.run();
        int found = firstComplete(requests);
        if (found == NONE) {
            waiter.beginWait("one of several requests", -1);
        }
        while (found == NONE) {
            turn(requests);
            progress.run();
            found = firstComplete(requests);
        }
        return over(found, requests);
    }

    /** The deadline names what was waited for. */
    private void turn(MessageRequest... requests) {
        try {
            waiter.turn();
        } catch (DeadlineException e) {
            StringJoiner open = new StringJoiner("; ");
            int count = 0;
            for (MessageRequest one : requests) {
                if (one != null && count++ < MOST_NAMED) {
                    open.add(((PendingRequest) one).describe());
                }
            }
            throw new DeadlineException(e.getMessage() + "; " + count + (count == 1 ? " is" : " are") + " open: " + open
                + (count > MOST_NAMED ? "; ..." : ""));
        }
    }

    private int over(int found, MessageRequest... requests) {
        determinants.was(MessageDeterminants.Call.ANY, found);
        return take(found, requests);
    }

    private static int take(int found, MessageRequest... requests) {
        PendingRequest request = (PendingRequest) requests[found];
        requests[found] = null;
        request.over();
        return found;
    }

    /** The call told of that one before: it is awaited. */
    private int complete(String call, int known, MessageRequest... requests) {
        if (known < 0 || known >= requests.length || requests[known] == null) {
            throw calls.mismatch(call + " of " + requests.length + " requests told of that at " + known);
        }
        waiter.awaitNamed(own(requests[known], call));
        return take(known, requests);
    }

    private static int firstComplete(MessageRequest... requests) {
        int result = EMPTY;
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] != null) {
                result = NONE;
                if (((PendingRequest) requests[i]).isComplete()) {
                    return i;
                }
            }
        }
        return result;
    }

    /** Whether one is complete. */
    public int testAny(MessageRequest... requests) {
        return testAny("testAny", requests);
    }

    private int testAny(String call, MessageRequest... requests) {
        requireOpen(call, requests);
        if (firstComplete(requests) == EMPTY) {
            return EMPTY;
        }
        long known = determinants.next(MessageDeterminants.Call.ANY);
        if (known == MessageDeterminants.NOTHING) {
            calls.nothingYet();
            return EMPTY;
        }
        if (known != MessageDeterminants.FREE) {
            return complete(call, (int) known, requests);
        }
        progress.run();
        int found = firstComplete(requests);
        if (found == NONE) {
            determinants.was(MessageDeterminants.Call.ANY, MessageDeterminants.NOTHING);
            calls.relaxUnless(false);
            inVain(true, requests);
            return EMPTY;
        }
        return over(found, requests);
    }

    /** Whether none of them, or not all of them, can ever be complete. */
    private void inVain(boolean areAll, MessageRequest... requests) {
        PendingRequest hopeless = null;
        for (MessageRequest one : requests) {
            if (one instanceof PendingRequest request && !request.isComplete()) {
                boolean isHopeless = calls.isHopeless(request);
                if (areAll && !isHopeless) {
                    calls.inVain(false, null);
                    return;
                }
                hopeless = isHopeless ? request : hopeless;
            }
        }
        calls.inVain(hopeless != null, hopeless);
    }

    /** Waits until one or more are complete. */
    public int waitSome(int[] done, MessageRequest... requests) {
        requireRoom("waitSome", done, requests);
        int first = waitAny("waitSome", requests);
        return first < 0 ? first : some("waitSome", first, done, requests);
    }

    /** Which are complete. */
    public int testSome(int[] done, MessageRequest... requests) {
        requireRoom("testSome", done, requests);
        int state = firstComplete(requests);
        int first = state == EMPTY ? EMPTY : testAny("testSome", requests);
        return first >= 0 ? some("testSome", first, done, requests) : state == EMPTY ? EMPTY : 0;
    }

    private static void requireRoom(String call, int[] done, MessageRequest... requests) {
        requireGiven(call, "done", done);
        requireOpen(call, requests);
        if (done.length < requests.length) {
            throw new MisuseException(call + ": done has " + done.length + " elements for the numbers of "
                + requests.length + " requests: must be at least as long");
        }
    }

    /**
     * Each of them is an outcome of its own, and so is that there are no more. One that is not what it should be waits
     * for the next call: its exception would hide what this call tells.
     */
    private int some(String call, int first, int[] done, MessageRequest... requests) {
        int count = 0;
        done[count++] = first;
        while (true) {
            int found = firstComplete(requests);
            long known = found == EMPTY ? MessageDeterminants.NOTHING : determinants.next(MessageDeterminants.Call.ANY);
            if (known == MessageDeterminants.FREE && (found == NONE || ((PendingRequest) requests[found]).isWrong())) {
                determinants.was(MessageDeterminants.Call.ANY, MessageDeterminants.NOTHING);
                return count;
            }
            if (known == MessageDeterminants.NOTHING) {
                return count;
            }
            done[count++] = known == MessageDeterminants.FREE ? over(found, requests)
                : complete(call, (int) known, requests);
        }
    }

    /** Whether all are complete. */
    public boolean testAll(MessageRequest... requests) {
        requireOpen("testAll", requests);
        long known = determinants.next(MessageDeterminants.Call.TEST_ALL);
        if (known == MessageDeterminants.NOTHING) {
            calls.nothingYet();
            return false;
        }
        if (known == MessageDeterminants.FREE) {
            progress.run();
            boolean areComplete = areComplete(requests);
            determinants.was(MessageDeterminants.Call.TEST_ALL, areComplete ? 0 : MessageDeterminants.NOTHING);
            calls.relaxUnless(areComplete);
            if (!areComplete) {
                inVain(false, requests);
                return false;
            }
        }
        for (MessageRequest one : requests) {
            if (one != null) {
                waiter.await((PendingRequest) one);
            }
        }
        overAll("testAll", true, requests);
        return true;
    }

    private static boolean areComplete(MessageRequest... requests) {
        for (MessageRequest one : requests) {
            if (one != null && !((PendingRequest) one).isComplete()) {
                return false;
            }
        }
        return true;
    }
}
