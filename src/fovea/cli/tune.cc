// SPDX-License-Identifier: Apache-2.0
// fovea tune: learns where to sample, and what each method costs and gives, for one model.
#include <variant>

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/graph/solve/tune_models.h"
#include "fovea/tagging/train/tune_tagger.h"

namespace fovea::cli {
namespace {

struct TuneCommandOptions {
  std::string output;
  std::string unknown_label;

  static void describe(auto&& visit) {
    using O = TuneCommandOptions;
    visit(&O::output, output_file("output", "Where to write the policy; required.", 'o'));
    visit(&O::unknown_label,
          option("unknown-label", "Text in the label column that stands for an unknown label.", "TEXT"));
  }
};

class Tune : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(
        job_.model, "MODEL",
        "Tagger written by 'fovea train', which is not changed; or a discrete model (.uai, .wcsp, .bif, .h5, ...).");
    binder.optional_input(
        job_.files, "FILE",
        "For a tagger: labelled sequences that it was not trained on; - is standard input. For a model: further "
        "models like it. The evidence of a model is the file of its name with .evid after it, if there is one.");
    binder.options(options_);
    binder.options(job_.options);
    binder.options(job_.features);
    binder.options(job_.options.features, "What the policy looks at");
    binder.options(job_.options.learner, "Learning for priority queues");
    binder.options(job_.options.choice, "Learning for priority queues");
    binder.options(job_.options.rounds, "Learning for rounds");
    binder.options(searches_, "Learning for models");
    binder.options(strips_, "Learning for strips of grids");
  }

  void run(const Context& context) override {
    if (options_.output.empty()) throw UsageError("--output is needed: where to write the policy");
    if (graph::is_model_file(job_.model)) tune_models(context);
    else tune_tagger(context);
  }

 private:
  void tune_models(const Context& context) const {
    std::vector<std::string> paths = {job_.model};
    paths.insert(paths.end(), job_.files.begin(), job_.files.end());
    const graph::ModelPolicy learned = graph::tune_models(paths, searches_, strips_, run_of(context).child("tune"));
    std::visit(
        [&](const auto& policy) {
          policy.save(options_.output);
          context.console.clear_progress();
          if (context.common.json) context.console.out() << policy.to_json() << '\n';
          else if (!context.common.quiet) context.console.out() << policy.describe();
        },
        learned);
  }

  void tune_tagger(const Context& context) {
    job_.unknown_label = options_.unknown_label;
    const sequence::Policy policy = tagging::tune_tagger(job_, run_of(context));
    policy.save(options_.output);
    context.console.clear_progress();
    if (context.common.json) context.console.out() << policy.to_json() << '\n';
    else if (!context.common.quiet) context.console.out() << policy.describe();
  }

  TuneCommandOptions options_;
  tagging::TuneJob job_;
  graph::SearchTuningOptions searches_;
  graph::StripRuleLearnerOptions strips_;
};

}  // namespace

CommandEntry tune_command() {
  return command_of<Tune>(
      "tune", "Learn where to sample, for a tagger or for models.",
      "Reads a tagger and labelled sequences that it was not trained on. Learns which items are worth a visit, "
      "measures the cost and quality of every decoding method, and explains in plain words what it learned. Given "
      "discrete models instead, it learns which searchers of 'fovea solve' are worth their time on such models, ten "
      "seconds each; or, from grids, which strips of a picture are worth a visit: about a minute for 14,400 sites. "
      "Ctrl-C keeps what was learned so far.",
      "  fovea tune ring-inverse.h5 -o grid.policy\n"
      "  fovea tune ring-inverse.h5 --learn searchers --seconds-per-model 1 -o search.policy\n"
      "  fovea tune ner.model tune.txt.gz -o ner.policy\n"
      "  fovea tune ner.model tune.txt.gz --recipe heterosampler -o paper.policy\n");
}

}  // namespace fovea::cli
