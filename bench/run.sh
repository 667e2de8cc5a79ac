#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures: bench/run.sh [task...], all tasks without an argument. Then rewrites docs/benchmarks and its figures.
# Reads the data sets from FOVEA_DATA (else ./data). Builds the programs, unless FOVEA_BIN names a folder that has them.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/build/bench/venv
stamp=$venv/requirements.txt

if [ -z "${FOVEA_BIN:-}" ]; then
  (cd "$root" && cmake --preset dev >/dev/null && cmake --build --preset dev --target benchmarks)
fi
if ! cmp -s "$root/bench/requirements.txt" "$stamp"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --requirement "$root/bench/requirements.txt"
  cp "$root/bench/requirements.txt" "$stamp"
fi
# The task `python` measures the wheel that scripts/wheel.sh made last.
for wheel in "$root"/build/wheels/*.whl; do
  [ ! -e "$wheel" ] || "$venv/bin/pip" install --quiet --force-reinstall --no-deps "$wheel"
done

for task in "${@:-train_crf tag_crf gibbs_throughput paper_sampling where_to_sample gain_calibration universal_policy costly_oracle auto ocr grid_gibbs grid_sampling graph_sampling solve_map search_policy solve_sums bayesian_networks deadlines entity_classification author_names record_linkage record_trust entity_resolution entity_resolution_large restart_tagging perfect_draws dnf_search chain_steps table_rules invariants invariants_2019 gestures recall simulator oracles structured_gp structured_gp_estimators structured_gp_large calibration cores python posteriors everyday_models posteriors_peers spark spark_skew spark_failures spark_peers report_pages}"; do
  # One argument may hold several tasks: the default above does.
  for name in $task; do
    echo "== $name" >&2
    PYTHONPATH=$root/bench "$venv/bin/python" -m "$name.run"
  done
done
"$venv/bin/python" "$root/tools/make_benchmarks_md.py"
"$venv/bin/python" "$root/tools/plot_figures.py"
