#!/usr/bin/env bash
# Runs bsym beside SPIN, Rumur and hand-written explorers on the same systems and prints ratios.
#
#   benches/peers/run.sh [PEERS [LIMIT]]
#
# PEERS   folder with promela/*.pml and murphi/*.m models (default ../shared/peers)
# LIMIT   folder of the crate of hand-written explorers (default ../shared/limit)
#
# Every figure is the median wall time of whole processes, all in this one session; C compile times of the
# peers are left out, bsym's loading and compiling is in. What is missing is skipped and said so.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=$(realpath -m "${1:-../shared/peers}")
limit=$(realpath -m "${2:-../shared/limit}")
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --release --quiet
bsym=$PWD/target/release/bsym

# Median wall time in seconds of a command.
median() {
  local i t0 t1
  for ((i = 0; i <= runs; i++)); do
    t0=$(date +%s.%N)
    "$@" >/dev/null 2>&1 || true
    t1=$(date +%s.%N)
    [ "$i" = 0 ] || awk -v a="$t0" -v b="$t1" 'BEGIN { printf "%.4f\n", b - a }'
  done | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

row() { printf '%-16s %4s  %-10s %10s s   %s\n' "$1" "$2" "$3" "$4" "$5"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "bsym takes %.2fx", a / b }'; }

yardstick=
if [ -f "$limit/Cargo.toml" ]; then
  cp -r "$limit" "$work/limit" && chmod -R u+w "$work/limit"
  (cd "$work/limit" && RUSTFLAGS="-C target-cpu=x86-64-v3" cargo build --release --quiet) &&
    yardstick=$work/limit/target/release/limit
else
  echo "no hand-written explorers in $limit: skipped"
fi

spin_build() { # model n
  (cd "$work" && cp "$peers/promela/$1.pml" . && spin -a -DN="$2" "$1.pml" >/dev/null &&
    cc -O3 -DNOREDUCE -DSAFETY -DMEMLIM=8000 -w -o "spin_$1" pan.c)
}

rumur_build() { # model n
  local f=1 g=1 i
  for ((i = 2; i <= $2; i++)); do f=$((f * i)); done
  for ((i = 2; i < $2; i++)); do g=$((g * i)); done
  sed -e "s/^  N: [0-9]*;/  N: $2;/" -e "s/^  STARTS: [0-9]*;/  STARTS: $((f * g));/" \
    "$peers/murphi/$1.m" >"$work/$1.m"
  (cd "$work" && rumur --symmetry-reduction off --deadlock-detection off --threads 1 --quiet \
    -o "$1.c" "$1.m" && cc -std=c11 -O3 -march=native -mcx16 -w -o "rumur_$1" "$1.c" -lpthread -latomic)
}

compare() { # machine file, card, model name
  local file=machines/symmetry/$1.mch n=$2 model=$3 mine t
  mine=$(median "$bsym" check "$file" --card "$n" --symmetry off --no-deadlock --threads 1 --format json)
  row "$model" "$n" bsym "$mine" ""
  if [ -n "$yardstick" ]; then
    t=$(median "$yardstick" "$model" "$n")
    row "$model" "$n" by-hand "$t" "$(ratio "$mine" "$t")"
  fi
  if command -v spin >/dev/null && [ -f "$peers/promela/$model.pml" ]; then
    spin_build "$model" "$n" && t=$(median "$work/spin_$model" -m2000000 -w26) &&
      row "$model" "$n" SPIN "$t" "$(ratio "$mine" "$t")"
  fi
  if command -v rumur >/dev/null && [ -f "$peers/murphi/$model.m" ]; then
    rumur_build "$model" "$n" && t=$(median "$work/rumur_$model") &&
      row "$model" "$n" Rumur "$t" "$(ratio "$mine" "$t")"
  fi
}

# The modes with symmetry: beside the hand-written explorer's mode, by stored state, since the two need not store
# equally many.
reduced() { # machine file, card, model name, mode of bsym, mode by hand
  local file=machines/symmetry/$1.mch n=$2 model=$3 mode=$4 theirs=$5 mine t a b
  local run=("$bsym" check "$file" --card "$n" --symmetry "$mode" --no-deadlock --threads 1 --format json)
  mine=$(median "${run[@]}")
  a=$("${run[@]}" | sed -n 's/^  "states": \([0-9]*\),/\1/p')
  row "$model" "$n" "$mode" "$mine" "$a states"
  if [ -n "$yardstick" ]; then
    t=$(median "$yardstick" "$model" "$n" --mode "$theirs")
    b=$("$yardstick" "$model" "$n" --mode "$theirs" | sed 's/.* states=\([0-9]*\).*/\1/')
    row "$model" "$n" "by-hand" "$t" "$(awk -v x="$mine" -v a="$a" -v y="$t" -v b="$b" \
      'BEGIN { printf "%d states, bsym takes %.2fx a state", b, (x / a) / (y / b) }')"
  fi
}

# Peak memory by stored state.
memory() { # machine file, card
  "$bsym" check "machines/symmetry/$1.mch" --card "$2" --symmetry off --no-deadlock --threads 1 --format json |
    awk -v m="$1" -v n="$2" '
      /^  "states":/ { gsub(/[^0-9]/, "", $2); s = $2 }
      /^  "peak_bytes":/ { gsub(/[^0-9]/, "", $2); b = $2 }
      END { printf "%-16s %4s  %.1f bytes a stored state\n", m, n, b / s }'
}

compare Scheduler1 8 scheduler1
compare Scheduler0 12 scheduler0
compare Peterson 5 peterson
compare RussianPost 8 russian
compare Towns 4 towns

for mode in markers exact; do
  reduced Scheduler0 100 scheduler0 "$mode" markers
  reduced Scheduler1 30 scheduler1 "$mode" markers
  reduced Towns 4 towns "$mode" markers
done

memory Scheduler1 8
memory Scheduler1 9
