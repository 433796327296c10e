package org.ftrma.launch;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.ftrma.FtrmaException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.record.JobResult;
import org.ftrma.options.Units;
import org.ftrma.spi.FabricInfo;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;
import org.ftrma.xor.GaloisProduct;
import picocli.CommandLine.ParseResult;

/** The command that tells what the machine offers. One thread. */
final class InfoCommand {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String BUILT = "/META-INF/maven/org.ftrma/ftrma-launch/pom.properties";
    private final PrintStream out;

    InfoCommand(PrintStream out) {
        this.out = out;
    }

    int execute(ParseResult parsed) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("jdk", jdk());
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
            + System.getProperty("os.arch"));
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        boolean usable = fabric(facts);
        sharedMemory(facts);
        facts.put("reedSolomon", GaloisProduct.nativeEngine());
        facts.put("aotCache", RankSettings.aotCache() != null && Files.isReadable(RankSettings.aotCache()) ? "in use"
            : "none");
        if (new GivenOptions(parsed).has(LauncherOption.JSON)) {
            try {
                out.println(JSON.std.asString(facts));
            } catch (IOException e) {
                throw new IllegalStateException("writing JSON failed", e);
            }
        } else {
            facts.forEach((key, value) -> out.printf("%-14s %s%n", key, value));
        }
        return usable ? 0 : JobResult.SETUP;
    }

    /** Versions: of ftrma as it was built, of the JDK that runs it, and of UCX. */
    static String[] versions() {
        String ucx;
        try {
            ucx = UcxFabric.ucxVersion();
        } catch (FtrmaException e) {
            ucx = "not usable: " + e.getMessage();
        }
        return new String[] {"ftrma " + ownVersion(), "jdk " + jdk(), "ucx " + ucx.replace("%", "%%")};
    }

    /** Maven writes it into the jar. */
    private static String ownVersion() {
        Properties properties = new Properties();
        try (InputStream in = InfoCommand.class.getResourceAsStream(BUILT)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new IllegalStateException("reading " + BUILT + " failed", e);
        }
        return properties.getProperty("version", "(not from a jar)");
    }

    private static String jdk() {
        return System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vm.name") + ")";
    }

    private static boolean fabric(Map<String, Object> facts) {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.AUTO))) {
            FabricInfo info = fabric.info();
            facts.put("ucx", info.version());
            facts.put("transports", info.transports());
            facts.put("path", fabric.notMapped().isEmpty()
                ? "auto: mapped memory between processes of this machine, network (tcp over loopback) with --path "
                + "network"
                : "network (tcp over loopback) only, memory cannot be mapped: " + fabric.notMapped());
            return true;
        } catch (FtrmaException e) {
            facts.put("ucx", "not usable: " + e.getMessage());
            return false;
        }
    }

    private static void sharedMemory(Map<String, Object> facts) {
        try {
            FileStore store = Files.getFileStore(SHARED_MEMORY);
            facts.put("sharedMemory", SHARED_MEMORY + ": " + Units.bytes(store.getUsableSpace()) + " of "
                + Units.bytes(store.getTotalSpace()) + " free");
        } catch (IOException e) {
            facts.put("sharedMemory", SHARED_MEMORY + " is not there: " + e.getMessage());
        }
    }
}
