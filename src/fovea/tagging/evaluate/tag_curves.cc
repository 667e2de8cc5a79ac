// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/tag_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/decode/planner.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/exact/viterbi.h"

namespace fovea::tagging {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::array kPaperSweeps = {1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 4.0, 8.0};  // budgets of the paper's figures
constexpr double kExactSecondsPerToken = 1e-3;                                 // beyond, exact decoding is left out
constexpr double kSecondsPerFlop = 1e-9;

/// The settings worth a point in the picture, from cheap to expensive within each method.
class Settings {
 public:
  /// `restart_rate`: that of a model of the strong Doeblin family, otherwise 0.
  Settings(const sequence::LabelNgrams& ngrams, const sequence::Policy* policy, double restart_rate)
      : ngrams_(ngrams), policy_(policy) {
    add_exact();
    for (const int width : {1, 2, 4, 8, 16})
      add({.method = sequence::DecodeMethod::kBeam, .beam_width = width}, 0, fmt::format("width {}", width));
    for (const sequence::DecodeStart start : {sequence::DecodeStart::kUnigram, sequence::DecodeStart::kChain})
      if (has_start(start)) add_walks(start);
    for (const double sweeps : kPaperSweeps)
      add({.method = sequence::DecodeMethod::kGibbs,
           .start = sequence::DecodeStart::kRandom,
           .sweeps = sweeps,
           .order = sequence::SweepOrder::kLeftToRight},
          sweeps, fmt::format("{} sweeps, left to right", sweeps));
    if (restart_rate > 0) add_restarts(restart_rate);
    if (policy) add_queues();
    add({.method = sequence::DecodeMethod::kAuto}, 0, "as planned");
  }

  std::vector<TagCurvePoint> rows;

 private:
  void add(sequence::DecodeOptions options, double sweeps_budget, std::string setting) {
    TagCurvePoint row;
    row.options = std::move(options);
    row.sweeps_budget = sweeps_budget;
    row.setting = std::move(setting);
    rows.push_back(std::move(row));
  }

  bool has_start(sequence::DecodeStart start) const {
    return start == sequence::DecodeStart::kUnigram || ngrams_.factor_size() == 2 ||
           (policy_ && !policy_->pair_chain_start.empty());
  }

  void add_exact() {
    constexpr std::size_t kLength = 25;
    if (sequence::viterbi_bytes(ngrams_, 4 * kLength) > sequence::Viterbi::kMaxBytes) return;
    if (sequence::viterbi_flops(ngrams_, kLength) / kLength * kSecondsPerFlop > kExactSecondsPerToken) return;
    add({.method = sequence::DecodeMethod::kExact}, 0, "");
  }

  void add_walks(sequence::DecodeStart start) {
    for (const double sweeps : {0.0, 1.0, 2.0, 4.0})
      add({.method = sequence::DecodeMethod::kIcm, .start = start, .sweeps = sweeps}, 0,
          fmt::format("{} sweeps", sweeps));
    for (const double sweeps : {1.0, 2.0, 4.0, 8.0, 16.0})
      add({.method = sequence::DecodeMethod::kGibbs, .start = start, .sweeps = sweeps}, 0,
          fmt::format("{} sweeps, colour order", sweeps));
    if (!policy_) return;
    for (const sequence::VisitKind visit : {sequence::VisitKind::kBest, sequence::VisitKind::kSample})
      for (const double threshold : {.5, .1, .05, .02, .01, .002})
        add({.method = sequence::DecodeMethod::kLearned, .start = start, .visit = visit, .threshold = threshold}, 0,
            fmt::format("rounds, {}, threshold {}", word_of(visit), threshold));
    for (const sequence::DecodeAnswer answer : {sequence::DecodeAnswer::kBest, sequence::DecodeAnswer::kMarginal})
      for (const double prune : {.1, .05, .02, .005})
        add({.method = sequence::DecodeMethod::kLearned,
             .start = start,
             .answer = answer,
             .visit = sequence::VisitKind::kJoint,
             .prune = prune,
             .threshold = .02},
            0, fmt::format("joint, {}, prune {}", word_of(answer), prune));
  }

  void add_queues() {
    for (const sequence::LearnedSchedule schedule :
         {sequence::LearnedSchedule::kHeap, sequence::LearnedSchedule::kBuckets})
      for (const double sweeps : kPaperSweeps)
        add({.method = sequence::DecodeMethod::kLearned,
             .start = sequence::DecodeStart::kRandom,
             .sweeps = sweeps,
             .schedule = schedule,
             .threshold = -1e9},
            sweeps, fmt::format("{}, {} sweeps", word_of(schedule), sweeps));
  }

