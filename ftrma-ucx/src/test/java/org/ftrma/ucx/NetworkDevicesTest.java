package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.ftrma.FtrmaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A network device is found by its name or by an address of it. */
class NetworkDevicesTest {
    @ParameterizedTest
    @ValueSource(strings = {"lo", "127.0.0.1", "127.0.0.2", "::1"})
    void theLoopbackDeviceHasANameAndManyAddresses(String text) {
        assertEquals("lo", NetworkDevices.find(text));
        assertEquals(UcxOptions.of(UcxOptions.Path.AUTO), UcxOptions.over(UcxOptions.Path.AUTO, text));
        assertFalse(UcxOptions.over(UcxOptions.Path.AUTO, text).network(), "a job on one host opens no socket");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch0", "192.0.2.77", "no.such.name", ""})
    void whatIsNoDeviceOfThisHostIsToldWithThoseThatAre(String text) {
        FtrmaException error = assertThrows(FtrmaException.class, () -> NetworkDevices.find(text));
        assertEquals(FtrmaException.Category.SETUP, error.category());
        assertTrue(error.getMessage().startsWith("--device=" + text + ": no network device")
            && error.getMessage().contains("lo (") && error.getMessage().contains("127.0.0.1"), error.getMessage());
    }

    @Test
    void whereUcxCanFindNoDeviceTheFixIsNamed() {
        assertEquals("", NetworkDevices.whyUcxFindsNone(NetworkDevices.LISTED));
        String why = NetworkDevices.whyUcxFindsNone(Path.of("/sys/class/no_such_class"));
        assertTrue(why.contains("/sys/class/no_such_class") && why.contains("mount -t sysfs"), why);
    }

    @Test
    void anotherDeviceIsANetwork() {
        assertTrue(new UcxOptions(UcxOptions.Path.AUTO, "sysv", "tcp", "eth0").network());
    }
}
