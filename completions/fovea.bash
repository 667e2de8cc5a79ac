# Completion of fovea for bash; source it, or install it as bash-completion/completions/fovea.
_fovea() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local command="${COMP_WORDS[1]}"
  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
    'eval tags') command='eval tags' ;;
    'bench tag') command='bench tag' ;;
    'generate tags') command='generate tags' ;;
    'generate letters') command='generate letters' ;;
    'eval clusters') command='eval clusters' ;;
    'generate authors') command='generate authors' ;;
    'generate people') command='generate people' ;;
    'synth rule') command='synth rule' ;;
    'synth dnf') command='synth dnf' ;;
    'synth inv') command='synth inv' ;;
    'generate formulas') command='generate formulas' ;;
    'fit logistic') command='fit logistic' ;;
    'operator inspect') command='operator inspect' ;;
    'operator merge') command='operator merge' ;;
    'gestures train') command='gestures train' ;;
    'gestures decode') command='gestures decode' ;;
    'generate gestures') command='generate gestures' ;;
  esac
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W 'attributes bench check convert dedupe describe diagnose eval fit generate gestures inspect link operator predict review sample solve synth tag train tune' -- "$cur"))
    return
  fi
  if (( COMP_CWORD == 2 )); then
    case "${COMP_WORDS[1]}" in
      bench) COMPREPLY=($(compgen -W 'tag' -- "$cur")); return ;;
      eval) COMPREPLY=($(compgen -W 'tags clusters' -- "$cur")); return ;;
      fit) COMPREPLY=($(compgen -W 'logistic' -- "$cur")); return ;;
      generate) COMPREPLY=($(compgen -W 'tags letters authors people formulas gestures' -- "$cur")); return ;;
      gestures) COMPREPLY=($(compgen -W 'train decode' -- "$cur")); return ;;
      operator) COMPREPLY=($(compgen -W 'inspect merge' -- "$cur")); return ;;
      synth) COMPREPLY=($(compgen -W 'rule dnf inv' -- "$cur")); return ;;
    esac
  fi
  case "$command $prev" in
    'train --family') COMPREPLY=($(compgen -W 'crf doeblin gp svm' -- "$cur")); return ;;
    'train --features') COMPREPLY=($(compgen -W 'text pixels pixel-values' -- "$cur")); return ;;
    'train --format') COMPREPLY=($(compgen -W 'columns attributes' -- "$cur")); return ;;
    'train --recipe') COMPREPLY=($(compgen -W 'none heterosampler heterosampler-code' -- "$cur")); return ;;
    'train --gradient') COMPREPLY=($(compgen -W 'auto exact pseudo gibbs doeblin' -- "$cur")); return ;;
    'train --optimizer') COMPREPLY=($(compgen -W 'auto lbfgs rprop adagrad' -- "$cur")); return ;;
    'train --choose') COMPREPLY=($(compgen -W 'average error bound' -- "$cur")); return ;;
    'train --likelihood') COMPREPLY=($(compgen -W 'chain pseudo' -- "$cur")); return ;;
    'train --inducing') COMPREPLY=($(compgen -W 'pivoted-cholesky k-means random' -- "$cur")); return ;;
    'train --means') COMPREPLY=($(compgen -W 'auto inducing-points attributes' -- "$cur")); return ;;
    'train --inference') COMPREPLY=($(compgen -W 'auto natural-gradient score-function saga slice-sampling' -- "$cur")); return ;;
    'tune --recipe') COMPREPLY=($(compgen -W 'none heterosampler heterosampler-code' -- "$cur")); return ;;
    'tune --features') COMPREPLY=($(compgen -W 'model text pixels' -- "$cur")); return ;;
    'tune --rollout') COMPREPLY=($(compgen -W 'argmax random_neighbour' -- "$cur")); return ;;
    'tune --learn') COMPREPLY=($(compgen -W 'auto strips searchers' -- "$cur")); return ;;
    'tag --features') COMPREPLY=($(compgen -W 'model text pixels' -- "$cur")); return ;;
    'tag --method') COMPREPLY=($(compgen -W 'auto exact beam icm gibbs learned doeblin' -- "$cur")); return ;;
    'tag --start') COMPREPLY=($(compgen -W 'random unigram chain' -- "$cur")); return ;;
    'tag --answer') COMPREPLY=($(compgen -W 'best last marginal' -- "$cur")); return ;;
    'tag --order') COMPREPLY=($(compgen -W 'colour left-to-right' -- "$cur")); return ;;
    'tag --visit') COMPREPLY=($(compgen -W 'best sample joint' -- "$cur")); return ;;
    'tag --schedule') COMPREPLY=($(compgen -W 'rounds heap buckets' -- "$cur")); return ;;
    'eval tags --score') COMPREPLY=($(compgen -W 'auto f1 accuracy' -- "$cur")); return ;;
    'eval tags --marginals') COMPREPLY=($(compgen -W 'auto yes no' -- "$cur")); return ;;
    'bench tag --methods') COMPREPLY=($(compgen -W 'auto exact beam icm gibbs learned doeblin' -- "$cur")); return ;;
    'attributes --features') COMPREPLY=($(compgen -W 'text pixels pixel-values' -- "$cur")); return ;;
    'dedupe --draw-by') COMPREPLY=($(compgen -W 'row id' -- "$cur")); return ;;
    'dedupe --preset') COMPREPLY=($(compgen -W 'authors' -- "$cur")); return ;;
    'dedupe --start') COMPREPLY=($(compgen -W 'average-link singletons together' -- "$cur")); return ;;
    'dedupe --proposal') COMPREPLY=($(compgen -W 'companion uniform' -- "$cur")); return ;;
    'dedupe --schedule') COMPREPLY=($(compgen -W 'uniform hot learned' -- "$cur")); return ;;
    'dedupe --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'dedupe --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'dedupe --output-format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'link --preset') COMPREPLY=($(compgen -W 'authors' -- "$cur")); return ;;
    'link --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'link --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'link --output-format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'review --preset') COMPREPLY=($(compgen -W 'authors' -- "$cur")); return ;;
    'review --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'review --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'eval clusters --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'eval clusters --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'generate people --output-format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'solve --task') COMPREPLY=($(compgen -W 'MAP MPE MAR PR MMAP' -- "$cur")); return ;;
    'solve --method') COMPREPLY=($(compgen -W 'auto exact search messages sampling' -- "$cur")); return ;;
    'synth rule --language') COMPREPLY=($(compgen -W 'words sql python smt-lib' -- "$cur")); return ;;
    'synth rule --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'synth rule --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'synth dnf --stages') COMPREPLY=($(compgen -W '0 1 2 portfolio' -- "$cur")); return ;;
    'synth dnf --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'synth dnf --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'synth inv --stages') COMPREPLY=($(compgen -W '0 1 2 portfolio' -- "$cur")); return ;;
    'fit logistic --oracle') COMPREPLY=($(compgen -W 'quadrature sampling' -- "$cur")); return ;;
    'fit logistic --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'fit logistic --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'fit --family') COMPREPLY=($(compgen -W 'normal student bernoulli poisson negative-binomial ordered' -- "$cur")); return ;;
    'fit --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'fit --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'predict --format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'predict --delimiter') COMPREPLY=($(compgen -W 'auto tab comma semicolon bar' -- "$cur")); return ;;
    'predict --output-format') COMPREPLY=($(compgen -W 'auto csv tsv jsonl sqlite' -- "$cur")); return ;;
    'gestures train --family') COMPREPLY=($(compgen -W 'auto alignment path' -- "$cur")); return ;;
    'gestures train --method') COMPREPLY=($(compgen -W 'doeblin doeblin-edit-distance u-gibbs basic-gibbs' -- "$cur")); return ;;
    'gestures decode --context') COMPREPLY=($(compgen -W 'column meant read' -- "$cur")); return ;;
    'gestures decode --reading') COMPREPLY=($(compgen -W 'exact chain' -- "$cur")); return ;;
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
      'train') COMPREPLY=($(compgen -W '--output --family --template --features --format --unknown-label --dev --folds --warm-start --checkpoint --resume --calibrate --groups --time-limit --recipe --factor-size --l2 --l1 --gradient --optimizer --iterations --tolerance --epsilon --start-passes --learning-rate --adagrad-delta --gibbs-sweeps --gibbs-burn-in --restart-rate --runs --no-stratified --gap-tolerance --cut-off --all-features --kernel --choose --learn-kernel --likelihood --inducing-points --inducing --means --pairwise-variance --inference --gp-draws --gp-steps --minibatch --components --diagonal --no-control-variates --trace --gp-tolerance --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'tune') COMPREPLY=($(compgen -W '--output --unknown-label --recipe --no-measure --features --no-vary --no-nb --as-printed --no-cond-ent --no-unigram-ent --no-sp --nb-ent --oracle --epochs --sweeps --horizon --rate --delta --rollout --no-expected-rewards --policy-seeds --round-epochs --round-rate --learn --seconds-per-model --generations --candidates --seeds --reach --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'tag') COMPREPLY=($(compgen -W '--policy --output --show-sampling --svg --report-html --explain --report --features --budget --time-limit --marginals --all-marginals --n-best --valid-bio --spans --method --start --start-prune --answer --beam-width --sweeps --burn-in --order --visit --prune --schedule --threshold --regret --max-rounds --restart-rate --runs --settled --quality --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'eval tags') COMPREPLY=($(compgen -W '--against --score --unknown-label --brief --marginals --bins --reliability --out-of-domain --report-html --replicates --confidence --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'bench tag') COMPREPLY=($(compgen -W '--policy --cheapest --csv --repetitions --methods --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'attributes') COMPREPLY=($(compgen -W '--features --template --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'generate tags') COMPREPLY=($(compgen -W '--sentences --labels --part --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'generate letters') COMPREPLY=($(compgen -W '--words --noise --part --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'dedupe') COMPREPLY=($(compgen -W '--output --cluster-column --golden --id --pairs --must-link --cannot-link --score --report-html --gold --draw-by --checkpoint --resume --clusters --compare --block --date-format --threshold --max-block --preset --model --adapt --save-model --statistics --save-statistics --explain --profile --prior --train-rules --random-pairs --em-pseudo-count --em-start-match-share --em-tolerance --em-iterations --term-pseudo-count --term-strength --labels --labelled-pairs --training-pairs --match-l2 --threshold-block --start --sweeps --samples --exactness --proposal --alone --split-merge --split-merge-size --schedule --least-gain --no-sums --start-temperature --end-temperature --time-limit --budget --spill --memory-limit --format --delimiter --no-header --encoding --table --missing --output-format --output-table --replace --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'link') COMPREPLY=($(compgen -W '--output --id --second-id --second-encoding --map --one-to-one --must-link --cannot-link --gold --compare --block --date-format --threshold --max-block --preset --model --adapt --save-model --statistics --save-statistics --explain --profile --prior --train-rules --random-pairs --em-pseudo-count --em-start-match-share --em-tolerance --em-iterations --term-pseudo-count --term-strength --labels --labelled-pairs --time-limit --format --delimiter --no-header --encoding --table --missing --output-format --output-table --replace --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'review') COMPREPLY=($(compgen -W '--answers --questions --count --port --id --browser --compare --block --date-format --threshold --max-block --preset --model --adapt --save-model --statistics --save-statistics --explain --profile --prior --train-rules --random-pairs --em-pseudo-count --em-start-match-share --em-tolerance --em-iterations --term-pseudo-count --term-strength --time-limit --budget --format --delimiter --no-header --encoding --table --missing --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'eval clusters') COMPREPLY=($(compgen -W '--gold --gold-file --id --clusters-column --against --brief --format --delimiter --no-header --encoding --table --missing --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'generate authors') COMPREPLY=($(compgen -W '--mentions --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'generate people') COMPREPLY=($(compgen -W '--records --duplicates --errors --output --output-format --output-table --replace --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'solve') COMPREPLY=($(compgen -W '--evidence --evidence-sample --from --query --start --policy --output --image --heatmap --trace --report-html --report --task --method --target-error --diverse --distance --time-limit --budget --memory-limit --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'sample') COMPREPLY=($(compgen -W '--evidence --evidence-sample --from --output --report-html --chains --draws --warm-up --thin --temperatures --hottest --restart-rate --distance --perfect --exactness --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'diagnose') COMPREPLY=($(compgen -W '--report-html --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'check') COMPREPLY=($(compgen -W '--evidence --evidence-sample --from --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'convert') COMPREPLY=($(compgen -W '--from --to --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'synth rule') COMPREPLY=($(compgen -W '--terms --atoms --variables --bounds --folds --caution --effort --only --time-limit --target --weights --ignore --language --output --curve --report-html --test --format --delimiter --no-header --encoding --table --missing --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'synth dnf') COMPREPLY=($(compgen -W '--terms --atoms --stages --temperature --simple-rate --full-rate --coefficients --constants --octagons --equations --time-limit --budget --output --format --delimiter --no-header --encoding --table --missing --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'synth inv') COMPREPLY=($(compgen -W '--terms --atoms --stages --patience --no-clauses --no-spacer --time-limit --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'generate formulas') COMPREPLY=($(compgen -W '--rows --variables --terms --atoms --coefficients --constants --values --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'fit logistic') COMPREPLY=($(compgen -W '--target --columns --ignore --no-intercept --predict --predictions --time-limit --output --oracle --jit --report-html --operator --prior-variance --iterations --max-marginal-kl --jit-max-kl --jit-audit --jit-held-out --jit-alone --jit-by-message --jit-disagreement --jit-random-features --jit-always --samples --no-adaptive --format --delimiter --no-header --encoding --table --missing --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'fit') COMPREPLY=($(compgen -W '--family --show-model --check --given --output --draws-file --report-html --time-limit --chains --warm-up --draws --target-acceptance --deepest-tree --format --delimiter --no-header --encoding --table --missing --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'predict') COMPREPLY=($(compgen -W '--output --time-limit --columns --format --delimiter --no-header --encoding --table --missing --output-format --output-table --replace --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'operator inspect') COMPREPLY=($(compgen -W '--threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'operator merge') COMPREPLY=($(compgen -W '--output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'gestures train') COMPREPLY=($(compgen -W '--output --dictionary --generate --learn-words --family --text --method --epsilon --chains --start-passes --passes --learning-rate --path-passes --network-passes --list --path-learning-rate --pull --reach --stay --tremor --uniform --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'gestures decode') COMPREPLY=($(compgen -W '--n-best --context --reading --budget --output --report --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'generate gestures') COMPREPLY=($(compgen -W '--words --count --dictionary --pull --reach --stay --tremor --uniform --output --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'inspect') COMPREPLY=($(compgen -W '--weights --threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
      'describe') COMPREPLY=($(compgen -W '--threads --seed --json --quiet --phases --help' -- "$cur")); return ;;
    esac
  fi
  COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _fovea fovea