  void add_restarts(double rate) {
    for (const int runs : {4, 8, 16, 32}) {
      add({.method = sequence::DecodeMethod::kDoeblin, .restart_rate = rate, .runs = runs}, 0,
          fmt::format("{} runs", runs));
      add({.method = sequence::DecodeMethod::kDoeblin, .restart_rate = rate, .runs = runs, .settled = 2}, 0,
          fmt::format("at most {} runs, settled 2", runs));
    }
  }

  const sequence::LabelNgrams& ngrams_;
  const sequence::Policy* policy_;
};

class CurveTracer {
 public:
  CurveTracer(const TaggerModel& model, const sequence::Policy* policy, const TaggingData& data, const Random& random)
      : ngrams_(model.weights.label_ngrams()),
        policy_(policy),
        data_(data),
        label_sequences_(ngrams_),
        random_(random) {
    if (model.restart_rate > 0) pairs_ = model.weights.label_pairs();
    const auto start = Clock::now();
    score_encoded(data.set.items, model.weights, label_sequences_);
    score_seconds_ = seconds_since(start);
  }

  const sequence::LabelNgrams& ngrams() const { return ngrams_; }
  double score_seconds() const { return score_seconds_; }

  /// Measures one setting. The first repetition also records its results.
  void run(TagCurvePoint& row) {
    const sequence::DecodeOptions options = sequence::plan(ngrams_, policy_, row.options).options;
    if (row.options.method == sequence::DecodeMethod::kAuto)
      row.setting = fmt::format("chose {}", word_of(options.method));
    sequence::SequenceDecoder decoder(ngrams_, policy_, options, {}, pairs_ ? &*pairs_ : nullptr);
    Run run = {.random = random_.child("bench")};
    if (row.sweeps_budget > 0)
      run.budget.transitions = std::floor(row.sweeps_budget * static_cast<double>(label_sequences_.token_count()));
    decoder.decode(label_sequences_, run, result_);
    if (row.seconds.empty()) score(row);
    row.seconds.push_back(result_.start_seconds + result_.decode_seconds);
  }

 private:
  void score(TagCurvePoint& row) {
    const auto items = static_cast<double>(label_sequences_.token_count());
    const TaggingMetrics metrics = score_labeling(data_, label_sequences_, result_.labels);
    row.accuracy = metrics.accuracy();
    row.f1 = metrics.has_entities() ? metrics.entities().f1() : 0;
    row.visits_per_item = static_cast<double>(result_.work.transitions) / items;
    row.mean_score = label_sequences_.log_score(result_.labels) / items;
  }

  sequence::LabelNgrams ngrams_;
  std::optional<sequence::LabelNgrams> pairs_;  // that chains restart from
  const sequence::Policy* policy_;
  const TaggingData& data_;
  sequence::LabelSequences label_sequences_;
  Random random_;
  sequence::DecodeResult result_;
  double score_seconds_ = 0;
};

void require_gold(const TaggingData& data) {
  const auto known = [&](Value label) { return label < data.set.label_count; };
  if (std::none_of(data.set.labels.begin(), data.set.labels.end(), known))
    throw InputError({}, "no item has a label that the model knows", "Give data whose last column is the gold label");
}

void keep_methods(const std::vector<sequence::DecodeMethod>& methods, std::vector<TagCurvePoint>& rows) {
  if (methods.empty()) return;
  std::erase_if(rows, [&](const TagCurvePoint& row) {
    return std::find(methods.begin(), methods.end(), row.options.method) == methods.end();
  });
  if (rows.empty()) throw UsageError("option 'methods' leaves none of exact, beam, icm, gibbs, learned, doeblin, auto");
}

}  // namespace

