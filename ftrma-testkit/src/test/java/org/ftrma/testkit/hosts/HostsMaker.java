package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.util.List;

/** Makes hosts, has something run on them, tells their folder, and waits until it is killed. */
final class HostsMaker {
    private HostsMaker() {
    }

    public static void main(String[] args) throws IOException {
        NamespacedHosts hosts = NamespacedHosts.of(2);
        hosts.run(1, List.of("sleep", "1000")).pid();
        hosts.run(2, List.of("/bin/sh", "-c", "setsid sleep 1000 & sleep 1000")).pid();
        hosts.remoteShell();
        hosts.freeze(2);
        System.out.println(hosts.folder());
        System.in.read();
    }
}
