package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What squeue says of the time that an allocation has left. */
class SlurmClientTest {
    @ParameterizedTest
    @CsvSource({"0:00, 0", "0:59, 59", "1:00, 60", "59:59, 3599", "1:00:00, 3600", "23:59:59, 86399",
        "1-00:00:00, 86400", "365-01:02:03, 31539723"})
    void theTimeLeftIsReadWithAndWithoutDaysAndHours(String left, long seconds) {
        assertEquals(OptionalLong.of(seconds * 1_000_000_000L), SlurmClient.nanos(left));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {"UNLIMITED", "NOT_SET", "INVALID", "N/A", "\"\"", "0", "-1:00", "1:2",
        "1:00:0", "2026-11-26T10:00:00", "1-00:00", "100:00:00", "123456-00:00:00"})
    void whatIsNoTimeIsNoLimit(String left) {
        assertEquals(OptionalLong.empty(), SlurmClient.nanos(left));
    }

    @Test
    void squeueIsAskedForOneAllocation() {
        List<List<String>> asked = new ArrayList<>();
        SlurmClient client = new SlurmClient(note -> { }, command -> {
            asked.add(command);
            return "2:00\n";
        });
        assertEquals(OptionalLong.of(120_000_000_000L), client.nanosLeft("17"));
        assertEquals(List.of(List.of("squeue", "-h", "-j", "17", "-o", "%L")), asked);
        assertEquals(OptionalLong.empty(), new SlurmClient(note -> { }, command -> "").nanosLeft("17"));
    }
}
