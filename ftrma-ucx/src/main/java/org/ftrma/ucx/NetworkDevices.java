package org.ftrma.ucx;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.ftrma.FtrmaException;

/** The network devices of this host, as UCX knows them: by their names. Any thread. */
final class NetworkDevices {
    /** Where UCX looks for network devices, in all releases. */
    static final Path LISTED = Path.of("/sys/class/net");

    private NetworkDevices() {
    }

    /** Why UCX finds no device at all, and the fix; empty where they are listed as they should be. */
    static String whyUcxFindsNone(Path listed) {
        return Files.isDirectory(listed) ? ""
            : "UCX looks for network devices in " + listed + ", which is not there: mount -t sysfs sysfs /sys";
    }

    /**
     * The name of a device that is up.
     *
     * @param nameOrAddress its name, or an address of it in figures; any loopback address stands for the loopback
     * device
     */
    static String find(String nameOrAddress) {
        try {
            NetworkInterface device = NetworkInterface.getByName(nameOrAddress);
            device = device != null ? device : withAddress(nameOrAddress);
            if (device == null) {
                throw setupError(nameOrAddress + ": no network device of this host has this name or address; there are "
                    + all());
            }
            // Further addresses of a device look like devices of their own.
            device = device.isVirtual() ? device.getParent() : device;
            if (!device.isUp()) {
                throw setupError(nameOrAddress + ": the network device " + device.getName() + " is down; ip link set "
                    + device.getName() + " up");
            }
            return device.getName();
        } catch (SocketException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--device=" + nameOrAddress
                + ": the network devices of this host cannot be read: " + e.getMessage(), e);
        }
    }

    private static NetworkInterface withAddress(String text) throws SocketException {
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null; // a name
        }
        for (NetworkInterface device : devices()) {
            if (address.isLoopbackAddress() ? device.isLoopback() : has(device, address)) {
                return device;
            }
        }
        return null;
    }

    private static boolean has(NetworkInterface device, InetAddress address) {
        return device.inetAddresses().anyMatch(own -> sameAddress(own, address));
    }

    /** Whatever device a local IPv6 address is said to be of. */
    private static boolean sameAddress(InetAddress one, InetAddress other) {
        return Arrays.equals(one.getAddress(), other.getAddress());
    }

    private static List<NetworkInterface> devices() throws SocketException {
        return NetworkInterface.networkInterfaces().sorted(Comparator.comparing(NetworkInterface::getName)).toList();
    }

    private static String all() throws SocketException {
        return devices().stream().map(device -> device.getName() + device.inetAddresses()
            .map(NetworkDevices::figures).collect(Collectors.joining(" ", " (", ")")))
            .collect(Collectors.joining(", "));
    }

    private static String figures(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }

    private static FtrmaException setupError(String what) {
        return new FtrmaException(FtrmaException.Category.SETUP, "--device=" + what);
    }
}
