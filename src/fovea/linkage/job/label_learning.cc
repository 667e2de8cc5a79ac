// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/label_learning.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/components/pair_calibration.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/labelled_pairs.h"

namespace fovea::linkage {
namespace {

constexpr double kLeastGain = .001;  // of the score of clusters that were held out; chosen on six tables
// Weight of unlabelled pairs, in labelled ones; chosen on four tables. With 100 answers about doubtful pairs, one of 15
// runs on five tables made clusters worse by a fifth at 0; at 10, none of 32 on six did by more than .001.
constexpr double kUnlabelledShare = 10;

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

  bool is_match(RowPair pair) const { return entities_[pair.first] == entities_[pair.second]; }

  /// Calls visit(pair, weight) for about `most` matches and as many others, drawn if there are more. A pair weighs
  /// (n_i n_j)^(-1/2), n_i and n_j the labelled records of its entities, so that large ones do not decide everything.
  /// Whoever labels a share of the entities labels that share of the matches, but only its square of other pairs:
  /// these count for more.
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

/// Draws candidate pairs, which weigh `total` together: half of it are those that the model takes for matches.
std::vector<UnlabelledExample> draw_unlabelled(const MatchModel& model, const RecordMatching& matching, double total,
                                               const Run& run) {
  constexpr double kMostDrawn = 100000;
  constexpr std::size_t kMostKept = 1000;  // of matches, and of others
  const CandidatePairs& candidates = matching.candidates();
  double count = 0;
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
    count += static_cast<double>(candidates.pair_count(rule));
  const double share = std::min(kMostDrawn / count, .999);
  ComparisonMeter meter(run.stop, "learning from labels");
  std::array<std::vector<UnlabelledExample>, 2> kinds;
  std::array<std::size_t, 2> seen{};
  Random places = run.random.child("kept");
  const std::vector<CandidatePairs::Chunk> chunks = candidates.chunks();
  for (std::size_t i = 0; i < chunks.size(); ++i)
    candidates.for_each_drawn(chunks[i], share, run.random.child("unlabelled", i), [&](RowPair pair, bool is_first) {
      if (!is_first) return;
      meter.count();
      UnlabelledExample example{.score = model.score(pair)};
      const std::size_t k = example.score > 0 ? 1 : 0;
      if (kinds[k].size() < kMostKept) kinds[k].emplace_back();
      const std::size_t place = seen[k]++ < kMostKept ? seen[k] - 1 : places.uniform_index(seen[k]);
      if (place >= kMostKept) return;
      compare_rows(matching.comparisons(), pair.first, pair.second, example.levels);
      kinds[k][place] = std::move(example);
    });
  std::vector<UnlabelledExample> drawn;
  for (std::vector<UnlabelledExample>& kind : kinds)
    for (UnlabelledExample& example : kind) {
      example.weight = total / 2 / static_cast<double>(kind.size());
      drawn.push_back(std::move(example));
    }
  return drawn;
}

/// Lets labels speak for themselves: an unlabelled pair counts less, the more labelled ones have about its score.
void make_room_for(const std::vector<LabelledExample>& labelled, std::vector<UnlabelledExample>& unlabelled) {
  const auto bin = [](double score) { return std::floor(score); };  // one nat wide
  std::map<double, double> counts;
  for (const LabelledExample& example : labelled) ++counts[bin(example.score)];
  for (UnlabelledExample& example : unlabelled) {
    const auto found = counts.find(bin(example.score));
    if (found != counts.end()) example.weight /= 1 + found->second;
  }
}

bool has_both(const std::vector<LabelledExample>& examples) {
  const auto matches = std::ranges::count_if(examples, &LabelledExample::is_match);
  return matches > 0 && static_cast<std::size_t>(matches) < examples.size();
}

/// The half of all groups to which one belongs: they are numbered as they come.
std::uint32_t half_of(std::uint32_t group) { return group % 2; }

MatchParameters corrected(MatchParameters known, const LabelCorrection& correction) {
  known.weights.prior_log_odds += correction.weights.prior_log_odds;
  for (std::size_t c = 0; c < known.weights.weights.size(); ++c)
    for (std::size_t l = 0; l < known.weights.weights[c].size(); ++l)
      known.weights.weights[c][l] += correction.weights.weights[c][l];
  return known;
}

/// F1 of the pairs of labelled records of one half of the entities. Of the records of all entities only a share are
/// labelled, so that wrong pairs are seen less often than right ones; they count for more.
double pair_f1(std::span<const std::uint32_t> entities, std::span<const std::uint32_t> clusters, std::uint32_t half) {
  std::vector<std::uint32_t> gold(entities.begin(), entities.end());
  for (std::uint32_t& entity : gold)
    if (entity != kUnlabelled && half_of(entity) != half) entity = kUnlabelled;
  const ClusterMetrics metrics = score_clusters(clusters, gold);
  const auto right = static_cast<double>(metrics.pairs.correct);
  const double wrong = (static_cast<double>(metrics.pairs.predicted) - right) * static_cast<double>(entities.size()) /
                       static_cast<double>(metrics.records);
  return right > 0 ? 2 * right / (right + wrong + static_cast<double>(metrics.pairs.gold)) : 0;
}

}  // namespace

void LabelLearning::check() const {
  if (!options_.labels.empty() && are_pairs())
    throw UsageError("option 'labels' and option 'labelled-pairs' exclude each other");
}

MatchParameters LabelLearning::correct(const MatchParameters& known, const RecordMatching& matching,
                                       const PairNames& names, const ClusterFunction& cluster, const Run& run) const {
  const MatchModel model(matching.comparisons(), known);
  const Labels labels =
      are_pairs() ? labels_of_pairs(model, matching, names, run) : labels_of_clusters(model, matching, run);
  const auto look = [&] { ComparisonMeter(run.stop, "learning from labels").look(); };
  const auto correct = [&](const std::vector<LabelledExample>& examples) {
    return correct_by_labels(level_counts(matching.comparisons()), examples, labels.unlabelled,
                             run.random.child("labels"), look);
  };
  const LabelCorrection correction = correct(labels.examples);
  run.note_that(correction.brief());
  if (!correction.helps) return known;
  constexpr const char* kStays = "; what was learned without them stays";
  double gain = 0;
  bool is_any_worse = false;
  const std::vector<std::uint32_t> clusters = cluster(known);
  for (const std::uint32_t half : {0U, 1U}) {
    std::vector<LabelledExample> others = labels.examples;
    std::erase_if(others, [&](const LabelledExample& example) {
      return half_of(example.first_group) == half || half_of(example.second_group) == half;
    });
    if (!has_both(others)) {
      run.note_that(fmt::format("labels are too few to try one half on the other{}", kStays));
      return known;
    }
    const double without = labels.score(clusters, half),
                 with = labels.score(cluster(corrected(known, correct(others))), half);
    look();  // clusters that were stopped show nothing
    gain += (with - without) / 2;
    is_any_worse = is_any_worse || with < without;
    run.note_that(fmt::format("clusters of labels that were held out: {} {:.4f} without labels, {:.4f} with the others",
                              labels.score_name, without, with));
  }
  if (!is_any_worse && gain > kLeastGain) return corrected(known, correction);
  run.note_that(fmt::format("labels do not make better clusters{}", kStays));
  return known;
}

std::vector<LabelledRowPair> LabelLearning::read_pairs(const PairNames& names) const {
  if (pairs_) return read_labelled_pairs(*pairs_, names);
  if (!names.first.ids) throw UsageError("option 'labelled-pairs' needs option 'id': pairs name records");
  return read_labelled_pairs(io::read_table(options_.labelled_pairs), names);
}

LabelLearning::Labels LabelLearning::labels_of_pairs(const MatchModel& model, const RecordMatching& matching,
                                                     const PairNames& names, const Run& run) const {
  const std::vector<LabelledRowPair> pairs = read_pairs(names);
  // Pairs with the same first record are one group. All that share any may be one, from which nothing can be held out.
  tsl::robin_map<std::uint32_t, std::uint32_t> groups;
  std::vector<LabelledExample> examples;
  for (const LabelledRowPair& pair : pairs) {
    const std::uint32_t group = groups.try_emplace(pair.rows.first, groups.size()).first->second;
    examples.push_back(
        {.score = model.score(pair.rows), .is_match = pair.is_match, .first_group = group, .second_group = group});
    compare_rows(matching.comparisons(), pair.rows.first, pair.rows.second, examples.back().levels);
  }
  const auto share_right = [pairs, examples](std::span<const std::uint32_t> clusters, std::uint32_t half) {
    double right = 0, all = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (half_of(examples[i].first_group) != half) continue;
      ++all;
      right += (clusters[pairs[i].rows.first] == clusters[pairs[i].rows.second]) == pairs[i].is_match;
    }
    return all > 0 ? right / all : 0;
  };
  std::vector<UnlabelledExample> unlabelled =
      draw_unlabelled(model, matching, kUnlabelledShare * static_cast<double>(examples.size()), run);
  make_room_for(examples, unlabelled);
  return {.examples = examples, .unlabelled = std::move(unlabelled), .score = share_right, .score_name = "right share"};
}