TagCurves trace_curves(const TaggerModel& model, const sequence::Policy* policy, const TaggingData& data,
                       const TagCurveOptions& options, const Random& random, const ProgressFunction& progress,
                       const CancelToken* cancel) {
  validate(options);
  require_gold(data);
  CurveTracer bencher(model, policy, data, random);
  TagCurves bench{.items = data.token_count(),
                  .sequences = data.sequence_count(),
                  .has_entities = false,
                  .score_seconds = bencher.score_seconds(),
                  .rows = Settings(bencher.ngrams(), policy, model.restart_rate).rows};
  keep_methods(options.methods, bench.rows);
  const std::size_t runs = bench.rows.size() * static_cast<std::size_t>(options.repetitions);
  const auto start = Clock::now();
  for (std::size_t i = 0; i < runs; ++i) {
    if (cancel && cancel->cancelled()) throw CancelledError("interrupted before every method was measured");
    TagCurvePoint& row = bench.rows[i % bench.rows.size()];
    bencher.run(row);
    if (progress)
      progress({.phase = "measuring",
                .done = static_cast<double>(i + 1),
                .total = static_cast<double>(runs),
                .seconds = seconds_since(start),
                .figure = "accuracy",
                .value = row.accuracy});
  }
  for (TagCurvePoint& row : bench.rows) std::sort(row.seconds.begin(), row.seconds.end());
  bench.has_entities = std::any_of(bench.rows.begin(), bench.rows.end(), [](const auto& r) { return r.f1 > 0; });
  return bench;
}

TagCurves TagCurves::cheapest(double margin) const {
  const auto quality = [&](const TagCurvePoint& row) { return has_entities ? row.f1 : row.accuracy; };
  const auto same_method = [](const TagCurvePoint& a, const TagCurvePoint& b) {
    return a.options.method == b.options.method && a.options.start == b.options.start;
  };
  TagCurves result = *this;
  result.rows.clear();
  for (const TagCurvePoint& row : rows) {
    double best = 0;
    for (const TagCurvePoint& other : rows)
      if (same_method(row, other)) best = std::max(best, quality(other));
    if (quality(row) < best - margin) continue;
    const auto kept = std::find_if(result.rows.begin(), result.rows.end(),
                                   [&](const TagCurvePoint& other) { return same_method(row, other); });
    if (kept == result.rows.end()) result.rows.push_back(row);
    else if (row.median_seconds() < kept->median_seconds()) *kept = row;
  }
  return result;
}

std::string TagCurves::table() const {
  std::string text = fmt::format("{} items in {} sequences; scoring their attributes took {:.3f} s, not included\n\n",
                                 items, sequences, score_seconds);
  text += fmt::format("{:<8} {:<8} {:<28} {:>12} {:>9} {:>8} {:>8} {:>12} {:>9}\n", "method", "start", "setting",
                      "visits/item", "accuracy", "F1", "score", "seconds", "ns/item");
  for (const TagCurvePoint& row : rows) {
    const bool starts = visits_sites(row.options.method) && row.options.method != sequence::DecodeMethod::kAuto;
    text +=
        fmt::format("{:<8} {:<8} {:<28} {:>12.3f} {:>9.2f} {:>8} {:>8.4f} {:>12.6f} {:>9.1f}\n",
                    word_of(row.options.method), starts ? word_of(row.options.start) : "", row.setting,
                    row.visits_per_item, 100 * row.accuracy, has_entities ? fmt::format("{:.2f}", 100 * row.f1) : "",
                    row.mean_score, row.median_seconds(), 1e9 * row.median_seconds() / static_cast<double>(items));
  }
  return text;
}

std::string TagCurves::csv() const {
  std::string text = "method,start,setting,sweeps_budget,visits_per_item,accuracy,f1,score,seconds,fastest,slowest\n";
  for (const TagCurvePoint& row : rows)
    text += fmt::format("{},{},\"{}\",{},{},{},{},{},{},{},{}\n", word_of(row.options.method),
                        word_of(row.options.start), row.setting, row.sweeps_budget, row.visits_per_item, row.accuracy,
                        row.f1, row.mean_score, row.median_seconds(), row.seconds.front(), row.seconds.back());
  return text;
}

std::string TagCurves::json() const {
  Json json = {{"items", items}, {"sequences", sequences}, {"score_seconds", score_seconds}, {"rows", Json::array()}};
  for (const TagCurvePoint& row : rows)
    json["rows"].push_back({{"method", word_of(row.options.method)},
                            {"start", word_of(row.options.start)},
                            {"setting", row.setting},
                            {"options", Json::parse(options_json(row.options))},
                            {"sweeps_budget", row.sweeps_budget},
                            {"visits_per_item", row.visits_per_item},
                            {"accuracy", row.accuracy},
                            {"f1", has_entities ? Json(row.f1) : Json(nullptr)},
                            {"score", row.mean_score},
                            {"seconds", row.median_seconds()},
                            {"seconds_of_runs", row.seconds}});
  return json.dump();
}

}  // namespace fovea::tagging
