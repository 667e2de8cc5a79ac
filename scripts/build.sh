#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the build needs and builds the program: build/release/bin/fovea.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ensure_packages build
build_preset release
say "built $ROOT/build/release/bin/fovea"
