#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Fovea and runs its main jobs. On real text it trains a tagger, learns where to sample, tags under a budget, and
# shows accuracy and seconds of every method in one table. Then it trains a tagger that says how sure it is, tells
# records apart, proves a loop, reads swipes, fits a regression by messages that are recalled, and finds marginals of a
# network. The text is the Universal Dependencies English Web Treebank with its 49 fine-grained tags, from FOVEA_DATA,
# else ./data, else the network; if all three fail, a generated corpus.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$ROOT/scripts/build.sh"
FOVEA=$ROOT/build/release/bin/fovea
work=$ROOT/build/demo
mkdir -p "$work"
cd "$work"

# columns FILE: prints word and fine-grained tag; the coarse tag between them would give the answer away.
columns() { gzip -dc "$1" | awk -F '\t' -v OFS='\t' 'NF { print $1, $3; next } { print "" }'; }

# Every fifth sentence goes to tuning: a policy must be learned on text that the model has not seen.
split_training() {
  awk -v RS= -v ORS='\n\n' '{ print > (NR % 5 == 0 ? "tune.txt" : "train.txt") }' "$1"
}

folder=${FOVEA_DATA:-$ROOT/data}/pos_ud_ewt
if [[ ! -f $folder/train.tsv.gz ]]; then
  folder=$ROOT/data/pos_ud_ewt
  [[ -f $folder/train.tsv.gz ]] || "$ROOT/scripts/fetch_ewt.sh" "$folder" || folder=
fi
if [[ -n $folder ]]; then
  say "UD English EWT, fine-grained tags, from $folder"
  columns "$folder/train.tsv.gz" >all.txt
  columns "$folder/dev.tsv.gz" >test.txt
else
  say "NOT REAL TEXT: no data at hand and none to be fetched, so this runs on a generated corpus"
  "$FOVEA" generate tags --sentences 6000 -o all.txt
  "$FOVEA" generate tags --sentences 2000 --part 1 -o test.txt
fi
split_training all.txt

say "training on label n-grams up to four"
"$FOVEA" train -q --factor-size 4 train.txt -o demo.model
say "learning where to sample"
"$FOVEA" tune demo.model tune.txt -o demo.policy
say "tagging with 1.5 visits per token"
"$FOVEA" tag demo.model --policy demo.policy --budget "1.5 sweeps" test.txt >tagged.txt
"$FOVEA" eval tags tagged.txt | head -n 1
say "every method: its fastest setting within .1 point of its best"
"$FOVEA" bench tag -q demo.model test.txt --policy demo.policy --repetitions 2 --cheapest

say "a tagger that knows how sure it is: a Gaussian process for each label, from 200 sentences"
awk -v RS= -v ORS='\n\n' 'NR <= 200' train.txt >few.txt
awk -v RS= -v ORS='\n\n' 'NR <= 100' test.txt >some.txt
"$FOVEA" train -q --family gp --inducing-points 300 few.txt -o few.gp
"$FOVEA" tag few.gp --marginals some.txt >sure.txt
"$FOVEA" eval tags sure.txt --brief

say "records: authors of a made-up bibliography, told apart by what was learned on another one"
"$FOVEA" generate authors --mentions 20000 --seed 2 -o labelled.tsv
"$FOVEA" generate authors --mentions 50000 -o mentions.tsv
"$FOVEA" dedupe labelled.tsv --preset authors --labels entity -o authors.er
"$FOVEA" dedupe mentions.tsv --model authors.er -o clusters.tsv
"$FOVEA" eval clusters clusters.tsv --gold entity --brief
"$FOVEA" dedupe mentions.tsv --model authors.er --explain 1,2

say "a formula of linear inequalities from rows that one has labelled"
"$FOVEA" generate formulas --terms 2 --atoms 2 --seed 3 -o examples.csv
"$FOVEA" synth dnf examples.csv --terms 2 --atoms 2

say "why a loop is right: an inductive invariant, proved by Z3"
cat >loop.sl <<'LOOP'
; x := i; y := j; while (x != 0) { x := x - 1; y := y - 1; } assert(i != j || y == 0)
(set-logic LIA)
(synth-inv Inv ((i Int) (j Int) (x Int) (y Int)))
(define-fun start ((i Int) (j Int) (x Int) (y Int)) Bool (and (= x i) (= y j)))
(define-fun step ((i Int) (j Int) (x Int) (y Int) (i! Int) (j! Int) (x! Int) (y! Int)) Bool
  (and (distinct x 0) (= x! (- x 1)) (= y! (- y 1)) (= i! i) (= j! j)))
(define-fun end ((i Int) (j Int) (x Int) (y Int)) Bool (=> (and (= x 0) (= i j)) (= y 0)))
(inv-constraint Inv start step end)
(check-synth)
LOOP
"$FOVEA" synth inv loop.sl --time-limit 30s

say "swipes over a keyboard, made up and read again: how many of 200 words are right"
awk -F '[ \t]' 'NF { w = tolower($1); if (w ~ /^[a-z]+$/) ++count[w] } END { for (w in count) print w "\t" count[w] }' all.txt >words.tsv
"$FOVEA" generate gestures --words words.tsv --count 200 --seed 2 -o swipes.tsv
"$FOVEA" gestures train words.tsv --generate 300 --passes 2 -o keyboard.model >training.txt
"$FOVEA" gestures decode keyboard.model --n-best 1 --budget "20 transitions/item" <swipes.tsv >read.tsv
paste <(cut -f 2 swipes.tsv) <(cut -f 3 read.tsv) | awk 'NR > 1 { right += $1 == $2 } END { print right " of " NR - 1 }'

say "Bayesian logistic regression by messages that are drawn at first, and then recalled; the weights are 2, -1 and .5"
awk 'BEGIN {
  srand(7); print "x1,x2,y"
  for (i = 0; i < 1500; ++i) {
    a = 4 * rand() - 2; b = 4 * rand() - 2
    print a "," b "," (rand() < 1 / (1 + exp(-(2 * a - b + .5))) ? 1 : 0)
  }
}' >regression.csv
rm -f logistic.operator
"$FOVEA" fit logistic regression.csv --target y --oracle sampling --operator logistic.operator
"$FOVEA" operator inspect logistic.operator

say "a Bayesian network: how likely is rain, now that the grass is wet?"
cat >grass.bif <<'NETWORK'
network grass {}
variable rain { type discrete [ 2 ] { no, yes }; }
variable sprinkler { type discrete [ 2 ] { off, on }; }
variable grass { type discrete [ 2 ] { dry, wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( sprinkler | rain ) { ( no ) 0.6, 0.4; ( yes ) 0.99, 0.01; }
probability ( grass | sprinkler, rain ) {
  ( off, no ) 1.0, 0.0; ( off, yes ) 0.2, 0.8; ( on, no ) 0.1, 0.9; ( on, yes ) 0.01, 0.99;
}
NETWORK
"$FOVEA" solve grass.bif --task MAR --evidence grass=wet --json
inpainting=${FOVEA_DATA:-$ROOT/data}/inpainting/triplepoint4-plain-ring-inverse.h5
if [[ -f $inpainting ]]; then
  say "14,400 pixels in two seconds: the labels in labels.png, where the visits went in visits.png"
  "$FOVEA" solve "$inpainting" --method search --time-limit 2s --image labels.png --heatmap visits.png -o labels.txt
fi
