// SPDX-License-Identifier: Apache-2.0
// fovea train: fits a tagger to labelled sequences.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/apps/tagging/tagging_data.h"
#include "fovea/cli/commands.h"
#include "fovea/learn/crf_objective.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::cli {
namespace {

struct TrainCommandOptions {
  std::string output;
  int factor_size = 2;
  double l2 = 1;

  template <class V>
  static void describe(V&& visit) {
    using O = TrainCommandOptions;
    visit(&O::output,
          OptionInfo{.name = "output", .description = "Model to write.", .value_name = "FILE", .letter = 'o'});
    visit(&O::factor_size, OptionInfo{.name = "factor-size", .description = "n-grams", .min = 1, .max = 6});
    visit(&O::l2, OptionInfo{.name = "l2", .description = "l2", .min = 0, .max = 1e9});
  }
};

class Train : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(files_, {.name = "FILE", .description = "Labelled sequences."}, Binder::Presence::kRequired);
    binder.options(options_);
  }

  void run(const Context& context) override {
    TaggingDataReader reader(TaggingDataReader::Options{});
    for (const std::string& file : files_) reader.read(ByteSource(file), context.console.progress(), &context.cancel);
    TaggingData data = std::move(reader).finish();
    const auto transposed = std::make_shared<const TransposedItems>(data.set.items, data.set.attribute_count);
    const CrfFeatures features = observed_features(data.set, *transposed, options_.factor_size);
    CrfObjective objective(data.set, features, transposed,
                           {.l2 = options_.l2, .threads = resolve_threads(context.common.threads)});
    std::vector<float> x(features.dimension());
    const std::vector<float> scale = objective.inverse_curvature(x);
    LbfgsOptions lbfgs;
    lbfgs.threads = resolve_threads(context.common.threads);
    const auto summary = minimize_lbfgs<CrfObjective>(objective, x, lbfgs, scale);
    context.console.note(summary.brief());
    TaggerModel model;
    model.labels = data.labels;
    model.feature_template = data.feature_template;
    model.observation_columns = data.observation_columns;
    model.weights = CrfWeights(features, x);
    model.fingerprint = tagger_fingerprint(model);
    model.save(options_.output, data.attributes);
  }

 private:
  std::vector<std::string> files_;
  TrainCommandOptions options_;
};

}  // namespace

CommandEntry train_command() {
  return {.name = "train",
          .summary = "Fit a tagger to labelled sequences.",
          .description = "",
          .examples = "  fovea train --template ner.template --factor-size 4 train.txt.gz -o ner.model\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Train>(); }};
}

}  // namespace fovea::cli
