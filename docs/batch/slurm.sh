#!/bin/bash
#SBATCH --nodes=4                # hosts
#SBATCH --ntasks-per-node=2      # slots of each: here two more than the job needs, for what is replaced
#SBATCH --time=60
#SBATCH --no-kill                # the allocation outlives a node
#SBATCH --signal=B:TERM@120      # two minutes before its end the launcher gets SIGTERM

cd "$SLURM_SUBMIT_DIR" || exit
exec ./ftrma fft --class W --ranks 4 --checksums 2 --protocol coordinated "$@"
