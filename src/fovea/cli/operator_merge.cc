// SPDX-License-Identifier: Apache-2.0
// fovea operator merge: one operator that knows what several know.
#include "fovea/apps/regression/operator_report.h"
#include "fovea/base/error.h"
#include "fovea/cli/commands.h"
#include "fovea/message/recall/operator_file.h"

namespace fovea::cli {
namespace {

struct OperatorMergeOptions {
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&OperatorMergeOptions::output,
          OptionInfo{.name = "output", .description = "Where to write it.", .value_name = "FILE", .letter = 'o'});
  }
};

class OperatorMerge : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(files_, {.name = "FILE", .description = "Operators of one factor."}, Binder::Presence::kRequired);
    binder.options(options_);
  }

  void run(const Context& context) override {
    if (options_.output.empty()) throw UsageError("say where to write the merged operator: --output FILE");
    std::vector<message::LearnedOperator> operators;
    for (const std::string& file : files_) operators.push_back(message::read_operator(file));
    const message::LearnedOperator merged = message::merged(operators, files_);
    message::write_operator(merged, options_.output);
    if (context.common.json) context.console.out() << operator_json(merged) << '\n';
    else context.console.out() << operator_text(merged);
  }

 private:
  std::vector<std::string> files_;
  OperatorMergeOptions options_;
};

}  // namespace

CommandEntry operator_merge_command() {
  return {.name = "operator merge",
          .summary = "Make one operator that knows what several know.",
          .description =
              "Takes the examples of all files in turns; what the first was asked to keep to (its largest "
              "error, its regressor) holds for all.",
          .examples = "  fovea operator merge monday.operator tuesday.operator -o both.operator\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<OperatorMerge>(); }};
}

}  // namespace fovea::cli
