package org.ftrma.messaging;

import java.util.StringJoiner;
import org.ftrma.DeadlineException;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;

/** Calls of a program on several requests at once. Data thread only; allocates nothing. */
final class SeveralRequests {
    /** Some requests are open, and none is complete. */
    private static final int NONE = -2;
    /** None is open. */
    private static final int EMPTY = -1;
    /** Requests that a message for people names. */
    private static final int MOST_NAMED = 4;
    private final Messages messages;

    SeveralRequests(Messages messages) {
        this.messages = messages;
    }

    static MessageRequestImpl own(MessageRequest request, String call) {
        if (!(request instanceof MessageRequestImpl own)) {
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

    void waitAll(MessageRequest... requests) {
        requireOpen("waitAll", requests);
        for (MessageRequest one : requests) {
            if (one != null) {
                messages.waits().awaitNamed((MessageRequestImpl) one);
            }
        }
        overAll("waitAll", false, requests);
    }

    /** All are complete, and end; the first one that has not received what it should is told of. */
    private static void overAll(String call, boolean areTaken, MessageRequest... requests) {
        MisuseException first = null;
        for (int i = 0; i < requests.length; i++) {
            MessageRequestImpl one = (MessageRequestImpl) requests[i];
            if (one != null) {
                requests[i] = areTaken ? null : one;
            }
            if (one != null && !one.isOver) { // it may have been given twice
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

    int waitAny(MessageRequest... requests) {
        return waitAny("waitAny", requests);
    }

    private int waitAny(String call, MessageRequest... requests) {
        requireOpen(call, requests);
        if (firstComplete(requests) == EMPTY) {
            return EMPTY;
        }
        long known = messages.outcomes().next(Outcomes.Call.ANY);
        if (known != Outcomes.FREE) {
            return complete(call, (int) known, requests);
        }
        messages.progress();
        int found = firstComplete(requests);
        if (found == NONE) {
            messages.waits().beginWait("one of several requests", -1);
        }
        while (found == NONE) {
            turn(requests);
            messages.progress();
            found = firstComplete(requests);
        }
        return over(found, requests);
    }

    /** The deadline names what was waited for. */
    private void turn(MessageRequest... requests) {
        try {
            messages.waits().turn();
        } catch (DeadlineException e) {
            StringJoiner open = new StringJoiner("; ");
            int count = 0;
            for (MessageRequest one : requests) {
                if (one != null && count++ < MOST_NAMED) {
                    open.add(((MessageRequestImpl) one).describe());
                }
            }
            throw new DeadlineException(e.getMessage() + "; " + count + (count == 1 ? " is" : " are") + " open: " + open
                + (count > MOST_NAMED ? "; ..." : ""));
        }
    }

    private int over(int found, MessageRequest... requests) {
        messages.outcomes().was(Outcomes.Call.ANY, found);
        return take(found, requests);
    }

    private static int take(int found, MessageRequest... requests) {
        MessageRequestImpl request = (MessageRequestImpl) requests[found];
        requests[found] = null;
        request.over();
        return found;
    }

    /** The call told of that one before: it is awaited. */
    private int complete(String call, int known, MessageRequest... requests) {
        if (known < 0 || known >= requests.length || requests[known] == null) {
            throw messages.questions().mismatch(call + " of " + requests.length + " requests told of that at " + known);
        }
        messages.waits().awaitNamed(own(requests[known], call));
        return take(known, requests);
    }

    private static int firstComplete(MessageRequest... requests) {
        int result = EMPTY;
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] != null) {
                result = NONE;
                if (((MessageRequestImpl) requests[i]).isComplete) {
                    return i;
                }
            }
        }
        return result;
    }

    int testAny(MessageRequest... requests) {
        return testAny("testAny", requests);
    }

    private int testAny(String call, MessageRequest... requests) {
        requireOpen(call, requests);
        if (firstComplete(requests) == EMPTY) {
            return EMPTY;
        }
        long known = messages.outcomes().next(Outcomes.Call.ANY);
        if (known == Outcomes.NOTHING) {
            messages.questions().nothingYet();
            return EMPTY;
        }
        if (known != Outcomes.FREE) {
            return complete(call, (int) known, requests);
        }
        messages.progress();
        int found = firstComplete(requests);
        if (found == NONE) {
            messages.outcomes().was(Outcomes.Call.ANY, Outcomes.NOTHING);
            messages.questions().relaxUnless(false);
            inVain(true, requests);
            return EMPTY;
        }
        return over(found, requests);
    }

    /** Whether none of them, or not all of them, can ever be complete. */
    private void inVain(boolean areAll, MessageRequest... requests) {
        MessageRequestImpl hopeless = null;
        for (MessageRequest one : requests) {
            if (one instanceof MessageRequestImpl request && !request.isComplete) {
                boolean isHopeless = messages.questions().isHopeless(request);
                if (areAll && !isHopeless) {
                    messages.questions().inVain(false, null);
                    return;
                }
                hopeless = isHopeless ? request : hopeless;
            }
        }
        messages.questions().inVain(hopeless != null, hopeless);
    }

    int waitSome(int[] done, MessageRequest... requests) {
        requireRoom("waitSome", done, requests);
        int first = waitAny("waitSome", requests);
        return first < 0 ? first : some("waitSome", first, done, requests);
    }

    int testSome(int[] done, MessageRequest... requests) {
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
            long known = found == EMPTY ? Outcomes.NOTHING : messages.outcomes().next(Outcomes.Call.ANY);
            if (known == Outcomes.FREE && (found == NONE || ((MessageRequestImpl) requests[found]).isWrong())) {
                messages.outcomes().was(Outcomes.Call.ANY, Outcomes.NOTHING);
                return count;
            }
            if (known == Outcomes.NOTHING) {
                return count;
            }
            done[count++] = known == Outcomes.FREE ? over(found, requests) : complete(call, (int) known, requests);
        }
    }

    boolean testAll(MessageRequest... requests) {
        requireOpen("testAll", requests);
        long known = messages.outcomes().next(Outcomes.Call.TEST_ALL);
        if (known == Outcomes.NOTHING) {
            messages.questions().nothingYet();
            return false;
        }
        if (known == Outcomes.FREE) {
            messages.progress();
            boolean areComplete = areComplete(requests);
            messages.outcomes().was(Outcomes.Call.TEST_ALL, areComplete ? 0 : Outcomes.NOTHING);
            messages.questions().relaxUnless(areComplete);
            if (!areComplete) {
                inVain(false, requests);
                return false;
            }
        }
        for (MessageRequest one : requests) {
            if (one != null) {
                messages.await((MessageRequestImpl) one);
            }
        }
        overAll("testAll", true, requests);
        return true;
    }

    private static boolean areComplete(MessageRequest... requests) {
        for (MessageRequest one : requests) {
            if (one != null && !((MessageRequestImpl) one).isComplete) {
                return false;
            }
        }
        return true;
    }
}
