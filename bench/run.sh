#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures: bench/run.sh [task...], all tasks without an argument. Then rewrites docs/benchmarks.md and its figures.
# Reads the data sets from FOVEA_DATA (else ./data) and the program from FOVEA_PROGRAM (else build/release/bin/fovea).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/build/bench/venv
stamp=$venv/requirements.txt

if ! cmp -s "$root/bench/requirements.txt" "$stamp"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --requirement "$root/bench/requirements.txt"
  cp "$root/bench/requirements.txt" "$stamp"
fi

for task in "${@:-train_crf tag_crf gibbs_throughput where_to_sample auto}"; do
  # One argument may hold several tasks: the default above does.
  for name in $task; do
    echo "== $name" >&2
    PYTHONPATH=$root/bench "$venv/bin/python" -m "$name.run"
  done
done
"$venv/bin/python" "$root/tools/make_benchmarks_md.py"
"$venv/bin/python" "$root/tools/plot_figures.py"
