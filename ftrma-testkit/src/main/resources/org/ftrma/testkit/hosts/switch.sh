# The first process of the namespaces in which the hosts are: when it ends, the kernel ends all others there. It carries
# out a line of standard input as a command, and answers each by a line. $1 is the folder of the hosts.
folder=$1
set -f

# Starts a host, and tells its process: number, name, address, address of its network device.
host() {
    ip link delete "v$1" 2>/dev/null
    unshare --net --ipc --uts --mount -- /bin/sh "$folder/host.sh" "$@" "$folder" </dev/null >"$folder/log.$1" 2>&1 &
    echo $!
}

ip link set lo up && ip link add switch type bridge && ip link set switch up && nft -f "$folder/rules" || exit 1
echo ready
while read -r line; do
    if answer=$(eval "$line" 2>&1); then
        echo ok $answer
    else
        echo failed $answer
    fi
done
