package org.ftrma.ucx;

import org.ftrma.spi.Holes;

/** Shared memory of one fabric whose pages are faulted in while the program goes on. Data thread only. */
final class Prefaults implements AutoCloseable {
    private final BackgroundPages background = new BackgroundPages();
    private final BackgroundPages ahead = new BackgroundPages();
    private boolean isLater;

    /** Memory prepared from now on is faulted in by and by. */
    void later() {
        isLater = true;
    }

    /** Faults in new memory outside of its holes: by and by if that is wanted and allowed, else at once. */
    void prepare(Holes holes, long address, long bytes, boolean mayBeLater) {
        Pages.outside(holes, address, bytes, isLater && mayBeLater ? background::add : Pages::prepareShared);
    }

    /** Faults in memory that was taken lazily, while its owner goes on. */
    void add(long address, long bytes) {
        ahead.add(address, Pages.roundUp(bytes));
    }

    /** Memory that is about to be closed. */
    void forget(long address, long bytes) {
        background.forget(address, bytes);
        ahead.forget(address, bytes);
    }

    /** Whether memory is still being faulted in. */
    boolean areRunning() {
        return background.isRunning() || ahead.isRunning();
    }

    @Override
    public void close() {
        background.close();
        ahead.close();
    }
}
