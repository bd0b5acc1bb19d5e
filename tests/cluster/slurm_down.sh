#!/bin/sh
# slurm_down.sh FOLDER: ends the Slurm and the munge that slurm_up.sh FOLDER started, by the numbers that they wrote down.
folder=$1
for pid in "$folder/slurmd.pid" "$folder/slurmctld.pid" "$folder/munge/pid"; do
    [ -s "$pid" ] && kill "$(cat "$pid")" 2>/dev/null
done
exit 0
