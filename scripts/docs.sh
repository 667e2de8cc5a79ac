#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation as a site: build/docs/index.html, which works without a server and can be searched there. A
# warning, such as a link that leads nowhere within it, is an error. `scripts/docs.sh links` also asks for every address
# elsewhere.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages python
environment=$ROOT/build/docs-environment
[[ -x $environment/bin/python ]] || python3 -m venv "$environment"
"$environment/bin/pip" install -q -r "$ROOT/docs/requirements.txt"
build() { "$environment/bin/sphinx-build" -q -W --keep-going -d "$ROOT/build/docs-parsed" -b "$1" "$ROOT/docs" "$2"; }
build html "$ROOT/build/docs"
[[ ${1:-} != links ]] || build linkcheck "$ROOT/build/docs-links"
say "built $ROOT/build/docs/index.html"
