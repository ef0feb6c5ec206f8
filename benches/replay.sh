#!/usr/bin/env bash
# Replays the trace of every violation that is found in machines (files, or folders of them), on the unreduced machine.
#
#   benches/replay.sh PATH...
#
# Each machine is checked (goals are looked for, too; at most LIMIT seconds and STATES states), its first trace is written in
# both formats, and all traces stand in the JSON report; `bsym trace` replays the three files. Prints the failures and,
# last (or when it is ended) the counts; exits with 1 if a trace fails. BSYM names the program, MODE the strategy.
set -u
[ $# -gt 0 ] || { echo "usage: $0 PATH..." >&2; exit 2; }
seconds=${LIMIT:-5}; states=${STATES:-20000}
bsym=${BSYM:-target/release/bsym}; mode=${MODE:-exact}
dir=$(mktemp -d)
counts() {
  rm -rf "$dir"
  echo "$machines machines, $with with a trace: $replayed traces replayed, $failed failed, $stopped stopped by time"
  [ "$failed" -eq 0 ]
}
trap 'counts; exit' EXIT
trap 'exit' TERM INT
machines=0 with=0 replayed=0 failed=0 stopped=0
while IFS= read -r -d '' file; do
  machines=$((machines + 1)); found=0
  for trace in x.prob2trace x.itf.json; do
    rm -f "$dir"/*
    note=$("$bsym" check "$file" --symmetry "$mode" --keep-going --timeout "${seconds}s" --max-states "$states" \
      --format json --trace-out "$dir/$trace" 2>&1 >"$dir/report.json" </dev/null | grep '^note: trace written') || continue
    sizes=$(sed -n 's/.*sizes: bsym: --card \([^;]*\);.*/\1/p' <<<"$note")
    files=("$dir/$trace")
    # The report is the same for both formats.
    [ "$trace" = x.prob2trace ] && files+=("$dir/report.json")
    found=1
    for f in "${files[@]}"; do
      out=$("$bsym" trace "$file" "$f" ${sizes:+--card "$sizes"} --timeout "$((seconds * 4))s" 2>&1 </dev/null)
      ok=$(grep -c 'replayed: ' <<<"$out"); late=$(grep -c 'time is up' <<<"$out")
      bad=$(grep -vc 'replayed: \|time is up\|were not replayed\|no trace in the file' <<<"$out")
      replayed=$((replayed + ok)) stopped=$((stopped + late)) failed=$((failed + bad))
      [ "$bad" -eq 0 ] || { echo "$file ${f##*/}:"; grep -v 'replayed: ' <<<"$out"; }
      [ "$late" -eq 0 ] || { echo "$file ${f##*/}: $(grep 'time is up' <<<"$out" | head -1)"; }
    done
  done
  with=$((with + found))
done < <(find "$@" -name '*.mch' -print0 | sort -z)
