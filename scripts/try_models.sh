#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/try_models.sh FOLDER: writes small made-up models to FOLDER, under the names in the README's commands:
# net.bif, model.uai(.gz), model.evid, vars.txt, model.cfn, assignment.txt and grid.uai. Builds the program if needed.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=${1:?usage: scripts/try_models.sh FOLDER}
FOVEA=${FOVEA:-$ROOT/build/release/bin/fovea}
[[ -x $FOVEA ]] || "$ROOT/scripts/build.sh"
mkdir -p "$folder"
cd "$folder"

# grid SIDE LABELS: prints a UAI model of a noisy picture of three discs in which neighbours tend to agree.
grid() {
  awk -v side="$1" -v labels="$2" '
    function disc(x, y, r) { return (column - x * side) ^ 2 + (row - y * side) ^ 2 < (r * side) ^ 2 }
    BEGIN {
      srand(1)
      print "MARKOV"
      print side * side
      for (v = 0; v < side * side; ++v) printf "%d ", labels
      print "\n" side * side + 2 * side * (side - 1)
      for (v = 0; v < side * side; ++v) print 1, v
      for (v = 0; v < side * side; ++v) {
        if (v % side < side - 1) print 2, v, v + 1
        if (v < side * (side - 1)) print 2, v, v + side
      }
      for (row = 0; row < side; ++row)
        for (column = 0; column < side; ++column) {
          truth = disc(.3, .3, .25) ? 1 : disc(.7, .4, .2) ? 2 : disc(.5, .75, .2) ? 3 : 0
          printf "%d", labels
          for (label = 0; label < labels; ++label) printf " %.4f", exp((label == truth % labels) + 2 * rand())
          print ""
        }
      for (pair = 0; pair < 2 * side * (side - 1); ++pair) {
        printf "%d", labels * labels
        for (entry = 0; entry < labels * labels; ++entry) printf " %d", entry % (labels + 1) ? 1 : 3
        print ""
      }
    }'
}

cat >net.bif <<'NETWORK'
network smoking {}
variable smoke { type discrete [ 2 ] { yes, no }; }
variable bronchitis { type discrete [ 2 ] { yes, no }; }
variable cancer { type discrete [ 2 ] { yes, no }; }
variable cough { type discrete [ 2 ] { yes, no }; }
probability ( smoke ) { table 0.3, 0.7; }
probability ( bronchitis | smoke ) { (yes) 0.6, 0.4; (no) 0.3, 0.7; }
probability ( cancer | smoke ) { (yes) 0.1, 0.9; (no) 0.01, 0.99; }
probability ( cough | bronchitis, cancer ) {
  (yes, yes) 0.95, 0.05; (yes, no) 0.8, 0.2; (no, yes) 0.7, 0.3; (no, no) 0.1, 0.9;
}
NETWORK
grid 12 3 >model.uai
gzip -nkf model.uai
echo "2 0 1 143 2" >model.evid
echo "4 5 18 70 131" >vars.txt
grid 64 4 >grid.uai
"$FOVEA" convert model.uai model.cfn
"$FOVEA" solve -q model.uai -o assignment.txt
say "small models to try are in $folder"
