// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/ep/recall/operator_file.h"

namespace fovea::ep {
namespace {

constexpr double kSdsTo95 = 1.6448536269514722;  // 5 % and 95 % quantiles of a Gaussian lie that far from its mean

void add_fit(const LogisticColumns& columns, const LogisticData& data, const LogisticRegressionFit& fit,
             report::Page& page) {
  page.add_facts("Fit", {{"target", columns.target},
                         {"value whose probability is modelled", columns.positive},
                         {"rows", data.rows()},
                         {"log evidence", fit.log_evidence},
                         {"iterations", fit.iterations},
                         {"messages that were computed", fit.messages}});
  if (!fit.has_converged) page.add_note("Not converged: the weights may still move.", true);
  const std::vector<double> mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
  report::TableOfCells table = {.title = "Weights",
                                .columns = {"weight", "mean", "sd", "5 %", "95 %", "distance from 0, in sds"}};
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double sd = std::sqrt(covariance[i * (mean.size() + 1)]);
    table.rows.push_back({columns.terms[i].name(), mean[i], sd, mean[i] - kSdsTo95 * sd, mean[i] + kSdsTo95 * sd,
                          std::abs(mean[i]) / sd});
  }
  page.add(table);
}

/// Rows of a probability against the share of them that have the value.
void add_predictive_check(const LogisticData& data, const LogisticRegressionFit& fit, report::Page& page) {
  constexpr std::size_t kBins = 10;
  struct Bin {
    double rows = 0, probability = 0, positive = 0;
  };
  std::array<Bin, kBins> bins;
  const LogisticPredictor predictor(fit.posterior);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double p = predictor.probability(data.row(row));
    Bin& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(p * kBins))];
    bin.rows += 1;
    bin.probability += p;
    bin.positive += data.labels[row] ? 1 : 0;
  }
  report::Chart chart = {.title = "Predictive check",
                         .about =
                             "Of the rows that it was fitted to, with a probability of p, a share p has the value if "
                             "the model fits.",
                         .x = "mean probability",
                         .y = "share that has the value",
                         .series = {{"rows", {}}},
                         .diagonal = true};
  report::TableOfCells table = {.title = "The same in numbers",
                                .columns = {"probability", "rows", "mean probability", "share that has the value"}};
  for (std::size_t b = 0; b < kBins; ++b) {
    const Bin& bin = bins[b];
    if (bin.rows == 0) continue;
    chart.series[0].points.push_back({bin.probability / bin.rows, bin.positive / bin.rows});
    table.rows.push_back(
        {fmt::format("{:.1f} to {:.1f}", static_cast<double>(b) / kBins, static_cast<double>(b + 1) / kBins), bin.rows,
         bin.probability / bin.rows, bin.positive / bin.rows});
  }
  page.add(chart);
  page.add(table);
}

/// Held-out messages of one kind, by how doubtful they were and how far they erred.
void add_held_out(const LearnedOperator& learned, const LearnedOperator::Part& part, report::Page& page) {
  constexpr double kLeast = 1e-12;  // of a logarithmic axis
  UncertaintyLimit limit = limit_of(learned.options);
  report::Chart chart = {.title = fmt::format("Trust in messages to variable {}", part.kind.slot),
                         .x = "doubt of the prediction",
                         .y = "error: marginal KL",
                         .series = {{"held-out messages", {}}, {"largest trusted doubt", {}}, {"allowed error", {}}},
                         .dots = true,
                         .log_x = true,
                         .log_y = true};
  std::array<double, 2> doubts = {INFINITY, 0}, errors = {learned.options.max_marginal_kl, kLeast};
  for (const UncertaintyLimit::HeldOutMessage& held_out : part.cases) {
    limit.add(held_out);
    const double doubt = std::max(held_out.doubt, kLeast), error = std::max(held_out.error, kLeast);
    if (!std::isfinite(doubt) || !std::isfinite(error)) continue;
    chart.series[0].points.push_back({doubt, error});
    doubts = {std::min(doubts[0], doubt), std::max(doubts[1], doubt)};
    errors = {std::min(errors[0], error), std::max(errors[1], error)};
  }
  if (chart.series[0].points.empty()) return;
  if (std::isfinite(limit.value()) && limit.value() > 0)
    chart.series[1] = {"largest trusted doubt", {{limit.value(), errors[0]}, {limit.value(), errors[1]}}, true};
  const double allowed = learned.options.max_marginal_kl;
  chart.series[2] = {"allowed error", {{doubts[0], allowed}, {doubts[1], allowed}}, true};
  chart.about = fmt::format(
      "Messages that were predicted before they were learned, of {} examples. Predictions with a doubt "
      "below {:.3g} are recalled; right of it the oracle is asked.",
      part.seen, limit.value());
  page.add(chart);
}

void add_recall(const JustInTime& recall, report::Page& page) {
  const RecallCounts counts = recall.counts();
  page.add_facts("Recalling messages", {{"messages", counts.messages},
                                        {"of these, recalled", counts.recalled},
                                        {"recalled messages that were audited", counts.audits},
                                        {"audits that failed", counts.failed_audits},
                                        {"messages that cannot be learned", counts.unlearnable},
                                        {"seconds of the oracle", counts.oracle_seconds},
                                        {"seconds of recall", counts.recall_seconds},
                                        {"seconds of learning", counts.learning_seconds}});
  if (counts.is_off) page.add_note("Recall was given up: the oracle is as fast.");
  const LearnedOperator learned = learned_operator(recall);
  for (const LearnedOperator::Part& part : learned.parts) add_held_out(learned, part, page);
}

}  // namespace

report::Page logistic_page(const std::string& table, const LogisticColumns& columns, const LogisticData& data,
                           const LogisticRegressionFit& fit, const JustInTime* recall) {
  report::Page page("Logistic regression", table);
  add_fit(columns, data, fit, page);
  add_predictive_check(data, fit, page);
  if (recall) add_recall(*recall, page);
  return page;
}

}  // namespace fovea::ep
