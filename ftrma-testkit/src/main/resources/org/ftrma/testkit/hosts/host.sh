# A host: its number, its name, its address, the address of its network device, the folder of all hosts. This process has
# its namespaces, but for that of its programs: their first process is killed when the host's processes are, and another
# one takes its place.
set -eu
number=$1 name=$2 address=$3 device=$4 folder=$5
# What /proc shows here is still the switch.
ip link add eth0 address "$device" type veth peer name "v$number" netns /proc/1/ns/net
nsenter --net=/proc/1/ns/net ip link set "v$number" master switch up
ip address add "$address/24" dev eth0
ip link set eth0 up
ip link set lo up
hostname "$name"
# A sysfs of these namespaces shows this network. Limits of memory are still found where they were.
if [ -d /sys/fs/cgroup ]; then
    mkdir -p "$folder/cgroup"
    mount --rbind /sys/fs/cgroup "$folder/cgroup"
    mount -t sysfs sysfs /sys
    mount --rbind "$folder/cgroup" /sys/fs/cgroup
else
    mount -t sysfs sysfs /sys
fi
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=0700 tmpfs "$folder/own"
mount --bind "$folder/names" /etc/hosts
while true; do
    # An ignored SIGCHLD has the kernel reap whoever has lost its parent.
    unshare --pid --mount --fork --kill-child --mount-proc -- /bin/sh -c 'trap "" CHLD; exec sleep infinity' || true
done
