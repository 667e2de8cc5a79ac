#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel, installs it into a fresh environment and tests it there, away from the source tree: python/tests, the
# examples of the documentation, the stubs and the notebooks of docs/guide. Arguments go to pytest, which then runs alone.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages spark
"$ROOT/scripts/wheel.sh"
environment=$ROOT/build/python/environment
[[ -x $environment/bin/python ]] || python3 -m venv "$environment"
"$environment/bin/pip" install -q -r "$ROOT/python/requirements-test.txt"
"$environment/bin/pip" install -q --force-reinstall --no-deps "$ROOT"/build/wheels/*.whl
say "testing the Python package"
export FOVEA_PROGRAM=$ROOT/build/${FOVEA_PRESET:-release}/bin/fovea
cd "$ROOT/build/python"
"$environment/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs fovea "$ROOT/python/tests" "$@"
[[ $# == 0 ]] || exit 0
say "comparing the stubs with the package, and running the notebooks"
"$environment/bin/python" "$ROOT/tools/make_stubs.py" --check
"$environment/bin/python" -m mypy.stubtest fovea --mypy-config-file "$ROOT/pyproject.toml"
"$environment/bin/python" "$ROOT/tools/run_notebooks.py"
(ensure_packages browser) >"$ROOT/build/browser.log" 2>&1 || true
if [[ ! -x ${FOVEA_DRIVER:-/usr/bin/chromedriver} ]]; then
  say "SKIPPED pages in a browser: chromium-driver cannot be installed (build/browser.log)"
  exit 0
fi
say "looking at pages in a browser"
"$environment/bin/python" -m unittest discover -q -s "$ROOT/tests/browser" -p '*_test.py'
