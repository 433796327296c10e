package org.ftrma.messaging;

import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;

/** Calls of a program on several requests at once. Data thread only; allocates nothing. */
final class SeveralRequests {
    /** Some requests are open, and none is complete. */
    private static final int NONE = -2;
    /** None is open. */
    private static final int EMPTY = -1;
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

    int waitAny(MessageRequest... requests) {
        if (firstComplete("waitAny", requests) == EMPTY) {
            return EMPTY;
        }
        long known = messages.outcomes().next(Outcomes.Call.ANY);
        if (known != Outcomes.FREE) {
            return complete("waitAny", (int) known, requests);
        }
        messages.progress();
        int found = firstComplete("waitAny", requests);
        if (found == NONE) {
            messages.waits().beginWait("one of several requests", -1);
        }
        while (found == NONE) {
            messages.waits().turn();
            messages.progress();
            found = firstComplete("waitAny", requests);
        }
        return over(found, requests);
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
        messages.await(own(requests[known], call));
        return take(known, requests);
    }

    private static int firstComplete(String call, MessageRequest... requests) {
        int result = EMPTY;
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] != null) {
                result = NONE;
                if (own(requests[i], call).isComplete) {
                    return i;
                }
            }
        }
        return result;
    }

    int testAny(MessageRequest... requests) {
        if (firstComplete("testAny", requests) == EMPTY) {
            return EMPTY;
        }
        long known = messages.outcomes().next(Outcomes.Call.ANY);
        if (known == Outcomes.NOTHING) {
            messages.questions().nothingYet();
            return EMPTY;
        }
        if (known != Outcomes.FREE) {
            return complete("testAny", (int) known, requests);
        }
        messages.progress();
        int found = firstComplete("testAny", requests);
        if (found == NONE) {
            messages.outcomes().was(Outcomes.Call.ANY, Outcomes.NOTHING);
            messages.questions().relaxUnless(false);
            return EMPTY;
        }
        return over(found, requests);
    }

    int waitSome(int[] done, MessageRequest... requests) {
        requireRoom("waitSome", done, requests);
        int first = waitAny(requests);
        return first < 0 ? first : some("waitSome", first, done, requests);
    }

    int testSome(int[] done, MessageRequest... requests) {
        requireRoom("testSome", done, requests);
        int state = firstComplete("testSome", requests);
        int first = state == EMPTY ? EMPTY : testAny(requests);
        return first >= 0 ? some("testSome", first, done, requests) : state == EMPTY ? EMPTY : 0;
    }

    private static void requireRoom(String call, int[] done, MessageRequest... requests) {
        if (done.length < requests.length) {
            throw new MisuseException(call + ": done has " + done.length + " elements for the numbers of "
                + requests.length + " requests: must be at least as long");
        }
    }

    /** Each of them is an outcome of its own, and so is that there are no more. */
    private int some(String call, int first, int[] done, MessageRequest... requests) {
        int count = 0;
        done[count++] = first;
        while (true) {
            int found = firstComplete(call, requests);
            long known = found == EMPTY ? Outcomes.NOTHING : messages.outcomes().next(Outcomes.Call.ANY);
            if (known == Outcomes.FREE && found == NONE) {
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
        for (MessageRequest one : requests) {
            if (one != null) {
                own(one, "testAll");
            }
        }
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
                return false;
            }
        }
        for (int i = 0; i < requests.length; i++) {
            MessageRequest one = requests[i];
            if (one != null) {
                messages.await((MessageRequestImpl) one);
                requests[i] = null;
                ((MessageRequestImpl) one).over();
            }
        }
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
