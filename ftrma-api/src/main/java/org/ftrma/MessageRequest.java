package org.ftrma;

/**
 * A send, a receive or a collective that was begun. Complete means: of a send that its source may be reused
 * ({@link Channel#isend}) or that its message was matched ({@link Channel#issend}), of a receive that the message is in
 * its destination, or that it was cancelled, of a collective that its source may be reused and its result is there
 * ({@link Channel#ibarrier}). Requests are reused: do not touch one after a call has told that it is complete. No
 * request may be open at the end of a step, or of the program. Data thread only; allocates nothing.
 */
public interface MessageRequest {
    /**
     * Makes progress and says whether the request is complete.
     *
     * @throws MisuseException if a message was longer than the destination; what fitted is there. Of a collective: if
     *     another rank has called something else
     */
    boolean test();

    /**
     * Waits until the request is complete.
     *
     * @return of a receive, what was received; null of all others, and of a receive that was cancelled
     * @throws MisuseException as {@link #test}, and where the rank that is waited for has finished
     * @throws DeadlineException at the job's deadline: the request is open, and may be awaited again
     */
    Message await();

    /**
     * What a receive has received, after {@link #test} has told that it is complete and until the next call of the
     * channel; null of all others, and of a receive that was cancelled.
     */
    Message message();

    /**
     * Takes a receive back that no message has matched, of those that are here by now. As in MPI the request is to be
     * awaited or tested afterwards, whatever this returns: that ends it.
     *
     * @return whether it was taken back, so that there will be no message; else its message comes
     * @throws MisuseException of a send or collective, which cannot be taken back
     */
    boolean cancel();
}
