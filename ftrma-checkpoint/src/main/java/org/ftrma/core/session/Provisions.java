package org.ftrma.core.session;

import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.spi.Holes;

/** Memory that will be needed, as the coordinator has told. Data thread only. */
public final class Provisions {
    private ControlMessage.Provision newest;

    Provisions() {
        // nothing was told yet
    }

    void told(ControlMessage.Provision m, List<MembershipListener> listeners) throws Holes.MalformedException {
        Holes holes = Holes.of(m.parityHoles());
        Holes.of(m.imageHoles());
        newest = m;
        listeners.forEach(listener -> listener.provision(m.parity(), holes));
    }

    /** What was told last, once; or null. */
    public ControlMessage.Provision take() {
        ControlMessage.Provision told = newest;
        newest = null;
        return told;
    }
}
