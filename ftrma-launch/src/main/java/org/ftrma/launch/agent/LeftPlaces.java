package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.ftrma.FtrmaException;

/**
 * Removes places of jobs of which every process was killed, the watchdog too, so that nobody was left to do it. A place
 * is removed when it is this user's, says whose it is ({@link PlaceOwners}), and none of its processes runs. Several
 * may do the same at the same time; what one cannot remove stays for the next one. Any thread.
 */
public final class LeftPlaces {
    /** So many are looked at, at most. */
    private static final int MOST = 10_000;
    private static final Pattern NAME = Pattern.compile("ftrma-[0-9]{1,10}-[0-9]{1,20}");

    private LeftPlaces() {
    }

    /** Removes all that there are on this host; returns those that it has removed. */
    public static List<Path> remove() {
        Set<Path> parents = new LinkedHashSet<>(List.of(JobDirectory.base(), Path.of("/tmp"),
            JobDirectory.SHARED_MEMORY));
        List<Path> removed = new ArrayList<>();
        for (Path parent : parents) {
            removed.addAll(removeFrom(parent));
        }
        return removed;
    }

    /** The same of one folder. */
    static List<Path> removeFrom(Path parent) {
        List<Path> removed = new ArrayList<>();
        int looked = 0;
        try (DirectoryStream<Path> places = Files.newDirectoryStream(parent, "ftrma-*-*")) {
            for (Path place : places) {
                if (++looked > MOST) {
                    break;
                }
                if (remove(place)) {
                    removed.add(place);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return removed; // there is no such folder, or it cannot be looked into
        }
        return removed;
    }

    private static boolean remove(Path place) {
        try {
            if (!NAME.matcher(place.getFileName().toString()).matches()
                || !Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
                || !Files.getOwner(place, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(Path.of("/proc/self")))) {
                return false;
            }
            PlaceOwners owners = PlaceOwners.read(place);
            if (owners == null || !owners.areGone()) {
                return false;
            }
            if (owners.kept() != null && Files.isDirectory(owners.kept(), LinkOption.NOFOLLOW_LINKS)) {
                JobDirectory.keepCounters(place, owners.kept());
            }
            JobDirectory.delete(place);
            return true;
        } catch (IOException | DirectoryIteratorException | FtrmaException e) {
            return false; // another one removes it now, or it stays for the next one
        }
    }
}
