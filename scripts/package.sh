#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes packages of the program and the library: build/release/packages/*.deb and *.tar.gz. With lintian installed, its
# errors end the script.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build
build_preset release
folder=$ROOT/build/release/packages
rm -f "$folder"/*.deb "$folder"/*.tar.gz
(cd "$ROOT/build/release" && cpack >"$folder/cpack.log" 2>&1) || { tail -n 30 "$folder/cpack.log" >&2; die "cpack failed"; }
if command -v lintian >/dev/null; then
  lintian --fail-on error --tag-display-limit 0 "$folder"/*.deb || die "lintian found errors"
fi
say "made" "$folder"/*.deb "$folder"/*.tar.gz
