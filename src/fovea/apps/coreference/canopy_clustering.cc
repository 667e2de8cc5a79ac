// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/canopy_clustering.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/apps/coreference/running_b_cubed.h"
#include "fovea/base/parallel.h"
#include "fovea/exact/subset_clustering.h"
#include "fovea/feature/dictionary.h"
#include "fovea/sample/clustering/average_link.h"
#include "fovea/sample/clustering/clustering_posterior.h"

namespace fovea {
namespace {

using WatchedPlaces = std::vector<std::pair<MentionId, MentionId>>;

/// One canopy: its rows, and the watched pairs in it, by their places.
struct Canopy {
  std::span<const std::uint32_t> rows;
  WatchedPlaces watched;
};

/// What is found out about the rows of one canopy.
struct CanopyResult {
  std::vector<std::uint32_t> clusters;  // [place], any numbers below the number of places
  std::vector<double> confidence;       // [place]; with samples only, as the next
  std::vector<double> probabilities;    // [watched pair]
  ClusteringWork work;
};

/// The same of atoms: rows that no comparison tells apart, which are clustered as one.
struct AtomResult {
  std::vector<std::uint32_t> clusters;            // [atom]
  std::vector<double> confidence, probabilities;  // [atom], [watched pair of atoms]
  ClusteringWork work;
};

class CanopySolver {
 public:
  CanopySolver(const MatchModel& model, double least_score, const CanopyClusteringOptions& options)
      : model_(model), least_score_(least_score), options_(options), exactness_(Exactness::parse(options.exactness)) {}

  CanopyResult solve(const Canopy& canopy, const Random& random) const {
    const EqualRows atoms = model_.merge_equal(canopy.rows, least_score_);
    WatchedPlaces watched;
    for (const auto& [i, j] : canopy.watched) watched.emplace_back(atoms.atom[i], atoms.atom[j]);
    const AtomResult found =
        atoms.rows.size() <= kFew ? solve_exactly(atoms, watched) : run_chain(atoms, watched, random);
    CanopyResult result{.clusters = {}, .confidence = {}, .probabilities = found.probabilities, .work = found.work};
    for (const std::uint32_t atom : atoms.atom) {
      result.clusters.push_back(found.clusters[atom]);
      if (!found.confidence.empty()) result.confidence.push_back(found.confidence[atom]);
    }
    return result;
  }

 private:
  static constexpr std::size_t kFew = 8;            // atoms that are solved exactly sooner than by sampling
  static constexpr std::size_t kMostLinked = 4000;  // atoms whose scores of all pairs take 64 MB

