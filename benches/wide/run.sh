#!/usr/bin/env bash
# Time and memory of machines whose text is long, one line each; no symmetry, one thread.
#
#   benches/wide/run.sh [KIND N STATES]...
#
# KIND and N as in `machine.py`, STATES is the most to store. Without arguments the sizes that `docs/performance.md` names.
# Columns: user seconds to load (one state) and of the whole check, most memory, states and transitions. BSYM names the
# program; LIMIT the most processor seconds of one check.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bsym=${BSYM:-$here/../../target/release/bsym}; limit=${LIMIT:-120}
[ $# -gt 0 ] || set -- chain 1000 1001 chain 5000 5001 chain 20000 20001 \
  counters 1000 100000 counters 5000 100000 turns 1000 100000 \
  constants 1000 1000 constants 1000 100000
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf '%-10s %6s %8s %8s %10s  %s\n' machine n 'load s' 'all s' KiB found
check() { (ulimit -t "$limit"; /usr/bin/time -o "$dir/time" -f '%U %M' "$bsym" check "$dir/m.mch" --symmetry off --no-deadlock --max-states "$1") 2>&1 || true; }
while [ $# -ge 3 ]; do
  "$here/machine.py" "$1" "$2" >"$dir/m.mch"
  check 1 >/dev/null; load=$(awk 'END { print $1 }' "$dir/time")
  found=$(check "$3" | grep -o '^[0-9]* states.*transitions' | sed 's/ ([^)]*)//' || true)
  printf '%-10s %6s %8s %8s %10s  %s\n' "$1" "$2" "$load" $(awk 'END { print $1, $2 }' "$dir/time") "${found:-none within $limit s}"
  shift 3
done
