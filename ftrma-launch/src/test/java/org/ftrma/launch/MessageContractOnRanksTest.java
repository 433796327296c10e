package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.ftrma.testkit.contract.MessageCase;
import org.ftrma.testkit.contract.MessageContractMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The message contract on ranks that are processes, over UCX; one of them is killed. */
class MessageContractOnRanksTest {
    @ParameterizedTest
    @ValueSource(strings = {"--ranks 3 --path network --checksums 1 --interval 5 --kill 1@16",
        "--ranks 4 --checksums 1 --interval 3 --kill 2@16"})
    void holds(String options) {
        Map<String, Object> json = Command.line("run --json --timeout 300s " + options + " -- "
            + MessageContractMain.class.getName()).exits(0).json();
        assertEquals(MessageCase.values().length, ((Number) json.get("iterations")).intValue(), json::toString);
        assertEquals(1, ((Number) json.get("rollbacks")).intValue(), json::toString);
    }

    /** The cases that put to others are left out: that is refused where messages are logged. */
    @ParameterizedTest
    @ValueSource(strings = {"--ranks 3 --path network --kill 1@16", "--ranks 4 --kill 0@9"})
    void holdsWhereMessagesAreLogged(String options) {
        String cases = Arrays.stream(MessageCase.values()).filter(one -> one != MessageCase.BESIDE_WINDOWS)
            .map(Enum::name).collect(Collectors.joining(" "));
        Map<String, Object> json = Command.line("run --json --timeout 300s --protocol pessimistic-v --checksums 1 "
            + "--interval 5 " + options + " -- " + MessageContractMain.class.getName() + " " + cases).exits(0).json();
        assertEquals(0, ((Number) json.get("rollbacks")).intValue(), json::toString);
        assertEquals(1, ((Number) json.get("localRecoveries")).intValue(), json::toString);
    }

    @Test
    void aPingPongVerifiesAndSaysHowLongItTook() {
        Map<String, Object> json = Command.line("sample pingpong --ranks 2 --checksums 1 --interval 6 --repetitions 20 "
            + "--kill 1@14 --json --timeout 300s").exits(0).json();
        assertEquals(true, json.get("verified"), json::toString);
        assertEquals(1, ((Number) json.get("rollbacks")).intValue(), json::toString);
    }
}
