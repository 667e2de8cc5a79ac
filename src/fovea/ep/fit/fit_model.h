// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/ep/fit/model_draws.h"
#include "fovea/ep/fit/model_posterior.h"
#include "fovea/ep/fit/simulation_check.h"
#include "fovea/ep/language/formula.h"
#include "fovea/io/table/read_table.h"

namespace fovea::ep {

/// A model and what it is fitted to.
struct ModelProblem {
  std::string model = "";            ///< text of a model, or a formula (is_formula)
  std::string name = "the model";    ///< for messages
  const io::Table* table = nullptr;  ///< may be missing
  std::map<std::string, double> numbers = {};
  ResponseFamily family = ResponseFamily::kNormal;  ///< of a formula
};

struct FittedModel {
  ModelPosterior posterior = {};  ///< for predictions; has the model's text, also of a formula
  ModelDraws draws = {};
};

/// Draws from the posterior. Warns if chains have not mixed, or have diverged. Rows that lack a cell of a formula are
/// left out, with a note. Throws InputError for a faulty model or table, UsageError for numbers that the model does not
/// name, LimitError if the time was over before there was anything to tell.
FittedModel fit_model(const ModelProblem& problem, const ModelDrawOptions& options, const Run& run);

/// Checks the model on data sets drawn from its prior (check_by_simulation()); rows and columns without a distribution
/// are those of the table. Throws and warns as above.
SimulationCheck check_model(const ModelProblem& problem, int data_sets, const ModelDrawOptions& options,
                            const Run& run);

/// The files of a ModelJob.
struct ModelFileOptions {
  ResponseFamily family = ResponseFamily::kNormal;
  bool show_model = false;
  std::optional<int> check = {};
  std::vector<std::string> given = {};
  std::string output = "", draws_file = "", report_html = "", time_limit = "";

  static void describe(auto&& visit) {
    using O = ModelFileOptions;
    visit(&O::family, option("family", "Distribution of the left side of a formula."));
    visit(&O::show_model, option("show-model", "Only print the model that is written for a formula."));
    visit(&O::check,
          number_in(10, 1'000'000, "check",
                    "Instead of fitting the data, check the answers that the model gets: draw this many data sets from "
                    "its prior, fit each, and say whether true numbers have uniform ranks among the draws."));
    visit(&O::given,
          option("given", "Numbers that the model names and the table does not have, such as scale=5.", "NAME=NUMBER"));
    visit(&O::output, output_file("output", "File for the posterior as JSON, which `fovea predict` reads.", 'o'));
    visit(&O::draws_file, output_file("draws-file", "File for all draws as CSV, which `fovea diagnose` reads."));
    visit(&O::report_html, output_file("report-html",
                                       "Also write a page for people: the posterior and its draws, and what the model "
                                       "predicts for the cells that it was fitted to. It needs no network."));
    visit(&O::time_limit, time_limit_option());
  }
};

/// A model in a file, or a formula (is_formula), and a table to fit it to.
struct ModelJob {
  std::string model = "", data_file = "";  ///< "-" is standard input; an empty data_file stands for no table
  ModelFileOptions options = {};
  ModelDrawOptions drawing = {};
  io::TableReadOptions reading = {};
};

/// Result of a ModelJob.
struct ModelReport {
  ModelDraws draws = {};  ///< none of a check
  std::string text =
      {};  ///< a table of the variables' means, standard deviations and quantiles; or the model, if asked for
  std::string json = {};  ///< the same and more: one object
};

/// Fits, and writes the files that the job asks for. Throws and warns as above; also InputError for unreadable files,
/// and UsageError for invalid options.
ModelReport fit_model(const ModelJob& job, const Run& run);

}  // namespace fovea::ep
