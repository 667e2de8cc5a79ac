# SPDX-License-Identifier: Apache-2.0
# The scripts in this folder source this file for paths, messages, packages and building. It needs only bash.

set -euo pipefail
export LC_ALL=C

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
JOBS=${FOVEA_JOBS:-$(nproc)}
if [[ -z ${FOVEA_DATA:-} && -d $ROOT/data ]]; then export FOVEA_DATA=$ROOT/data; fi

say() { printf '%s\n' "== $*" >&2; }

die() {
  printf '%s\n' "error: $*" >&2
  exit 1
}

# packages_of GROUP...: prints the packages of these groups of packages.txt.
packages_of() {
  local group
  for group in "$@"; do
    sed -n "s/^$group //p" "$ROOT/scripts/packages.txt"
  done
}

# missing_packages PACKAGE...: prints those that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || printf '%s\n' "$package"
  done
}

# as_root COMMAND...: runs the command, with sudo if the caller is not root.
as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi
}

# ensure_packages GROUP...: installs what is missing; prints nothing if nothing is.
ensure_packages() {
  if ! command -v apt-get >/dev/null; then
    say "not a Debian or Ubuntu system: taking for granted that these or their like are installed:" \
      $(packages_of "$@")
    return
  fi
  local -a missing
  mapfile -t missing < <(missing_packages $(packages_of "$@"))
  [[ ${#missing[@]} == 0 ]] && return
  if [[ $(id -u) != 0 ]] && ! command -v sudo >/dev/null; then
    die "packages are missing, and this user is neither root nor has sudo. As root, run:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
    -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
}

# build_preset PRESET [TARGET...]: configures build/PRESET and builds it; quiet unless something fails.
build_preset() {
  local preset=$1 log
  shift
  log=$ROOT/build/$preset.log
  mkdir -p "$ROOT/build"
  say "building preset $preset"
  (cd "$ROOT" && cmake --preset "$preset" && cmake --build --preset "$preset" -j "$JOBS" ${*:+--target "$@"}) \
    >"$log" 2>&1 || { tail -n 60 "$log" >&2; die "build of preset $preset failed; whole log: $log"; }
}

# can_fetch_python_packages: true if pip reaches an index; what it said is in build/python.log.
can_fetch_python_packages() {
  local probe=$ROOT/build/python/probe
  python3 -m venv "$probe" && "$probe/bin/pip" download -q --no-deps -d "$probe" nanobind-backend
} 2>"$ROOT/build/python.log"
