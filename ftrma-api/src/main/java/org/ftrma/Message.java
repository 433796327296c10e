package org.ftrma;

/**
 * Source, tag and length of a message that was received or found by a probe. A view that is reused: valid until the
 * next call of the channel, or of the request, that it came from. Data thread only.
 */
public interface Message {
    /** The rank in the channel that sent it. */
    int source();

    /** Its tag. */
    int tag();

    /** Its length in bytes. */
    long bytes();
}
