#!/bin/bash
#PBS -l nodes=4:ppn=2            # hosts, and slots of each
#PBS -l walltime=1:00:00

cd "${PBS_O_WORKDIR:-.}" || exit
# A host a line for each of its slots: one line for all of them is wanted.
hosts=$(sort "$PBS_NODEFILE" | uniq -c | while read -r slots host; do printf ',%s:%s' "$host" "$slots"; done)
exec ./ftrma fft --class W --ranks 4 --checksums 2 --protocol coordinated --start mpi --hosts "${hosts#,}" "$@"
