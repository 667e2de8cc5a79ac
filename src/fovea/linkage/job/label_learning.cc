// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/label_learning.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/components/pair_calibration.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/comparison_meter.h"
#include "fovea/linkage/matching/labelled_pairs.h"

namespace fovea::linkage {
namespace {

constexpr double kLeastGain = .001;  // of pair F1 on held-out clusters: less is noise

std::vector<Level> levels_of(std::span<const Comparison> comparisons, RowPair pair) {
  std::vector<Level> levels;
  for (const Comparison& comparison : comparisons) levels.push_back(comparison.compare(pair.first, pair.second));
  return levels;
}

/// Candidate pairs of which both records are labelled.
class LabelledCandidates {
 public:
  LabelledCandidates(const CandidatePairs& candidates, std::span<const std::uint32_t> entities, const Stop& stop)
      : candidates_(candidates), entities_(entities), meter_(stop, "reading labels") {
    for (const std::uint32_t entity : entities) {
      if (entity == kUnlabelled) continue;
      ++sizes_[entity];
      ++labelled_;
    }
    for_each([&](RowPair pair) { ++(is_match(pair) ? matches_ : others_); });
  }

  std::uint64_t matches() const { return matches_; }
  std::uint64_t others() const { return others_; }
  bool is_match(RowPair pair) const { return entities_[pair.first] == entities_[pair.second]; }

  /// Calls visit(pair, weight) for about `most` matches and as many others, drawn if there are more. A pair weighs
  /// (n_i n_j)^(-1/2), n_i and n_j the labelled records of its entities, so that large ones do not decide everything.
  /// Whoever labels a share of the entities labels that share of the matches, but only its square of other pairs:
  /// these count for more. The weights' mean is 1.
  template <class Visit>
  void draw(double most, const Random& random, Visit&& visit) {
    const double match_share = std::min(1.0, most / static_cast<double>(matches_)),
                 other_share = std::min(1.0, most / static_cast<double>(others_));
    const double labelled_share = static_cast<double>(labelled_) / static_cast<double>(entities_.size());
    Random draws = random;
    for_each([&](RowPair pair) {
      if (!draws.bernoulli(is_match(pair) ? match_share : other_share)) return;
      const double sizes = static_cast<double>(sizes_.at(entities_[pair.first])) *
                           static_cast<double>(sizes_.at(entities_[pair.second]));
      visit(pair, (is_match(pair) ? 1 / match_share : 1 / (other_share * labelled_share)) / std::sqrt(sizes));
    });
  }

 private:
  template <class Visit>
  void for_each(Visit&& visit) {
    for (const CandidatePairs::Chunk& chunk : candidates_.chunks())
      candidates_.for_each(chunk, [&](RowPair pair, bool is_first) {
        if (entities_[pair.first] == kUnlabelled || entities_[pair.second] == kUnlabelled || !is_first) return;
        meter_.count();
        visit(pair);
      });
  }