LabelLearning::Labels LabelLearning::labels_of_clusters(const MatchModel& model, const RecordMatching& matching,
                                                        const Run& run) const {
  const std::vector<std::uint32_t> entities = number_labels(matching.table(), matching.table().column(options_.labels));
  return {.examples = examples_of_clusters(model, matching, entities, run),
          .unlabelled = {},
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
                  examples.push_back({.score = model.score(pair),
                                      .is_match = labelled.is_match(pair),
                                      .weight = weight,
                                      .first_group = entities[pair.first],
                                      .second_group = entities[pair.second]});
                  compare_rows(matching.comparisons(), pair.first, pair.second, examples.back().levels);
                });
  for (LabelledExample& example : examples) example.weight *= static_cast<double>(examples.size()) / total;
  return examples;
}

bool LabelLearning::are_complete(const RecordMatching& matching) const {
  constexpr double kNearlyAll = .9;
  if (are_pairs() || matching.rules().size() != 1 || !matching.candidates().is_partition(0)) return false;
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
      learn_matching(matching.comparisons(), matching.candidates().blocks(0), entities, learning_, random, run.threads);
  run.note_that(learned.brief());
  MatchParameters parameters{.weights = learned.weights};
  if (with_calibration)
    parameters.calibration = learn_pair_calibration(
        {matching.comparisons(), matching.candidates().blocks(0), entities, learning_, clustering},
        run.with(random.child("calibration")));
  return parameters;
}

KnownPairs read_known_pairs(const KnownPairSources& sources, const LabelLearning& labels, std::size_t row_count,
                            const std::function<PairNames()>& names,
                            const std::function<std::string(std::uint32_t row)>& name_of) {
  std::vector<LabelledRowPair> certain, answers;
  if (sources.certain != nullptr) certain = read_labelled_pairs(*sources.certain, names());
  const auto add = [&](const std::string& file, bool is_match) {
    if (file.empty()) return;
    const auto pairs = read_linked_pairs(io::read_table(file), names(), is_match);
    certain.insert(certain.end(), pairs.begin(), pairs.end());
  };
  add(sources.must_link, true);
  add(sources.cannot_link, false);
  if (labels.are_pairs()) answers = labels.read_pairs(names());
  return {certain, answers, row_count, name_of};
}

}  // namespace fovea::linkage
