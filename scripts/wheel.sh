#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the self-contained wheel of the Python package: build/wheels/fovea_engine-*.whl, for Python 3.10 and later.
# FOVEA_PRESET: the preset whose library goes into it (default: release).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

preset=${FOVEA_PRESET:-release}
work=$ROOT/build/python
ensure_packages build python
build_preset "$preset"
[[ -x $work/tools/bin/python ]] || python3 -m venv "$work/tools"
"$work/tools/bin/pip" install -q -r "$ROOT/python/requirements-build.txt"

say "making the wheel"
rm -rf "$work/prefix" "$work/plain" "$ROOT/build/wheels"
cmake --install "$ROOT/build/$preset" --prefix "$work/prefix" >"$work/install.log"
PATH=$work/tools/bin:$PATH
pip wheel -q --no-build-isolation --no-deps -w "$work/plain" "$ROOT" \
  -C "cmake.define.FOVEA_PREFIX=$work/prefix" -C "build-dir=$work/extension"
abi3audit --strict "$work"/plain/*.whl
auditwheel repair -w "$ROOT/build/wheels" "$work"/plain/*.whl 2>"$work/auditwheel.log" ||
  { cat "$work/auditwheel.log" >&2; die "the wheel is not self-contained"; }
say "made $(ls "$ROOT"/build/wheels/*.whl)"