  const CandidatePairs& candidates_;
  std::span<const std::uint32_t> entities_;
  ComparisonMeter meter_;
  tsl::robin_map<std::uint32_t, std::uint32_t> sizes_;  // [entity]
  std::uint64_t labelled_ = 0, matches_ = 0, others_ = 0;
};

bool has_both(const std::vector<LabelledExample>& examples) {
  const auto matches = std::ranges::count_if(examples, &LabelledExample::is_match);
  return matches > 0 && static_cast<std::size_t>(matches) < examples.size();
}

/// The half of all entities to which one belongs.
std::uint32_t half_of(std::uint32_t entity) { return Random(1).child("half", entity).uniform_index(2); }

MatchParameters corrected(MatchParameters known, const LabelCorrection& correction) {
  known.weights.prior_log_odds += correction.weights.prior_log_odds;
  for (std::size_t c = 0; c < known.weights.weights.size(); ++c)
    for (std::size_t l = 0; l < known.weights.weights[c].size(); ++l)
      known.weights.weights[c][l] += correction.weights.weights[c][l];
  return known;
}

double pairs_of(const auto& counts) {
  double pairs = 0;
  for (const auto& [name, count] : counts) pairs += static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
  return pairs;
}

/// F1 of the pairs of labelled records of one half of the entities. Of the records of all entities only a share are
/// labelled, so that wrong pairs are seen less often than right ones; they count for more.
double pair_f1(std::span<const std::uint32_t> entities, std::span<const std::uint32_t> clusters, std::uint32_t half) {
  std::map<std::uint32_t, std::uint64_t> in_cluster, of_entity;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> in_both;
  std::uint64_t rows = 0;
  for (std::size_t row = 0; row < entities.size(); ++row) {
    const std::uint32_t entity = entities[row];
    if (entity == kUnlabelled || half_of(entity) != half) continue;
    ++rows;
    ++in_cluster[clusters[row]];
    ++of_entity[entity];
    ++in_both[{clusters[row], entity}];
  }
  const double right = pairs_of(in_both), all = pairs_of(of_entity);
  const double wrong =
      (pairs_of(in_cluster) - right) * static_cast<double>(entities.size()) / static_cast<double>(rows);
  return right > 0 ? 2 * right / (right + wrong + all) : 0;
}

}  // namespace

void LabelLearning::check() const {
  if (!options_.labels.empty() && are_pairs())
    throw UsageError("option 'labels' and option 'labelled-pairs' exclude each other");
}

MatchParameters LabelLearning::correct(const MatchParameters& known, const RecordMatching& matching,
                                       const io::IdIndex* ids, const ClusterFunction& cluster, const Run& run) const {
  const MatchModel model(matching.comparisons(), known);
  const Labels labels = are_pairs() ? labels_of_pairs(model, matching, ids) : labels_of_clusters(model, matching, run);
  const auto correct = [&](const std::vector<LabelledExample>& examples) {
    return correct_by_labels(level_counts(matching.comparisons()), examples, run.random.child("labels"),
                             [&] { ComparisonMeter(run.stop, "learning from labels").look(); });
  };
  const LabelCorrection correction = correct(labels.examples);
  run.note_that(correction.brief());
  if (!correction.helps) return known;
  double gain = 0;
  bool is_any_worse = false;
  const std::vector<std::uint32_t> clusters = cluster(known);
  for (const std::uint32_t half : {0U, 1U}) {
    std::vector<LabelledExample> others = labels.examples;
    std::erase_if(others, [&](const LabelledExample& example) {
      return half_of(example.first_group) == half || half_of(example.second_group) == half;
    });
    if (!has_both(others)) return known;
    const double without = labels.score(clusters, half),
                 with = labels.score(cluster(corrected(known, correct(others))), half);
    gain += (with - without) / 2;
    is_any_worse = is_any_worse || with < without;
    run.note_that(fmt::format("clusters of labels that were held out: {} {:.4f} without labels, {:.4f} with the others",
                              labels.score_name, without, with));
  }
  if (!is_any_worse && gain > kLeastGain) return corrected(known, correction);
  run.note_that("labels do not make better clusters; what was learned without them stays");
  return known;
}

/// The most doubtful pairs of a table may all agree in the same way. A hundred answers to what is one question must not
/// move the whole model, so pairs with the same levels are held out together and count for four at most.
LabelLearning::Labels LabelLearning::labels_of_pairs(const MatchModel& model, const RecordMatching& matching,
                                                     const io::IdIndex* ids) const {
  if (!pairs_ && !ids) throw UsageError("option 'labelled-pairs' needs option 'id': pairs name records");
  const RecordNames names = {ids, matching.table().row_count()};
  const auto pairs = pairs_ ? read_labelled_pairs(*pairs_, names)
                            : read_labelled_pairs(io::read_table(options_.labelled_pairs), names);
  constexpr double kMostOfAPattern = 4;
  std::map<std::vector<Level>, std::vector<std::size_t>> of_pattern;
  std::vector<LabelledExample> examples;
  for (const LabelledRowPair& pair : pairs) {
    const std::vector<Level> levels = levels_of(matching.comparisons(), pair.rows);
    of_pattern[levels].push_back(examples.size());
    examples.push_back({.levels = levels, .score = model.score(pair.rows), .is_match = pair.is_match});
  }
  std::uint32_t group = 0;
  for (const auto& [levels, members] : of_pattern) {
    for (const std::size_t i : members) {
      examples[i].first_group = examples[i].second_group = group;
      examples[i].weight = std::min(1.0, kMostOfAPattern / static_cast<double>(members.size()));
    }
    ++group;
  }
  const auto share_right = [pairs, examples](std::span<const std::uint32_t> clusters, std::uint32_t half) {
    double right = 0, all = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (half_of(examples[i].first_group) != half) continue;
      all += examples[i].weight;
      if ((clusters[pairs[i].rows.first] == clusters[pairs[i].rows.second]) == pairs[i].is_match)
        right += examples[i].weight;
    }
    return all > 0 ? right / all : 0;
  };
  return {.examples = examples, .score = share_right, .score_name = "right share"};
}

