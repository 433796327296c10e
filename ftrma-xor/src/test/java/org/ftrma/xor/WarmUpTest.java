package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Virtual machines that never compile a loop twice are not waited for. */
class WarmUpTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"mixed mode, sharing | true", "mixed mode | true",
        "compiled mode, sharing | true", "something else | true",
        "mixed mode, emulated-client, sharing | false", "interpreted mode, sharing | false"})
    void tellsWhatTheVirtualMachineHas(String info, boolean second) {
        assertEquals(second, WarmUp.hasSecondCompiler(info));
    }
}
