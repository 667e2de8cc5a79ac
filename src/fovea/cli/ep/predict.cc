// SPDX-License-Identifier: Apache-2.0
// fovea predict: rows of a new table, by the posterior of a model.
#include "fovea/ep/fit/predict.h"

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"

namespace fovea::cli {
namespace {

class Predict : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.posterior_file, "POSTERIOR", "File that `fovea fit -o` wrote.");
    binder.input(job_.data_file, "DATA", "Table with the columns that the model names; - for standard input.");
    binder.options(job_.options);
    binder.options(job_.predicting, "Predicting");
    binder.options(job_.reading, "Reading tables");
    binder.options(job_.writing, "Writing tables");
  }

  void run(const Context& context) override {
    if (context.common.json && (job_.options.output.empty() || job_.options.output == "-"))
      throw UsageError("--json is a report on standard output: give the predictions a file by --output");
    const ep::PredictReport report = ep::predict(job_, run_of(context));
    context.console.clear_progress();
    if (context.common.json) context.console.out() << report.json << '\n';
  }

 private:
  ep::PredictJob job_;
};

}  // namespace

CommandEntry predict_command() {
  return command_of<Predict>(
      "predict", "Predict rows of a new table by a model that was fitted.",
      "Reads a posterior that `fovea fit -o` wrote and a new table, and draws the cells that are missing in observed "
      "columns, or in columns that the table lacks, once for each of up to 1,000 draws of the posterior. Writes the "
      "table with the mean, the standard deviation and quantiles of what was drawn, y_mean, y_sd, y_quantile_5, "
      "y_median and y_quantile_95; for a column that names members of a plate, with the probability of each, "
      "y=member.\n\n"
      "Groups that the model knows keep their effects; those of new groups are drawn from their distribution, so their "
      "predictions are wider. A censored time is drawn as the time itself. Where rows hang on other rows, as in a time "
      "series of rows, they cannot be predicted alone: give such rows to `fovea fit`, with missing cells.",
      "  fovea predict posterior.json new_schools.csv\n"
      "  fovea predict posterior.json new_schools.csv --columns y -o predictions.csv --json\n");
}

}  // namespace fovea::cli
