# Makes a host ready for Slurm, in the namespaces of its processes: a place for munge's socket that only this host has,
# and the one hierarchy of control groups that slurmd insists on. $1 is the folder of Slurm's files, $2 the kind of
# hierarchy (v1 or v2).
set -eu
mount -t tmpfs -o mode=0755 tmpfs "$1/munge"
mount -t tmpfs tmpfs /sys/fs/cgroup
if [ "$2" = v2 ]; then
    mount -t cgroup2 none /sys/fs/cgroup
else
    mkdir /sys/fs/cgroup/freezer
    mount -t cgroup -o freezer none /sys/fs/cgroup/freezer
fi
