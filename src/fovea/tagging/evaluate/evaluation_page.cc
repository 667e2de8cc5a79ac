// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/evaluation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "fovea/tagging/stream/tagged_page.h"

namespace fovea::tagging {
namespace {

using report::Cell;

constexpr std::size_t kPointsOfACurve = 200, kMostConfusions = 10'000;

std::vector<std::string> texts(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

bool has_mistake(const TaggedSentence& sentence) {
  for (std::size_t t = 0; t < sentence.gold.size(); ++t)
    if (sentence.is_known[t] && sentence.gold[t] != sentence.predicted[t]) return true;
  return false;
}

/// A page of one evaluation.
class EvaluationPage {
 public:
  EvaluationPage(const ShownEvaluation& shown, int bins)
      : shown_(shown), bins_(bins), page_("Evaluation of tags", names()) {}

  report::Page page() && {
    add_scores();
    const auto has_entities = [](const ShownTagging& one) { return one.scored.metrics.has_entities(); };
    if (std::ranges::all_of(shown_.taggings, has_entities))
      add_counts("Entities", "type", [](const TaggingMetrics& metrics) { return metrics.entity_types(); });
    add_counts("Labels", "label", [](const TaggingMetrics& metrics) { return metrics.labels(); });
    for (const ShownTagging& one : shown_.taggings) add_confusions(one);
    if (!shown_.mistakes.sentences.empty()) page_.add(shown_.mistakes);
    const auto has_probabilities = [](const ShownTagging& one) {
      return one.scored.calibration && one.scored.calibration->items() > 0;
    };
    if (std::ranges::any_of(shown_.taggings, has_probabilities)) {
      add_reliability();
      add_risk();
    }
    return std::move(page_);
  }

 private:
  bool has_two() const { return shown_.taggings.size() == 2; }

  std::string names() const {
    return has_two() ? shown_.taggings[0].name + " against " + shown_.taggings[1].name : shown_.taggings[0].name;
  }

  void add_scores() {
    report::TableOfCells table = {.title = "Scores", .columns = {"score"}};
    for (const ShownTagging& one : shown_.taggings) table.columns.push_back(has_two() ? one.name : "value");
    const auto add = [&](const char* name, const std::function<Cell(const ScoredTagging&)>& score) {
      std::vector<Cell> row = {name};
      for (const ShownTagging& one : shown_.taggings) row.push_back(score(one.scored));
      if (std::ranges::any_of(row.begin() + 1, row.end(), [](const Cell& cell) { return !cell.is_empty(); }))
        table.rows.push_back(std::move(row));
    };
    const auto of_entities = [](auto score) {
      return [score](const ScoredTagging& one) {
        return one.metrics.has_entities() ? Cell(score(one.metrics.entities())) : Cell();
      };
    };
    const auto known = [](const std::optional<double>& value) { return value ? Cell(*value) : Cell(); };
    add("items", [](const ScoredTagging& one) { return one.metrics.tokens(); });
    add("accuracy", [](const ScoredTagging& one) { return one.metrics.accuracy(); });
    add("sentences", [](const ScoredTagging& one) { return one.metrics.sentences().size(); });
    add("sentences without a mistake", [](const ScoredTagging& one) { return one.metrics.correct_sentences(); });
    add("F1 of entities", of_entities([](const MatchCounts& counts) { return counts.f1(); }));
    add("precision of entities", of_entities([](const MatchCounts& counts) { return counts.precision(); }));
    add("recall of entities", of_entities([](const MatchCounts& counts) { return counts.recall(); }));
    add("calibration error", [&](const ScoredTagging& one) {
      return one.calibration ? Cell(one.calibration->expected_calibration_error(bins_)) : Cell();
    });
    add("-log p of an item", [&](const ScoredTagging& one) {
      return one.calibration ? known(one.calibration->negative_log_likelihood()) : Cell();
    });
    add("Brier score",
        [&](const ScoredTagging& one) { return one.calibration ? known(one.calibration->brier_score()) : Cell(); });
    page_.add(table);
    if (shown_.difference) page_.add_note(fmt::format("{}: {}", shown_.score, shown_.difference->brief()));
    for (const ShownTagging& one : shown_.taggings)
      for (const std::string& remark : one.scored.metrics.remarks()) page_.add_note(one.name + ": " + remark, true);
  }

  void add_counts(const std::string& title, const std::string& name,
                  const std::function<TaggingMetrics::CountsByName(const TaggingMetrics&)>& counts_of) {
    report::TableOfCells table = {.title = title, .columns = {name, "gold"}};
    std::map<std::string, std::vector<Cell>> rows;
    for (std::size_t i = 0; i < shown_.taggings.size(); ++i) {
      const std::string after = has_two() ? fmt::format(" ({})", shown_.taggings[i].name) : "";
      for (const char* column : {"predicted", "correct", "precision", "recall", "F1"})
        table.columns.push_back(column + after);
      for (const auto& [label, count] : counts_of(shown_.taggings[i].scored.metrics)) {
        std::vector<Cell>& row =
            rows.try_emplace(std::string(label), std::vector<Cell>{label, count.gold}).first->second;
        row.resize(2 + 5 * i);  // a label that the other tagging does not use
        for (const Cell& cell : {Cell(count.predicted), Cell(count.correct), Cell(count.precision()),
                                 Cell(count.recall()), Cell(count.f1())})
          row.push_back(cell);
      }
    }
    for (auto& [label, row] : rows) {
      row.resize(table.columns.size());
      table.rows.push_back(std::move(row));
    }
    page_.add(table);
  }

  void add_confusions(const ShownTagging& one) {
    const std::string of = has_two() ? " of " + one.name : "";
    report::TableOfCells table = {.title = "Mistakes" + of, .columns = {"gold", "predicted", "items"}};
    for (const TaggingMetrics::Confusion& confusion : one.scored.metrics.confusions()) {
      if (confusion.gold == confusion.predicted) continue;
      if (table.rows.size() == kMostConfusions) break;
      table.rows.push_back({std::string(confusion.gold), std::string(confusion.predicted), confusion.tokens});
    }
    if (table.rows.empty()) return page_.add_note("No item has a wrong label" + of + ".");
    page_.add(table);
  }

  void add_reliability() {
    report::Chart chart = {.title = "Reliability",
                           .about =
                               "Share of right labels among items of a confidence. On the line, items of confidence p "
                               "are right in a share p of the cases.",
                           .x = "mean confidence",
                           .y = "share right",
                           .diagonal = true};
    for (const ShownTagging& one : shown_.taggings) {
      if (!one.scored.calibration) continue;
      report::Chart::Series& series = chart.series.emplace_back(report::Chart::Series{one.name, {}});
      for (const Calibration::Bin& bin : one.scored.calibration->bins(bins_))
        if (bin.items > 0) series.points.push_back({bin.mean_confidence, bin.accuracy});
    }
    page_.add(chart);
  }

  void add_risk() {
    report::Chart chart = {.title = "Risk and coverage",
                           .about = "Share of wrong labels among the surest items.",
                           .x = "share of items, the surest first",
                           .y = "share wrong",
                           .series = {}};
    for (const ShownTagging& one : shown_.taggings) {
      if (!one.scored.calibration) continue;
      report::Chart::Series& series = chart.series.emplace_back(report::Chart::Series{one.name, {}});
      const RiskCurve curve = one.scored.calibration->risk_curve();
      const std::size_t items = one.scored.calibration->items(), points = std::min(items, kPointsOfACurve);
      for (std::size_t p = 1; p <= points; ++p) {
        const std::size_t count = items * p / points;
        series.points.push_back({static_cast<double>(count) / static_cast<double>(items), curve.risk(count)});
      }
    }
    page_.add(chart);
  }

  const ShownEvaluation& shown_;
  int bins_;
  report::Page page_;
};

}  // namespace

void MistakenSentences::add(const TaggedSentence& sentence, const TaggedSentence* other) {
  if (!has_mistake(sentence) && !(other && has_mistake(*other))) return;
  if (++count_ > kMostMistakenSentences) return;
  report::TaggedText::Sentence& shown = text_.sentences.emplace_back();
  shown.words = texts(sentence.words);
  shown.labels = texts(sentence.predicted);
  shown.probabilities = sentence.probabilities;
  shown.gold = texts(sentence.gold);
  for (std::size_t t = 0; t < shown.gold.size(); ++t)
    if (!sentence.is_known[t]) shown.gold[t].clear();
  if (other) shown.others = texts(other->predicted);
  labels_.insert(shown.labels.begin(), shown.labels.end());
}

report::TaggedText MistakenSentences::text(const std::string& name, const std::string& other_name) && {
  text_.title = "Sentences with mistakes";
  text_.about =
      fmt::format("{}Labels are those of {}; wrong ones have a dashed frame.",
                  count_ > text_.sentences.size() ? fmt::format("The first {} of {}. ", text_.sentences.size(), count_)
                                                  : std::string(),
                  name);
  text_.kinds = kinds_of_labels(std::vector<std::string>(labels_.begin(), labels_.end()));
  text_.name = name;
  text_.other_name = other_name;
  return std::move(text_);
}

report::Page evaluation_page(const ShownEvaluation& shown, int bins) { return EvaluationPage(shown, bins).page(); }

}  // namespace fovea::tagging
