#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets and shares FOVEA_FUZZ_SECONDS (default 300) of wall time among them. Seeds come from
# fuzz/corpus/<target>; what is found goes to build/asan/corpus/<target>, inputs that fail to build/asan/failures.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# fuzz_one TARGET SECONDS: quiet unless it fails; a run without a single input is a failure too.
fuzz_one() {
  local target=$1 name=${1%_fuzz} folder=$ROOT/build/asan inputs
  mkdir -p "$folder/corpus/$name" "$folder/failures" "$ROOT/fuzz/corpus/$name"
  if ! "$folder/bin/$target" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$folder/failures/$name-" "$folder/corpus/$name" "$ROOT/fuzz/corpus/$name" \
    >"$folder/$name.log" 2>&1; then
    tail -n 40 "$folder/$name.log" >&2
    echo "$name: FAILED; the input is in $folder/failures" >&2
    return 1
  fi
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log")
  if [[ ${inputs:-0} == 0 ]]; then
    echo "$name: FAILED; it ran without a single input" >&2
    return 1
  fi
  echo "$name: $inputs inputs, none fails"
}

ensure_packages build test check
mapfile -t targets < <(basename -s .cc "$ROOT"/fuzz/*_fuzz.cc)
build_preset asan "${targets[@]}"
seconds=$((${FOVEA_FUZZ_SECONDS:-300} * JOBS / ${#targets[@]}))
say "fuzzing ${#targets[@]} targets, $seconds s each, $JOBS at a time"
export -f fuzz_one
export ROOT
printf '%s\0' "${targets[@]}" | xargs -0 -P "$JOBS" -I{} bash -c "fuzz_one {} $((seconds > 0 ? seconds : 1))"
