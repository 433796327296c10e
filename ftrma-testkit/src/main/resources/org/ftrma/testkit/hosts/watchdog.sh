# What outlives the process that made the hosts: $1 is their folder. All of them end with the switch, and the switch ends
# when nobody holds the other end of its standard input any more.
trap '' INT HUP TERM
unshare --net --ipc --uts --mount --pid --fork --kill-child --mount-proc -- /bin/sh "$1/switch.sh" "$1"
rm -rf -- "$1"
