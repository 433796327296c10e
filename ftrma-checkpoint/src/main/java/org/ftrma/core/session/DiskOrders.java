package org.ftrma.core.session;

import org.ftrma.core.control.ControlMessage;

/**
 * Orders of the coordinator to a rank about images on disk. Called on the data thread between accesses, or in a wait.
 */
public interface DiskOrders {
    /** Nothing is written here, and nothing held. */
    DiskOrders NONE = new DiskOrders() {
        @Override
        public void flush(ControlMessage.Flush m) {
            // this process left: the coordinator will hear of that
        }

        @Override
        public void cancel(ControlMessage.FlushCancel m) {
            // nothing is written
        }
    };

    /** Write an image. */
    void flush(ControlMessage.Flush m);

    /** It is not wanted any more. */
    void cancel(ControlMessage.FlushCancel m);
}
