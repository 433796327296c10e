package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.LocalResult;
import org.ftrma.junit.SurvivesEveryKill;
import org.ftrma.testkit.SimJob;
import org.junit.jupiter.api.Test;

class HeatTest {
    @SurvivesEveryKill(ranks = 3, sample = 60)
    void heatSurvives(SimJob job) {
        job.run(Heat.class, "6", "6");
    }

    @SurvivesEveryKill
    void aSumInAVariableIsFound(SimJob job) {
        AssertionError found = assertThrows(AssertionError.class, () -> job.run(Forgetful.class));
        assertTrue(found.getMessage().contains("does not survive every kill"), found.getMessage());
    }

    @Test
    void aJobOfProcessesSurvivesAKill() {
        LocalResult result = LocalHeat.run();
        assertTrue(result.succeeded(), result::json);
        assertEquals(1, result.facts().get("faultsInjected"), result::json);
    }
}