LabelLearning::Labels LabelLearning::labels_of_clusters(const MatchModel& model, const RecordMatching& matching,
                                                        const Run& run) const {
  const std::vector<std::uint32_t> entities = number_labels(matching.table(), matching.table().column(options_.labels));
  return {.examples = examples_of_clusters(model, matching, entities, run),
          .score = [entities](std::span<const std::uint32_t> clusters,
                              std::uint32_t half) { return pair_f1(entities, clusters, half); },
          .score_name = "pair F1"};
}

std::vector<LabelledExample> LabelLearning::examples_of_clusters(const MatchModel& model,
                                                                 const RecordMatching& matching,
                                                                 std::span<const std::uint32_t> entities,
                                                                 const Run& run) const {
  LabelledCandidates labelled(matching.candidates(), entities, run.stop);
  std::vector<LabelledExample> examples;
  double total = 0;
  labelled.draw(static_cast<double>(learning_.pairs) / 2, run.random.child("labelled pairs"),
                [&](RowPair pair, double weight) {
                  total += weight;
                  examples.push_back({.levels = levels_of(matching.comparisons(), pair),
                                      .score = model.score(pair),
                                      .is_match = labelled.is_match(pair),
                                      .weight = weight,
                                      .first_group = entities[pair.first],
                                      .second_group = entities[pair.second]});
                });
  for (LabelledExample& example : examples) example.weight *= static_cast<double>(examples.size()) / total;
  return examples;
}

bool LabelLearning::are_complete(const RecordMatching& matching) const {
  constexpr double kNearlyAll = .9;
  if (are_pairs() || matching.rules().size() != 1) return false;
  const std::vector<std::uint32_t> entities = number_labels(matching.table(), matching.table().column(options_.labels));
  const std::vector<std::uint32_t>& rows = matching.candidates().blocks(0).rows;
  const auto labelled = std::ranges::count_if(rows, [&](std::uint32_t row) { return entities[row] != kUnlabelled; });
  return static_cast<double>(labelled) >= kNearlyAll * static_cast<double>(rows.size());
}

MatchParameters LabelLearning::learn(const RecordMatching& matching, bool with_calibration,
                                     const ComponentClusteringOptions& clustering, const Run& run) const {
  const io::Table& table = matching.table();
  const std::vector<std::uint32_t> entities = number_labels(table, table.column(options_.labels));
  Random random = run.random.child("labels");
  const LearnedMatching learned =
      learn_matching(matching.comparisons(), matching.candidates().blocks(0), entities, learning_, random);
  run.note_that(learned.brief());
  MatchParameters parameters{.weights = learned.weights};
  if (with_calibration)
    parameters.calibration = learn_pair_calibration(
        {matching.comparisons(), matching.candidates().blocks(0), entities, learning_, clustering},
        run.with(random.child("calibration")));
  return parameters;
}

}  // namespace fovea::linkage
