// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/evaluation_page.h"

#include <algorithm>

#include "fovea/report/page.h"

namespace fovea::tagging {
namespace {

constexpr std::size_t kPointsOfACurve = 200, kMostConfusions = 10'000;

void add_scores(const ScoredTagging& tagging, int bins, report::Page& page) {
  const TaggingMetrics& metrics = tagging.metrics;
  std::vector<std::pair<std::string, report::Json>> rows = {
      {"items", metrics.tokens()},
      {"accuracy", metrics.accuracy()},
      {"sentences", metrics.sentences().size()},
      {"sentences without a mistake", metrics.correct_sentences()}};
  if (metrics.has_entities()) {
    rows.emplace_back("F1 of entities", metrics.entities().f1());
    rows.emplace_back("precision of entities", metrics.entities().precision());
    rows.emplace_back("recall of entities", metrics.entities().recall());
  }
  if (tagging.calibration) {
    rows.emplace_back("calibration error", tagging.calibration->expected_calibration_error(bins));
    if (const auto loss = tagging.calibration->negative_log_likelihood()) rows.emplace_back("-log p of an item", *loss);
    if (const auto brier = tagging.calibration->brier_score()) rows.emplace_back("Brier score", *brier);
  }
  page.add_facts("Scores", rows);
  for (const std::string& remark : metrics.remarks()) page.add_note(remark, true);
}

void add_counts(const std::string& title, const std::string& name, const TaggingMetrics::CountsByName& counts,
                report::Page& page) {
  report::TableOfCells table = {.title = title,
                                .about = "",
                                .columns = {name, "gold", "predicted", "correct", "precision", "recall", "F1"},
                                .rows = {}};
  for (const auto& [label, count] : counts)
    table.rows.push_back(
        {label, count.gold, count.predicted, count.correct, count.precision(), count.recall(), count.f1()});
  page.add(table);
}

void add_confusions(const TaggingMetrics& metrics, report::Page& page) {
  report::TableOfCells table = {
      .title = "Mistakes", .about = "", .columns = {"gold", "predicted", "items"}, .rows = {}};
  for (const TaggingMetrics::Confusion& confusion : metrics.confusions()) {
    if (confusion.gold == confusion.predicted) continue;
    if (table.rows.size() == kMostConfusions) break;
    table.rows.push_back({std::string(confusion.gold), std::string(confusion.predicted), confusion.tokens});
  }
  if (table.rows.empty()) return page.add_note("No item has a wrong label.");
  page.add(table);
}

void add_reliability(const Calibration& calibration, int bins, report::Page& page) {
  report::Chart chart = {.title = "Reliability",
                         .about =
                             "Share of right labels among items of a confidence. On the line, items of confidence p "
                             "are right in a share p of the cases.",
                         .x = "mean confidence",
                         .y = "share right",
                         .series = {{"items", {{0, 0}, {1, 1}}}},
                         .diagonal = true,
                         .threshold = {}};
  chart.series[0].points.clear();
  for (const Calibration::Bin& bin : calibration.bins(bins))
    if (bin.items > 0) chart.series[0].points.push_back({bin.mean_confidence, bin.accuracy});
  page.add(chart);
}

void add_risk(const Calibration& calibration, report::Page& page) {
  report::Chart chart = {.title = "Risk and coverage",
                         .about = "Share of wrong labels among the surest items.",
                         .x = "share of items, the surest first",
                         .y = "share wrong",
                         .series = {{"items", {}}},
                         .threshold = {}};
  const RiskCurve curve = calibration.risk_curve();
  const std::size_t items = calibration.items(), points = std::min(items, kPointsOfACurve);
  for (std::size_t p = 1; p <= points; ++p) {
    const std::size_t count = items * p / points;
    chart.series[0].points.push_back({static_cast<double>(count) / static_cast<double>(items), curve.risk(count)});
  }
  page.add(chart);
}

}  // namespace

void write_evaluation_page(const std::string& path, const std::string& file, const ScoredTagging& tagging, int bins) {
  report::Page page("Evaluation of tags", file.empty() ? "-" : file);
  add_scores(tagging, bins, page);
  if (tagging.metrics.has_entities()) add_counts("Entities", "type", tagging.metrics.entity_types(), page);
  add_counts("Labels", "label", tagging.metrics.labels(), page);
  add_confusions(tagging.metrics, page);
  if (tagging.calibration && tagging.calibration->items() > 0) {
    add_reliability(*tagging.calibration, bins, page);
    add_risk(*tagging.calibration, page);
  }
  page.write(path);
}

}  // namespace fovea::tagging
