#!/bin/sh
# slurm_up.sh FOLDER: starts a Slurm of one node, this machine, with munge, as root, without systemd; its settings lie in
# FOLDER/slurm.conf. Exit status 77 where it cannot be started. slurm_down.sh FOLDER ends what this script started.
# Debian packages: slurmctld slurmd slurm-client munge.
set -eu
folder=$1
cannot() {
    echo "no Slurm here: $*" >&2
    exit 77
}
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null || cannot "$program is not installed"
done
[ "$(id -u)" = 0 ] || cannot "it has to be started by root"
host=$(hostname -s)
mkdir -p "$folder/state" "$folder/spool" "$folder/log"

# munge with a key, a socket and a log of its own
mkdir -p "$folder/munge"
dd if=/dev/urandom of="$folder/munge/key" bs=1 count=1024 2>/dev/null
chmod 700 "$folder/munge"
chmod 400 "$folder/munge/key"
munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" || cannot "munged does not start"

cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
SlurmctldPort=26817
SlurmdPort=26818
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1500 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf"
slurmctld -f "$SLURM_CONF" || cannot "slurmctld does not start"
slurmd -f "$SLURM_CONF" || cannot "slurmd does not start: see $folder/log"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sinfo -h -o %t 2>/dev/null | grep -q idle && exit 0
    sleep 0.5
done
cannot "the node does not come up: see $folder/log"
