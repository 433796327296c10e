package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.ftrma.testkit.contract.WindowCase;
import org.ftrma.testkit.contract.WindowContractMain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The window contract on ranks that are processes, over UCX. */
class WindowContractOnRanksTest {
    @ParameterizedTest
    @ValueSource(strings = {"--ranks 3 --path network --direct-collectives 1",
        "--ranks 3 --checksums 1 --interval 2 --path auto"})
    void holds(String options) {
        Map<String, Object> json = Command.line("run --json --timeout 300s " + options + " -- "
            + WindowContractMain.class.getName()).exits(0)
            .json();
        assertEquals(WindowCase.values().length, ((Number) json.get("iterations")).intValue(), json::toString);
        assertEquals(3, ((Map<?, ?>) json.get("reports")).get("contract count"), json::toString);
    }
}
