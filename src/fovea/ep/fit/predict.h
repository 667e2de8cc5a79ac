// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/ep/fit/model_posterior.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::ep {

struct PredictOptions {
  std::vector<std::string> columns = {};

  static void describe(auto&& visit) {
    visit(&PredictOptions::columns, option("columns",
                                           "Predict these columns in every row, also where the table has a cell; by "
                                           "default, all observed columns where a cell is missing.",
                                           "COLUMN"));
  }
};

/// Figures of one column: [row]; NaN for rows whose cell is given.
struct PredictedColumn {
  std::string name = "";
  std::vector<double> mean = {}, sd = {}, low = {}, median = {}, high = {};  ///< quantiles: 5 %, 50 %, 95 %
  /// Members, if the column names those of a plate; then the numbers above are empty.
  std::vector<std::string> members = {};
  std::vector<std::vector<double>> probabilities = {};  ///< [member][row]
};

struct Prediction {
  std::vector<PredictedColumn> columns = {};
  std::size_t draws = 0;  ///< that the figures are of
};

/// One of the columns that a prediction adds to a table: y_mean, y_sd, y_quantile_5, y_median, y_quantile_95, or
/// y=member.
struct AddedColumn {
  std::string name = "";
  const std::vector<double>* figures = nullptr;  ///< [row], of the prediction
};
std::vector<AddedColumn> added_columns(const Prediction& prediction);

/// Draws missing cells of observed columns in a new table, once for each draw of the posterior: members of plates that
/// the model was fitted to keep their numbers, new ones are drawn from their distributions, with all else that is of
/// rows. The answer does not depend on the number of threads. Ends early with fewer draws if `run.stop` requests it.
///
/// Throws InputError for a table that the model cannot be applied to, for a model in which rows hang on each other, and
/// one with whole numbers that are not of rows and were summed out; UsageError for columns that the model does not
/// predict, or if nothing is to be predicted; CancelledError and LimitError before the first draw.
Prediction predict(const ModelPosterior& posterior, const io::Table& table, const PredictOptions& options,
                   const Run& run);

/// Files of a PredictJob.
struct PredictFileOptions {
  std::string output = "", time_limit = "";

  static void describe(auto&& visit) {
    visit(
        &PredictFileOptions::output,
        output_file("output", "Table to write: the new table with the predictions; by default, standard output.", 'o'));
    visit(&PredictFileOptions::time_limit, time_limit_option());
  }
};

/// A posterior that `fovea fit` wrote, and a new table.
struct PredictJob {
  std::string posterior_file = "", data_file = "";  ///< "-" is standard input
  PredictFileOptions options = {};
  PredictOptions predicting = {};
  io::TableReadOptions reading = {};
  io::TableWriteOptions writing = {};
};

struct PredictReport {
  Prediction prediction = {};
  std::string json = "";  ///< one object: what was predicted, of how many draws
};

/// Predicts, and writes the table.
PredictReport predict(const PredictJob& job, const Run& run);

}  // namespace fovea::ep