  AtomResult solve_exactly(const EqualRows& atoms, const WatchedPlaces& watched) const {
    const std::size_t n = atoms.rows.size();
    std::vector<double> scores(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        scores[i * n + j] = scores[j * n + i] =
            atoms.counts[i] * atoms.counts[j] * (model_.score({atoms.rows[j], atoms.rows[i]}) - least_score_);
    SubsetClustering clustering(n, scores);
    AtomResult result{.clusters = clustering.best(), .confidence = {}, .probabilities = {}, .work = {}};
    result.work.factors = n * (n - 1) / 2;
    if (options_.samples == 0) return result;
    if (options_.sample_temperature != 1) {
      for (double& score : scores) score /= options_.sample_temperature;
      clustering = SubsetClustering(n, scores);
    }
    result.confidence = confidences(clustering, result.clusters, atoms.counts);
    for (const auto& [i, j] : watched) result.probabilities.push_back(clustering.pair_probability(i, j));
    return result;
  }

  /// As ClusteringPosterior has them, by summing over all clusters instead of samples.
  static std::vector<double> confidences(const SubsetClustering& clustering, std::span<const std::uint32_t> clusters,
                                         std::span<const std::uint32_t> counts) {
    using Items = SubsetClustering::Items;
    const std::size_t n = clusters.size();
    std::vector<Items> reported(n);
    for (std::size_t i = 0; i < n; ++i) reported[clusters[i]] |= Items{1} << i;
    const auto records = [&](Items set) {
      double sum = 0;
      for (; set != 0; set &= set - 1) sum += counts[static_cast<std::size_t>(std::countr_zero(set))];
      return sum;
    };
    std::vector<double> confidence(n);  // by first atom of a cluster, then by atom
    for (Items set = 1; set < Items{1} << n; ++set) {
      const double probability = clustering.cluster_probability(set);
      for (std::size_t c = 0; c < n; ++c)
        if (const Items both = set & reported[c]; both != 0)
          confidence[c] += probability * records(both) * records(both) / records(set | reported[c]);
    }
    for (std::size_t i = n; i-- > 0;) confidence[i] = confidence[clusters[i]] / records(reported[clusters[i]]);
    return confidence;
  }

  AtomResult run_chain(const EqualRows& atoms, const WatchedPlaces& watched, const Random& random) const {
    AttributePairs pairs = model_.pairs_of(atoms.rows, least_score_);
    std::vector<EntityId> start = start_of(atoms, pairs);
    if (atoms.is_any_several()) pairs.set_weights(atoms.counts);
    const std::uint64_t n = atoms.rows.size();
    ClusteringChain chain(pairs, options_, random, {.entities = std::move(start)});
    chain.keep_if_best();
    for (int round = 0; round < kRounds && !chain.is_settled(); ++round) {
      const double progress = (round + 1.) / kRounds;
      chain.run(n * static_cast<std::uint64_t>(options_.sweeps) / kRounds, options_.temperature(progress), exactness_);
      chain.keep_if_best();
    }
    AtomResult result{.clusters = {chain.best().begin(), chain.best().end()},
                      .confidence = {},
                      .probabilities = {},
                      .work = chain.work()};
    if (options_.samples > 0) draw_samples(pairs, watched, random.child("posterior"), result);
    return result;
  }

  std::vector<EntityId> start_of(const EqualRows& atoms, const AttributePairs& pairs) const {
    const std::size_t n = atoms.rows.size();
    if (options_.start == "together") return ClusteringState::together(n).entities;
    if (options_.start == "singletons" || n > kMostLinked) return ClusteringState::singletons(n).entities;
    const std::vector<double> weights(atoms.counts.begin(), atoms.counts.end());
    return merged_above(0, n, average_link(pairs, weights));
  }

  void draw_samples(const AttributePairs& pairs, const WatchedPlaces& watched, const Random& random,
                    AtomResult& result) const {
    constexpr std::uint64_t kSweepsBefore = 20, kSweepsBetween = 5;
    const std::uint64_t n = pairs.mention_count();
    ClusteringPosterior posterior(result.clusters, watched, pairs.weights());
    ClusteringChain chain(pairs, options_.for_samples(), random, {.entities = result.clusters});
    chain.run(kSweepsBefore * n, options_.sample_temperature, exactness_);
    for (int sample = 0; sample < options_.samples; ++sample) {
      chain.run(kSweepsBetween * n, options_.sample_temperature, exactness_);
      posterior.add(chain.partition());
    }
    for (MentionId m = 0; m < n; ++m) result.confidence.push_back(posterior.cluster_confidence(result.clusters[m]));
    for (std::size_t i = 0; i < watched.size(); ++i) result.probabilities.push_back(posterior.pair_probability(i));
    result.work += chain.work();
  }

  static constexpr int kRounds = 20;

  const MatchModel& model_;
  double least_score_;
  const CanopyClusteringOptions& options_;
  Exactness exactness_;
};

/// The watched pairs of each canopy, as places in it; and which they are.
struct WatchedByCanopy {
  WatchedByCanopy(const Blocks& canopies, std::size_t row_count, std::span<const RowPair> watched)
      : places(canopies.size()), indices(canopies.size()) {
    if (watched.empty()) return;
    std::vector<std::uint32_t> canopy_of(row_count, kNone), place_of(row_count);
    for (std::uint32_t c = 0; c < canopies.size(); ++c)
      for (std::uint32_t place = 0; place < canopies[c].size(); ++place) {
        canopy_of[canopies[c][place]] = c;
        place_of[canopies[c][place]] = place;
      }
    for (std::size_t i = 0; i < watched.size(); ++i) {
      const std::uint32_t canopy = canopy_of[watched[i].first];
      if (canopy == kNone || canopy != canopy_of[watched[i].second]) continue;
      places[canopy].emplace_back(place_of[watched[i].first], place_of[watched[i].second]);
      indices[canopy].push_back(i);
    }
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<WatchedPlaces> places;
  std::vector<std::vector<std::size_t>> indices;
};

/// Larger ones first, so that no thread is left with one at the end.
std::vector<std::size_t> by_falling_size(const Blocks& canopies) {
  std::vector<std::size_t> order(canopies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t c) { return canopies[c].size(); });
  return order;
}

/// Gathers what is found of canopies, by whichever thread.
class Gathering {
 public:
  Gathering(const CanopyTask& task, ClusteringCheckpoint start, std::uint64_t fingerprint, const JobControl& control)
      : task_(task),
        done_(std::move(start)),
        fingerprint_(fingerprint),
        phase_(control.progress, "clustering", static_cast<double>(task.canopies.rows.size())) {
    for (std::size_t c = 0; c < task.canopies.size(); ++c)
      if (is_done(c)) rows_done_ += task.canopies[c].size();
    if (!task.gold.empty() && control.progress) b_cubed_.emplace(done_.found.clusters, task.gold);
  }

  /// Of a canopy that no thread is adding.
  bool is_done(std::size_t canopy) const { return done_.is_done[canopy] != 0; }

  void leave() {
    const std::scoped_lock lock(mutex_);
    ++done_.found.left;
  }

