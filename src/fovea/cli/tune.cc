// SPDX-License-Identifier: Apache-2.0
// fovea tune: learns where to sample, and what each method costs and gives, for one model.
#include "fovea/sequence/decode/tune.h"

#include <fmt/format.h>

#include "fovea/base/parallel.h"
#include "fovea/cli/run/commands.h"
#include "fovea/cli/tagging/features_option.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/grid/strip_rule_learner.h"
#include "fovea/graph/map/portfolio_members.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::cli {
namespace {

struct TuneCommandOptions {
  std::string output;
  std::string unknown_label;
  bool measure = true;

  template <class V>
  static void describe(V&& visit) {
    using O = TuneCommandOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Policy to write.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::unknown_label,
          OptionInfo{
              .name = "unknown-label", .description = "Stands for a label that is not known.", .value_name = "TEXT"});
    visit(&O::measure, OptionInfo{.name = "measure",
                                  .description = "Measure cost and quality of every method, which --method auto "
                                                 "chooses by."});
  }
};

class Tune : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(model_,
                    {.name = "MODEL",
                     .description = "Tagger written by 'fovea train', which is not changed; or a model of "
                                    "a grid (.h5, .uai, ...).",
                     .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.argument(
        files_,
        {.name = "FILE",
         .description = "For a tagger: labelled sequences that it was not trained on; - is standard input. For a "
                        "grid: further grids.",
         .file = FileRole::kInput},
        Binder::Presence::kOptional);
    binder.options(options_);
    binder.options(features_);
    binder.options(tune_.features, "What the policy looks at");
    binder.options(tune_.learner, "Learning for priority queues");
    binder.options(tune_.rounds, "Learning for rounds");
    binder.options(grids_, "Learning for grids");
  }

  void run(const Context& context) override {
    if (options_.output.empty()) throw UsageError("--output is needed: where to write the policy");
    if (is_discrete_model(model_)) tune_grids(context);
    else tune_tagger(context);
  }

 private:
  static bool is_discrete_model(const std::string& path) {
    try {
      graph::model_format_of(path);
      return true;
    } catch (const UsageError&) {
      return false;
    }
  }

  /// Every grid counts the same; annealing plans are those of 'fovea solve'.
  void tune_grids(const Context& context) const {
    std::vector<std::string> paths = {model_};
    paths.insert(paths.end(), files_.begin(), files_.end());
    std::vector<graph::TuningGrid> grids;
    for (const std::string& path : paths) {
      std::optional<graph::GridModel> grid = graph::GridModel::detect(graph::read_model(path).graph);
      if (!grid)
        throw InputError({.file = path}, "not a grid whose variables are numbered along its rows",
                         "Only models of grids have a policy of their own");
      grids.push_back({.model = *grid, .plan = graph::grid_annealing_plan(*grid), .source = path});
    }
    graph::StripRuleLearnerOptions options = grids_;
    options.threads = static_cast<std::uint64_t>(resolve_threads(context.common.threads));
    const graph::StripRule rule = graph::learn_strip_rule(grids, options, Random(context.common.seed).child("tune"),
                                                          {.cancel = &context.cancel}, context.console.progress());
    context.console.clear_progress();
    if (context.cancel.cancelled())
      context.console.warn("interrupted: this is the rule of the last generation that was complete");
    rule.save(options_.output);
    if (!context.common.quiet) context.console.out() << rule.describe();
  }

  void tune_tagger(const Context& context) {
    if (files_.empty()) throw UsageError("FILE is needed: labelled sequences that the tagger was not trained on");
    const tagging::TaggerModel model = tagging::TaggerModel::load(model_);
    check_model_features(model, features_.features);
    tagging::TaggingDataReader reader(model, tagging::UnknownAttributes::kDrop, options_.unknown_label);
    for (const std::string& file : files_)
      reader.read(io::ByteSource(file), context.console.progress(), &context.cancel);
    const tagging::TaggingData data = std::move(reader).finish();
    const sequence::LabelNgrams ngrams = model.weights.label_ngrams();
    sequence::LabelSequences sequences(ngrams);
    tagging::score_encoded(data.set.items, model.weights, sequences);
    tune_.measure = options_.measure;
    tune_.seed = context.common.seed;
    sequence::Policy policy = sequence::tune(sequences, tagging::gold_labeling(data, sequences), tune_,
                                             context.console.progress(), &context.cancel);
    if (context.cancel.cancelled()) throw CancelledError("interrupted before the policy was complete");
    tagging::bind_policy(model, policy);
    policy.save(options_.output);
    context.console.clear_progress();
    if (context.common.json) context.console.out() << policy.to_json() << '\n';
    else if (!context.common.quiet) context.console.out() << policy.describe();
  }

  std::string model_;
  std::vector<std::string> files_;
  TuneCommandOptions options_;
  FeaturesOption features_;
  sequence::TuneOptions tune_;
  graph::StripRuleLearnerOptions grids_;
};

}  // namespace

CommandEntry tune_command() {
  return {
      .name = "tune",
      .summary = "Learn where to sample, for one tagger or for grids.",
      .description =
          "Reads a tagger and labelled sequences that it was not trained on. Learns which items are worth a visit "
          "and measures what every decoding method costs and gives; says in plain words what was learned. Given models "
          "of grids instead, learns which strips of a picture are worth a visit: about a minute for 14,400 sites."
          " Ctrl-C keeps the best rule so far.",
      .examples =
          "  fovea tune ring-inverse.h5 -o grid.policy\n"
          "  fovea tune ner.model tune.txt.gz -o ner.policy\n"
          "  fovea tune ner.model tune.txt.gz --horizon 0 --no-expected-rewards -o paper.policy\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<Tune>(); }};
}

}  // namespace fovea::cli
