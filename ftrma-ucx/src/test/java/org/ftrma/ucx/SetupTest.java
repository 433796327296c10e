package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.MemoryRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Options, names that travel, and what set-up says when the machine lacks something. */
@Timeout(60)
class SetupTest {
    private static FtrmaException setupError(Runnable action) {
        FtrmaException e = assertThrows(FtrmaException.class, action::run);
        assertEquals(FtrmaException.Category.SETUP, e.category(), e.getMessage());
        return e;
    }

    @Test
    void aSmallShmFileSystemIsNamedWithTheFix() {
        String message = setupError(() -> Pages.requireSharedMemoryFiles(1 << 30, 64 << 20)).getMessage();
        assertTrue(message.contains("/dev/shm") && message.contains("requested=1073741824")
            && message.contains("free=67108864"), message);
        assertTrue(message.contains("mount -o remount,size="), message);
        Pages.requireSharedMemoryFiles(1 << 20, 1 << 20);
    }

    @Test
    void moreMemoryThanThereIsIsRefusedBeforeItIsTouched() {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            String message = setupError(() -> fabric.expose(1L << 50)).getMessage();
            assertTrue(message.contains("requested=" + (1L << 50)) && message.contains("available="), message);
        }
    }

    @Test
    void anUnknownTransportOrDeviceIsASetupErrorThatNamesIt() {
        String transport = setupError(() -> new UcxFabric(new UcxOptions(UcxOptions.Path.MAPPED, "nosuch", "tcp",
            "lo"))).getMessage();
        assertTrue(transport.contains("UCX_TLS=nosuch") && transport.contains("ucx_info -d"), transport);
        String device = setupError(() -> new UcxFabric(new UcxOptions(UcxOptions.Path.NETWORK, "sysv", "tcp",
            "nosuch0"))).getMessage();
        assertTrue(device.contains("UCX_NET_DEVICES=nosuch0"), device);
    }

    @Test
    void whereMemoryCannotBeMappedAutoTakesTheNetworkAndSaysWhy() {
        try (UcxFabric fabric = new UcxFabric(new UcxOptions(UcxOptions.Path.AUTO, "tcp", "tcp",
            "lo")); MemoryRegion region = fabric.expose(64)) {
            assertTrue(fabric.notMapped().contains("UCX_TLS=tcp") && !fabric.notMapped().contains("\n"),
                fabric.notMapped());
            assertEquals("network", fabric.info().path());
            fabric.connect(0, fabric.address());
            fabric.attach(0, region.key()).putLong(8, 17);
            fabric.flush(0);
            assertEquals(17, region.segment().get(ValueLayout.JAVA_LONG, 8));
        }
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.AUTO))) {
            assertEquals("", fabric.notMapped());
            assertEquals("mapped", fabric.info().path());
        }
        setupError(() -> new UcxFabric(new UcxOptions(UcxOptions.Path.MAPPED, "tcp", "tcp", "lo")));
    }

    @Test
    void aMemberThatMapsAndOneThatCannotRefuseEachOther() {
        try (UcxFabric mapping = new UcxFabric(UcxOptions.of(UcxOptions.Path.AUTO)); MemoryRegion mapped =
            mapping.expose(64);
             UcxFabric other = new UcxFabric(new UcxOptions(UcxOptions.Path.AUTO, "tcp", "tcp",
                 "lo")); MemoryRegion unmapped = other.expose(64)) {
            mapping.connect(1, other.address());
            assertTrue(setupError(() -> mapping.attach(1, unmapped.key())).getMessage()
                .contains("NETWORK on all ranks"));
            other.connect(0, mapping.address());
            String message = setupError(() -> other.attach(0, mapped.key())).getMessage();
            assertTrue(message.contains("UCX_TLS=tcp") && message.contains("NETWORK on all ranks"), message);
        }
    }

    @Test
    void pathsAreKnownByTheirNames() {
        assertEquals(UcxOptions.Path.NETWORK, UcxOptions.parsePath("network"));
        assertThrows(FtrmaException.class, () -> UcxOptions.parsePath("Network"));
    }

    @Test
    void damagedAddressesAndKeysAreRefused() {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED)); MemoryRegion region =
            fabric.expose(100)) {
            byte[] address = fabric.address();
            byte[] key = region.key();
            assertArrayEquals(address, AddressDescriptor.decode(address).encode());
            assertArrayEquals(key, KeyDescriptor.decode(key).encode());
            assertThrows(MisuseException.class, () -> fabric.connect(0, key), "a key is not an address");
            fabric.connect(0, address);
            for (int i = 0; i < key.length; i++) {
                byte[] damaged = key.clone();
                damaged[i] ^= 0x10;
                assertThrows(MisuseException.class, () -> fabric.attach(0, damaged), "byte " + i);
            }
            assertThrows(MisuseException.class, () -> fabric.attach(0, new byte[3]));
            assertThrows(MisuseException.class, () -> fabric.attach(7, key), "not connected");
        }
    }

    @Test
    void kernelFilesAreReadWhole() {
        assertEquals(36, KernelFiles.read(Path.of("/proc/sys/kernel/random/boot_id")).length());
        assertEquals("", KernelFiles.read(Path.of("/proc/sys/kernel/no/such/file")));
    }

    @Test
    void aProcessIsKnownToBeGoneByItsNumberAndStart() throws Exception {
        HostIdentity here = HostIdentity.ofThisProcess();
        assertFalse(here.isGoneFor(here));
        assertTrue(new HostIdentity(here.memory(), here.processes(), here.pid(), here.startTicks() + 1).isGoneFor(here),
            "number reused");
        assertFalse(new HostIdentity(here.memory(), here.processes() + 1, here.pid(), 1).isGoneFor(here),
            "cannot be seen from here");
        Process process = new ProcessBuilder("true").start();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertTrue(new HostIdentity(here.memory(), here.processes(), process.pid(), 1).isGoneFor(here));
    }

    @Test
    void aPeerOnAnotherHostCannotBeMapped() {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED)); MemoryRegion region =
            fabric.expose(100)) {
            AddressDescriptor own = AddressDescriptor.decode(fabric.address());
            HostIdentity elsewhere = new HostIdentity(own.host().memory() + 1, own.host().processes() + 1, 1, 1);
            fabric.connect(3, new AddressDescriptor(elsewhere, own.instance() + 1, own.worker()).encode());
            assertTrue(setupError(() -> fabric.attach(3, region.key())).getMessage().contains("path=MAPPED"));
        }
    }

    @Test
    void aRegionThatWasClosedCannotBeAttached() {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED));
             UcxFabric other = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            MemoryRegion region = fabric.expose(100);
            byte[] key = region.key();
            region.close();
            region.close();
            other.connect(0, fabric.address());
            assertThrows(PeerLostException.class, () -> other.attach(0, key));
            fabric.connect(0, fabric.address());
            assertThrows(MisuseException.class, () -> fabric.attach(0, key));
        }
    }
}
