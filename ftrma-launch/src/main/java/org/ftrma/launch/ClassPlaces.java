package org.ftrma.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.MisuseException;
import org.ftrma.rank.RankLibrary;

/** The places of this process's classes, for the processes that it starts. Any thread. */
final class ClassPlaces {
    private ClassPlaces() {
    }

    /** Where the modules of this process are that are not the JDK's. */
    private static Stream<Path> modules() {
        return ModuleLayer.boot().configuration().modules().stream().map(ResolvedModule::reference)
            .filter(module -> module.location().map(URI::getScheme).filter("file"::equals).isPresent())
            .peek(ClassPlaces::checkServices).map(module -> Path.of(module.location().orElseThrow()));
    }

    /** The processes of a job have a class path, on which a service is not found that module-info alone tells of. */
    private static void checkServices(ModuleReference module) {
        for (ModuleDescriptor.Provides provided : module.descriptor().provides()) {
            String file = "META-INF/services/" + provided.service();
            try (ModuleReader reader = module.open()) {
                if (reader.find(file).isEmpty()) {
                    throw new MisuseException("module " + module.descriptor().name() + ": only its module-info says "
                        + "that it provides " + provided.service() + ", and processes of a job have its classes on "
                        + "their class path, where that is not seen; add the file " + file + " with the "
                        + (provided.providers().size() == 1 ? "line " : "lines ")
                        + String.join(", ", provided.providers()));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the module " + module.descriptor().name() + " cannot be read", e);
            }
        }
    }

    /** The places of this process's classes that exist. */
    static Stream<Path> places() {
        return Stream.concat(Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
            .filter(place -> !place.isEmpty()).map(Path::of), modules())
            .map(place -> place.toAbsolutePath().normalize()).filter(Files::exists).distinct();
    }

    /** The places of this process that exist, without those that each process of a job has in any case. */
    static String classPath() {
        Set<String> library = Set.of(RankLibrary.classPath().split(File.pathSeparator));
        String places = places().map(Path::toString).filter(place -> !library.contains(place))
            .collect(Collectors.joining(File.pathSeparator));
        if (places.isEmpty()) {
            throw new MisuseException("java.class.path=" + System.getProperty("java.class.path")
                + ": has no place with the program's classes");
        }
        return places;
    }
}
