#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds everything and runs every test. Arguments go to ctest (say, -R graph).
# Tests on real data run if FOVEA_DATA (or ./data) holds it; otherwise they are reported as skipped.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build test
build_preset dev
cd "$ROOT"
exec ctest --preset dev -j "$JOBS" "$@"
