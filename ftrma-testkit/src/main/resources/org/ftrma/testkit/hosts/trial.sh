# Tries all that hosts are made of, in namespaces that end with this shell; says what is missing. Standard input has
# rules of all kinds.
set -f
try() {
    what=$1
    shift
    if ! error=$("$@" 2>&1); then
        echo "$what:" $error
        exit 1
    fi
}
try "the kernel makes no bridge (CONFIG_BRIDGE)" ip link add switch type bridge
try "the kernel makes no pair of network devices (CONFIG_VETH)" ip link add v1 type veth peer name eth0
try "the kernel has no rules for bridges (CONFIG_NF_TABLES_BRIDGE, CONFIG_NFT_NUMGEN)" nft -f -
try "the kernel limits no rate (CONFIG_NET_SCH_TBF)" tc qdisc add dev v1 root tbf rate 1mbit burst 32kb latency 400ms
try "no tmpfs can be mounted" mount -t tmpfs tmpfs /dev/shm
try "no sysfs can be mounted" mount -t sysfs sysfs /sys
try "hosts find the names of others in /etc/hosts, which must be there" mount --bind /etc/hosts /etc/hosts
same_root() {
    here=$(stat -Lc %d:%i /)
    there=$(nsenter --target $$ --mount -- stat -Lc %d:%i / 2>&1)
    [ "$here" = "$there" ] || { echo "its root is another one than that of its mounts, as after chroot"; return 1; }
}
try "a host's processes would have other files than this one" same_root
