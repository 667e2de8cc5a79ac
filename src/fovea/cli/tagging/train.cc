// SPDX-License-Identifier: Apache-2.0
// fovea train: fits a tagger to labelled sequences.
#include "fovea/tagging/train/train.h"

#include "fovea/cli/run/commands.h"

namespace fovea::cli {
namespace {

class Train : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.files, "FILE", "Labelled sequences; - is standard input.");
    binder.options(job_.options);
    binder.options(job_.calibration);
    binder.options(job_.limit);
    binder.options(job_.recipe);
    binder.options(job_.crf, kCrfGroup);
    binder.options(job_.gp, kGpGroup);
    binder.options(job_.gp_inference, kGpInferenceGroup);
  }

  bool is_shown(std::string_view group) const override {
    const bool is_gp = job_.options.family == tagging::TaggerFamily::kGp;
    return is_gp ? group != kCrfGroup : group != kGpGroup && group != kGpInferenceGroup;
  }

  void run(const Context& context) override {
    const tagging::TrainReport report = tagging::train(job_, run_of(context));
    context.console.clear_progress();
    if (context.common.json) context.console.out() << report.json << '\n';
    else if (!context.common.quiet) context.console.out() << report.text;
  }

 private:
  static constexpr const char *kCrfGroup = "Model and training", *kGpGroup = "Gaussian processes (--family gp)",
                              *kGpInferenceGroup = "Inference of Gaussian processes";

  tagging::TrainJob job_;
};

}  // namespace

CommandEntry train_command() {
  return command_of<Train>(
      "train", "Fit a tagger to labelled sequences.",
      "Reads columns with the label last, one item per line, with blank lines between sequences; .gz, .xz and .zst are "
      "unpacked. With --features pixels it reads handwritten letters. Fits a linear-chain CRF of any order, or one to "
      "be used through a Markov chain that is guaranteed to mix (--family doeblin), or Gaussian processes "
      "(--family gp), or a structured SVM (--family svm), which has margins instead of "
      "probabilities. Ctrl-C writes the model as it stands. Options of Gaussian processes: fovea train --family gp "
      "--help.",
      "  fovea train --template ner.template --factor-size 4 train.txt.gz -o ner.model\n"
      "  fovea train train.txt.gz --dev dev.txt.gz --l2 0.5 -o ner.model\n"
      "  fovea train train.txt.gz --calibrate -o sure.model\n"
      "  fovea train --family doeblin --factor-size 4 train.txt.gz -o chain.model\n"
      "  fovea train --family gp --kernel 'linear(1)' train.txt.gz -o np.gp\n"
      "  fovea train --family svm --l2 0.1 --folds 5 train.txt.gz -o np.model\n"
      "  fovea train --format attributes train.crfsuite -o ner.model\n"
      "  fovea train --features pixels --factor-size 4 fold[1-9].tsv.gz -o ocr.model\n"
      "  fovea train --recipe heterosampler --factor-size 4 train.txt.gz -o paper.model\n");
}

}  // namespace fovea::cli
