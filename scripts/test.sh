#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds everything and runs every test, those of the Python package included if the index
# of Python packages can be reached. Arguments go to ctest (say, -R graph), which then runs alone.
# Tests on real data run if FOVEA_DATA (or ./data) holds it; otherwise they are reported as skipped.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build test python
build_preset dev
cd "$ROOT"
ctest --preset dev -j "$JOBS" "$@"
[[ $# == 0 ]] || exit 0
if can_fetch_python_packages; then
  FOVEA_PRESET=dev scripts/test_python.sh
else
  say "SKIPPED the Python package: the index of Python packages cannot be reached (build/python.log)"
fi