  void add(std::size_t canopy, std::span<const std::size_t> watched, const CanopyResult& found) {
    const std::span<const std::uint32_t> rows = task_.canopies[canopy];
    RecordClusters& all = done_.found;
    const std::scoped_lock lock(mutex_);
    done_.is_done[canopy] = 1;
    ++all.canopies;
    all.work += found.work;
    add_clusters(rows, found.clusters);
    for (std::size_t place = 0; place < found.confidence.size(); ++place)
      all.confidence[rows[place]] = found.confidence[place];
    for (std::size_t w = 0; w < found.probabilities.size(); ++w) all.probabilities[watched[w]] = found.probabilities[w];
    rows_done_ += rows.size();
    report();
    if (std::chrono::steady_clock::now() - last_save_ > kBetweenSaves) save();
  }

  RecordClusters finish() && {
    if (done_.found.left > 0) save();
    return std::move(done_.found);
  }

 private:
  static constexpr std::chrono::seconds kBetweenSaves{60};

  void report() const {
    if (b_cubed_) phase_.report(static_cast<double>(rows_done_), "B-cubed F1", b_cubed_->score().f1());
    else phase_.report(static_cast<double>(rows_done_), "proposals", static_cast<double>(done_.found.work.proposals));
  }

  void save() {
    if (!task_.checkpoint.empty()) done_.save(task_.checkpoint, fingerprint_);
    last_save_ = std::chrono::steady_clock::now();
  }

  /// Calls every cluster by its first row.
  void add_clusters(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> clusters) {
    std::vector<std::uint32_t> first(rows.size(), WatchedByCanopy::kNone);
    for (std::size_t place = 0; place < rows.size(); ++place) {
      std::uint32_t& row = first[clusters[place]];
      row = std::min(row, rows[place]);
    }
    for (std::size_t place = 0; place < rows.size(); ++place) {
      const std::uint32_t row = rows[place], cluster = first[clusters[place]];
      if (b_cubed_ && cluster != row) b_cubed_->move(row, row, cluster);
      done_.found.clusters[row] = cluster;
    }
  }

  const CanopyTask& task_;
  std::mutex mutex_;
  ClusteringCheckpoint done_;
  std::uint64_t fingerprint_;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
  std::optional<RunningBCubed> b_cubed_;
  Phase phase_;
  std::size_t rows_done_ = 0;
};

/// Everything alone, or what a checkpoint has.
ClusteringCheckpoint start_of(const CanopyTask& task, bool has_samples, std::uint64_t fingerprint) {
  if (!task.resume.empty()) return ClusteringCheckpoint::load(task.resume, fingerprint);
  ClusteringCheckpoint start;
  start.is_done.assign(task.canopies.size(), 0);
  start.found.clusters.resize(task.row_count);
  std::iota(start.found.clusters.begin(), start.found.clusters.end(), std::uint32_t{0});
  if (has_samples) {
    start.found.confidence.assign(task.row_count, 1);
    start.found.probabilities.assign(task.watched.size(), 0);
  }
  return start;
}

/// Of all that the result depends on.
std::uint64_t fingerprint_of(const CanopyTask& task, const CanopyClusteringOptions& options, Random random) {
  const auto bytes_of = [](const auto& values) {
    return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  std::uint64_t hash = hash_text(options_json(options), random.uniform_index(0xFFFFFFFF));
  for (const std::vector<double>& weights : task.model.parameters().weights.weights)
    hash = hash_text(bytes_of(weights), hash);
  hash = hash_text(bytes_of(task.model.parameters().equal_share), hash);
  const std::array<double, 2> scores = {task.model.parameters().weights.prior_log_odds, task.least_score};
  hash = hash_text(bytes_of(scores), hash);
  hash = hash_text(bytes_of(task.canopies.begin), hash);
  hash = hash_text(bytes_of(task.watched), hash);
  return hash_text(bytes_of(task.canopies.rows), hash);
}

}  // namespace

RecordClusters cluster_canopies(const CanopyTask& task, const CanopyClusteringOptions& options, const Random& random,
                                const JobControl& control) {
  const CanopySolver solver(task.model, task.least_score, options);
  const WatchedByCanopy watched(task.canopies, task.row_count, task.watched);
  const std::vector<std::size_t> order = by_falling_size(task.canopies);
  const std::uint64_t fingerprint = fingerprint_of(task, options, random);
  Gathering gathering(task, start_of(task, options.samples > 0, fingerprint), fingerprint, control);
  parallel_for(order.size(), 1, control.threads, [&](std::size_t i, std::size_t) {
    const std::size_t c = order[i];
    if (gathering.is_done(c)) return;
    if (control.stop.requested()) return gathering.leave();
    const std::span<const std::uint32_t> rows = task.canopies[c];
    gathering.add(c, watched.indices[c], solver.solve({rows, watched.places[c]}, random.child("canopy", rows.front())));
  });
  return std::move(gathering).finish();
}

}  // namespace fovea
