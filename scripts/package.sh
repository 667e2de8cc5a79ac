#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes packages of the program and the library, build/release/packages/*.deb and *.tar.gz, and tries the program in one.
# With lintian installed, its errors end the script. FOVEA_PRESET names another build.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

preset=${FOVEA_PRESET:-release}
folder=$ROOT/build/$preset/packages
ensure_packages build
build_preset "$preset"
rm -f "$folder"/*.deb "$folder"/*.tar.gz
(cd "$ROOT/build/$preset" && cpack) >"$folder/cpack.log" 2>&1 || { tail -n 30 "$folder/cpack.log" >&2; die "cpack failed"; }
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
dpkg-deb -x "$folder"/fovea_*.deb "$unpacked"
"$unpacked/usr/bin/fovea" --version >&2
if command -v lintian >/dev/null; then
  lintian --fail-on error --allow-root --tag-display-limit 0 "$folder"/*.deb || die "lintian found errors"
fi
say "made" "$folder"/*.deb "$folder"/*.tar.gz
