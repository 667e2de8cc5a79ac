#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel, installs it into a fresh environment and runs the tests of python/tests there, away from the source
# tree. Arguments go to pytest.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$ROOT/scripts/wheel.sh"
environment=$ROOT/build/python/environment
[[ -x $environment/bin/python ]] || python3 -m venv "$environment"
"$environment/bin/pip" install -q -r "$ROOT/python/requirements-test.txt"
"$environment/bin/pip" install -q --force-reinstall --no-deps "$ROOT"/build/wheels/*.whl
say "testing the Python package"
cd "$ROOT/build/python"
exec "$environment/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs fovea "$ROOT/python/tests" "$@"
