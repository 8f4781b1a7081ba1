#!/bin/bash
# Submits the run in this folder to Slurm: its shards as job arrays, and behind them the job
# that merges and certifies.
#
#   ./submit.sh                every shard
#   ./submit.sh --missing [N]  only those whose result is not complete; N is how often shards
#                              were submitted again, this time included (merge.sbatch counts)
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
if [[ $PWD == *[%\\]* ]]; then
    echo "Slurm gives % and \\ in the path of a log a meaning: $PWD must have neither" >&2
    exit 2
fi

wonderspins=/opt/wonderspins/bin/wonderspins
shards=1500
# Tasks of one array: indices 1 to this, below the MaxArraySize of the cluster.
per_array=1000
options=(
    --cpus-per-task=4
    --partition=main
    '--comment=it'\''s big'
)

resubmissions=0
tasks=() # Indices in each array, the first array at 0.
case ${1-} in
'')
    for ((before = 0; before < shards; before += per_array)); do
        last=$((shards - before < per_array ? shards - before : per_array))
        tasks[before / per_array]=1-$last
    done
    ;;
--missing)
    resubmissions=${2:-0}
    code=0
    list=$("$wonderspins" merge --list-missing --shards "$shards" --quiet shards) || code=$?
    if ((code > 1)); then
        exit "$code"
    fi
    for shard in $list; do
        array=$(((shard - 1) / per_array))
        tasks[array]+=${tasks[array]:+,}$((shard - array * per_array))
    done
    ;;
*)
    echo "usage: ./submit.sh [--missing [N]]" >&2
    exit 2
    ;;
esac

# A merge job that was restarted must not hand its count of restarts to what it submits.
unset SLURM_RESTART_COUNT

jobs=()
withdraw() {
    if [[ -n ${jobs[*]} ]]; then
        echo "not everything could be submitted: ${jobs[*]} are cancelled" >&2
        scancel "${jobs[@]}"
    fi
}
trap withdraw ERR

for array in "${!tasks[@]}"; do
    before=$((array * per_array))
    job=$(sbatch --parsable "${options[@]}" --array="${tasks[array]}" \
        array.sbatch "$before")
    job=${job%%;*} # The name of the cluster may follow.
    jobs+=("$job")
    echo "job $job: array of tasks ${tasks[array]}, each plays the shard of its number plus $before"
done
after=()
if [[ -n ${jobs[*]} ]]; then
    after=(--dependency="afterany:$(IFS=: && echo "${jobs[*]}")")
fi
job=$(sbatch --parsable "${options[@]}" "${after[@]}" merge.sbatch "$resubmissions")
echo "job ${job%%;*}: merge and certify"
