// SPDX-License-Identifier: Apache-2.0
// fovea fit logistic: Bayesian logistic regression on a table.
#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/ep/regression/fit_table.h"

namespace fovea::cli {
namespace {

class FitLogistic : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.file, "DATA", "Table of numbers and the target; - is standard input.");
    binder.options(job_.options);
    binder.options(job_.fitting, "The model");
    binder.options(job_.recall, "Recalling messages");
    binder.options(job_.sampling, "The sampling oracle");
    binder.options(job_.reading, "Reading tables");
  }

  void run(const Context& context) override {
    const std::string& predictions = job_.options.predictions;
    const bool predicts = !job_.options.predict.empty();
    if (context.common.json && predicts && (predictions.empty() || predictions == "-"))
      throw UsageError("--json is a report on standard output: give the predictions a file by --predictions");
    const ep::LogisticReport report = ep::fit_table(job_, run_of(context));
    context.console.clear_progress();
    if (context.common.json) context.console.out() << report.json << '\n';
    else if (!predicts) context.console.out() << report.text;
  }

 private:
  ep::LogisticJob job_;
};

}  // namespace

CommandEntry fit_logistic_command() {
  return command_of<FitLogistic>(
      "fit logistic", "Fit a Bayesian logistic regression.",
      "Reads a table (CSV, TSV, JSON lines, SQLite) of numbers with a target of two values and writes the posterior of "
      "the weights: a Gaussian, found by expectation propagation, with the log evidence of the model. Truth values "
      "count as 0 and 1. In a column of texts, every value except the first has a weight of its own. Rows with missing "
      "cells are left out. Weights apply to the columns as they are; the prior is the same for all.",
      "  fovea fit logistic data.csv --target y -o posterior.json\n"
      "  fovea fit logistic data.csv --target y --predict new.csv --predictions probabilities.csv\n"
      "  fovea fit logistic data.csv --target y --ignore id,name --prior-variance 1 --json\n"
      "  fovea fit logistic data.csv --target y --oracle sampling --jit --operator logistic.operator\n");
}

}  // namespace fovea::cli
