// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/ep/oracle/importance_sampling.h"
#include "fovea/ep/recall/just_in_time.h"
#include "fovea/ep/regression/logistic_regression.h"
#include "fovea/io/table/read_table.h"

namespace fovea::ep {

/// Method that computes the messages of rows.
enum class RowOracle { kQuadrature, kSampling };
constexpr auto words_of(RowOracle) {
  return std::array{Word{RowOracle::kQuadrature, "quadrature"}, Word{RowOracle::kSampling, "sampling"}};
}

/// The columns, files and messages of a LogisticJob.
struct LogisticFileOptions {
  std::string target = "y";
  std::vector<std::string> columns = {}, ignore = {};
  bool no_intercept = false;
  std::string predict = "", predictions = "", time_limit = "", output = "", operator_file = "", report_html = "";
  RowOracle oracle = RowOracle::kQuadrature;
  bool jit = false;

  static void describe(auto&& visit) {
    using O = LogisticFileOptions;
    visit(&O::target, option("target", "The column to explain: 0 or 1, 1 or 2, false or true, no or yes."));
    visit(&O::columns, option("columns", "Explain by these columns alone; by default, by all others.", "COLUMN"));
    visit(&O::ignore, option("ignore", "Columns to leave out, such as ids.", "COLUMN"));
    visit(&O::no_intercept, option("no-intercept", "Leave out the intercept, a weight for the constant 1."));
    visit(&O::predict, input_file("predict",
                                  "Table with the same columns, except the target: predict the probability that the "
                                  "target is 1, for each row."));
    visit(&O::predictions, output_file("predictions", "File for the predictions; - or none is standard output."));
    visit(&O::time_limit, time_limit_option());
    visit(&O::output,
          output_file("output", "File for the posterior as JSON; none: only option 'json' prints it.", 'o'));
    visit(&O::oracle, option("oracle", "Method that computes the messages of rows."));
    visit(&O::jit, option("jit", "Recall messages when the prediction can be trusted."));
    visit(&O::report_html, output_file("report-html",
                                       "Also write a page for people: the weights, how probabilities compare with the "
                                       "rows, and how far recalled messages can be trusted. It needs no network."));
    visit(&O::operator_file, output_file("operator",
                                         "File with what was learned of these messages before, if it exists; what is "
                                         "learned now is written to it. Implies option 'jit'."));
  }
};

/// A table, and the fit of one of its columns by Bayesian logistic regression.
struct LogisticJob {
  std::string file = "";  ///< "-" is standard input
  LogisticFileOptions options = {};
  LogisticRegressionOptions fitting = {};
  JustInTimeOptions recall = {};
  ImportanceSamplingOptions sampling = {};
  io::TableReadOptions reading = {};
};

/// Result of a LogisticJob.
struct LogisticReport {
  std::string text;  ///< a table of weights
  std::string json;  ///< the posterior: one object
};

/// Fits, and writes the posterior, predictions and what was learned of messages if the job asks for them. Notes what
/// was done to the table that its user may not expect, and warns if the fit did not converge. Throws InputError
/// (file:line) for unreadable input, and UsageError for invalid options.
LogisticReport fit_table(LogisticJob job, const Run& run);

}  // namespace fovea::ep
