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
  void bind(Binder& binder) override { binder.input(file_, "FILE", "Operator to show."); }

  void run(const Context& context) override { show_operator(ep::read_operator(file_), context); }

 private:
  std::string file_;
};

class OperatorMerge : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(files_, "FILE", "Operators of the same factor.");
    binder.option(output_, output_file("output", "Where to write the merged operator; required.", 'o'));
  }

  void run(const Context& context) override {
    if (output_.empty()) throw UsageError("say where to write the merged operator: --output FILE");
    std::vector<ep::LearnedOperator> operators;
    for (const std::string& file : files_) operators.push_back(ep::read_operator(file));
    const ep::LearnedOperator merged = ep::merged(operators, files_);
    ep::write_operator(merged, output_);
    show_operator(merged, context);
  }

 private:
  std::vector<std::string> files_;
  std::string output_;
};

}  // namespace

CommandEntry operator_inspect_command() {
  return command_of<OperatorInspect>(
      "operator inspect", "Show what was learned about a factor's messages.",
      "Shows the number of examples, the errors of held-out messages, and the largest doubt at which a prediction is "
      "still used (u_max).",
      "  fovea operator inspect logistic.operator\n  fovea operator inspect logistic.operator --json\n");
}

CommandEntry operator_merge_command() {
  return command_of<OperatorMerge>("operator merge", "Merge several operators into one that knows what they know.",
                                   "Takes the examples of all files in turns. What was set for the first file (its "
                                   "largest error, its regressor) holds for all.",
                                   "  fovea operator merge monday.operator tuesday.operator -o both.operator\n");
}

}  // namespace fovea::cli
