// fovea operator inspect: shows what was learned about a factor's messages. fovea operator merge: makes one operator
// that knows what several know.
#include "fovea/cli/ep/operator.h"

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/ep/recall/operator_file.h"
#include "fovea/ep/regression/operator_report.h"

namespace fovea::cli {

void show_operator(const ep::LearnedOperator& learned, const Context& context) {
  if (context.common.json) context.console.out() << ep::operator_json(learned) << '\n';
  else context.console.out() << ep::operator_text(learned);
}

namespace {

class OperatorInspect : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_, {.name = "FILE", .description = "Operator to show.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
  }

  void run(const Context& context) override { show_operator(ep::read_operator(file_), context); }

 private:
  std::string file_;
};

struct OperatorMergeOptions {
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&OperatorMergeOptions::output, OptionInfo{.name = "output",
                                                    .description = "Where to write the merged operator; required.",
                                                    .value_name = "FILE",
                                                    .letter = 'o',
                                                    .file = FileRole::kOutput});
  }
};

class OperatorMerge : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(files_, {.name = "FILE", .description = "Operators of the same factor.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.options(options_);
  }

  void run(const Context& context) override {
    if (options_.output.empty()) throw UsageError("say where to write the merged operator: --output FILE");
    std::vector<ep::LearnedOperator> operators;
    for (const std::string& file : files_) operators.push_back(ep::read_operator(file));
    const ep::LearnedOperator merged = ep::merged(operators, files_);
    ep::write_operator(merged, options_.output);
    show_operator(merged, context);
  }

 private:
  std::vector<std::string> files_;
  OperatorMergeOptions options_;
};

}  // namespace

CommandEntry operator_inspect_command() {
  return {.name = "operator inspect",
          .summary = "Show what was learned about a factor's messages.",
          .description =
              "Shows the number of examples, the errors of held-out messages, and the largest doubt at which a "
              "prediction is still used (u_max).",
          .examples = "  fovea operator inspect logistic.operator\n  fovea operator inspect logistic.operator --json\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<OperatorInspect>(); }};
}

CommandEntry operator_merge_command() {
  return {.name = "operator merge",
          .summary = "Merge several operators into one that knows what they know.",
          .description =
              "Takes the examples of all files in turns. What was set for the first file (its largest error, its "
              "regressor) holds for all.",
          .examples = "  fovea operator merge monday.operator tuesday.operator -o both.operator\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<OperatorMerge>(); }};
}

}  // namespace fovea::cli
