// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/component_clustering.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/dictionary.h"
#include "fovea/base/parallel.h"
#include "fovea/linkage/evaluate/merge_threshold.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::size_t kQuickRows = 4;  // that take microseconds: they are clustered even when it is late

/// The place of each row.
struct RowPlaces {
  RowPlaces(const Blocks& components, std::size_t row_count) : component(row_count, kNone), place(row_count) {
    for (std::uint32_t c = 0; c < components.size(); ++c)
      for (std::uint32_t i = 0; i < components[c].size(); ++i) {
        component[components[c][i]] = c;
        place[components[c][i]] = i;
      }
  }

  /// The component that holds both rows; kNone if there is none.
  std::uint32_t of_both(RowPair pair) const {
    return component[pair.first] == component[pair.second] ? component[pair.first] : kNone;
  }

  std::vector<std::uint32_t> component, place;  // [row]; the component is kNone outside of all
};

/// The watched pairs, the known pairs and the links of each component, as places in it.
class PairsByComponent {
 public:
  PairsByComponent(const ComponentTask& task) : places(task.components.size()), indices(task.components.size()) {
    link_begin_.assign(task.components.size() + 1, 0);
    const bool has_known = task.known != nullptr && !task.known->empty();
    if (has_known) known_.resize(task.components.size());
    if (task.watched.empty() && task.links.empty() && !has_known) return;
    const RowPlaces rows(task.components, task.row_count);
    for (std::size_t i = 0; i < task.watched.size(); ++i) {
      const std::uint32_t component = rows.of_both(task.watched[i]);
      if (component == kNone) continue;
      places[component].emplace_back(rows.place[task.watched[i].first], rows.place[task.watched[i].second]);
      indices[component].push_back(i);
    }
    if (has_known)
      for (const KnownPairs::Pair& pair : task.known->pairs())
        if (const std::uint32_t component = rows.of_both(pair.rows); component != kNone)
          known_[component].push_back(
              {rows.place[pair.rows.first], rows.place[pair.rows.second], static_cast<float>(pair.evidence)});
    for (const ScoredPair& link : task.links)
      if (const std::uint32_t component = rows.of_both(link.rows); component != kNone) ++link_begin_[component + 1];
    std::partial_sum(link_begin_.begin(), link_begin_.end(), link_begin_.begin());
    links_.resize(link_begin_.back());
    std::vector<std::size_t> next(link_begin_.begin(), link_begin_.end() - 1);
    for (const ScoredPair& link : task.links)
      if (const std::uint32_t component = rows.of_both(link.rows); component != kNone)
        links_[next[component]++] = {rows.place[link.rows.first], rows.place[link.rows.second],
                                     static_cast<float>(double{link.score} - task.least_score)};
  }

  std::span<const RecordLink> links(std::size_t component) const {
    return std::span(links_).subspan(link_begin_[component], link_begin_[component + 1] - link_begin_[component]);
  }

  std::span<const RecordLink> known(std::size_t component) const {
    return known_.empty() ? std::span<const RecordLink>() : known_[component];
  }

  std::vector<WatchedPlaces> places;
  std::vector<std::vector<std::size_t>> indices;

 private:
  std::vector<std::vector<RecordLink>> known_;
  std::vector<std::size_t> link_begin_;  // [component + 1]
  std::vector<RecordLink> links_;
};

/// Order of the components: larger ones first, so that no thread is left with one at the end; but smaller ones first
/// under a deadline, so that it leaves few of them.
std::vector<std::size_t> order_of(const Blocks& components, const Stop& stop) {
  std::vector<std::size_t> order(components.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t c) { return components[c].size(); };
  if (stop.has_deadline()) std::ranges::stable_sort(order, {}, size);
  else std::ranges::stable_sort(order, std::ranges::greater(), size);
  return order;
}

/// Begins of the batches that `order` is cut into, and its end: small components are done by the batch, as each takes
/// no longer than handing it out.
std::vector<std::size_t> batches_of(const Blocks& components, std::span<const std::size_t> order) {
  constexpr std::size_t kRows = 64;
  std::vector<std::size_t> begins = {0};
  std::size_t rows = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rows += components[order[i]].size();
    if (rows < kRows && i + 1 < order.size()) continue;
    begins.push_back(i + 1);
    rows = 0;
  }
  return begins;
}

/// Gathers the results of components from all threads.
class Gathering {
 public:
  Gathering(const ComponentTask& task, ClusteringCheckpoint start, std::uint64_t fingerprint, const Run& run)
      : task_(task),
        done_(std::move(start)),
        fingerprint_(fingerprint),
        warn_(run.warn),
        phase_(run.progress, "clustering", static_cast<double>(task.components.rows.size())) {
    for (std::size_t c = 0; c < task.components.size(); ++c)
      if (is_done(c)) rows_done_ += task.components[c].size();
    if (!task.gold.empty() && run.progress) b_cubed_.emplace(done_.found.clusters, task.gold);
  }

  /// True if the component is done. No thread may be adding it meanwhile.
  bool is_done(std::size_t component) const { return done_.is_done[component] != 0; }

  /// A component and its result; none if it was left out.
  struct Found {
    std::size_t component;
    std::optional<ComponentResult> result;
  };

  void add(std::span<const Found> batch, const PairsByComponent& pairs) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [component, result] : batch) {
      if (result) add(component, pairs.indices[component], *result);
      else ++done_.found.left;
    }
    report();
    if (std::chrono::steady_clock::now() - last_save_ > kBetweenSaves) save();
  }

  RecordClusters finish() && {
    if (done_.found.left > 0) save();
    return std::move(done_.found);
  }

 private:
  static constexpr std::chrono::seconds kBetweenSaves{60};

  void add(std::size_t component, std::span<const std::size_t> watched, const ComponentResult& found) {
    const std::span<const std::uint32_t> rows = task_.components[component];
    RecordClusters& all = done_.found;
    done_.is_done[component] = found.is_finished;
    ++(found.is_finished ? all.components : all.left);
    all.begun += !found.is_finished;
    all.work += found.work;
    add_clusters(rows, found.clusters);
    for (std::size_t place = 0; place < found.confidence.size(); ++place)
      all.confidence[rows[place]] = found.confidence[place];
    for (std::size_t w = 0; w < found.probabilities.size(); ++w) all.probabilities[watched[w]] = found.probabilities[w];
    rows_done_ += rows.size();
  }

  void report() const {
    if (b_cubed_) phase_.report(static_cast<double>(rows_done_), "B-cubed F1", b_cubed_->score().f1());
    else phase_.report(static_cast<double>(rows_done_), "proposals", static_cast<double>(done_.found.work.proposals));
  }

  void save() {
    if (!task_.checkpoint.empty()) save_or_warn([&] { done_.save(task_.checkpoint, fingerprint_); }, warn_);
    last_save_ = std::chrono::steady_clock::now();
  }

  /// Names every cluster by its first row.
  void add_clusters(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> clusters) {
    std::vector<std::uint32_t> first(rows.size(), kNone);
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

  const ComponentTask& task_;
  std::mutex mutex_;
  ClusteringCheckpoint done_;
  std::uint64_t fingerprint_;
  const WarningFunction& warn_;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
  std::optional<RunningBCubed> b_cubed_;
  PhaseProgress phase_;
  std::size_t rows_done_ = 0;
};

ClusteringCheckpoint nothing_done(const ComponentTask& task, bool has_samples) {
  ClusteringCheckpoint start;
  start.is_done.assign(task.components.size(), 0);
  start.found.clusters.resize(task.row_count);
  std::iota(start.found.clusters.begin(), start.found.clusters.end(), std::uint32_t{0});
  if (has_samples) {
    start.found.confidence.assign(task.row_count, 1);
    start.found.probabilities.assign(task.watched.size(), std::numeric_limits<double>::quiet_NaN());
  }
  return start;
}

/// State to start from: that of a checkpoint, or nothing done. Components that are not done start with each record
/// alone and nothing known about it.
ClusteringCheckpoint start_of(const ComponentTask& task, const PairsByComponent& pairs, bool has_samples,
                              std::uint64_t fingerprint) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const ClusteringShape shape = {.components = task.components.size(),
                                 .rows = task.row_count,
                                 .watched = task.watched.size(),
                                 .has_samples = has_samples};
  ClusteringCheckpoint start = task.resume.empty() ? nothing_done(task, has_samples)
                                                   : ClusteringCheckpoint::load(task.resume, fingerprint, shape);
  for (std::size_t c = 0; c < task.components.size(); ++c) {
    if (start.is_done[c]) continue;
    for (const std::uint32_t row : task.components[c]) {
      start.found.clusters[row] = row;
      if (has_samples) start.found.confidence[row] = kUnknown;
    }
    if (has_samples)
      for (const std::size_t pair : pairs.indices[c]) start.found.probabilities[pair] = kUnknown;
  }
  return start;
}

/// Hash of everything that the result depends on.
std::uint64_t fingerprint_of(const ComponentTask& task, const ComponentClusteringOptions& options, Random random) {
  const auto bytes_of = [](const auto& values) {
    return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  std::uint64_t hash = hash_text(options_json(options), random.uniform_index(0xFFFFFFFF));
  for (const std::vector<double>& weights : task.model.parameters().weights.weights)
    hash = hash_text(bytes_of(weights), hash);
  for (const Comparison& comparison : task.model.comparisons())
    hash = hash_text(bytes_of(std::array{comparison.fingerprint()}), hash);
  hash = hash_text(bytes_of(task.model.parameters().equal_share), hash);
  for (const PairClass& of_pairs : task.model.parameters().mixture.classes) {
    hash = hash_text(bytes_of(std::array{of_pairs.share, of_pairs.is_match ? 1. : 0.}), hash);
    for (const std::vector<double>& levels : of_pairs.levels) hash = hash_text(bytes_of(levels), hash);
  }
  hash = hash_text(bytes_of(task.model.parameters().calibration.knots), hash);
  const std::array<double, 2> scores = {task.model.parameters().weights.prior_log_odds, task.least_score};
  hash = hash_text(bytes_of(scores), hash);
  hash = hash_text(bytes_of(task.components.begin), hash);
  hash = hash_text(bytes_of(task.watched), hash);
  hash = hash_text(bytes_of(task.links), hash);
  if (task.known != nullptr) {
    for (const KnownPairs::Pair& pair : task.known->pairs()) {
      hash = hash_text(bytes_of(std::array{pair.rows}), hash);
      hash = hash_text(bytes_of(std::array{pair.evidence}), hash);
    }
  }
  if (!task.streams.empty()) hash = hash_text(bytes_of(task.streams), hash);
  return hash_text(bytes_of(task.components.rows), hash);
}

}  // namespace

RecordClusters cluster_components(const ComponentTask& task, const ComponentClusteringOptions& options,
                                  const Run& run) {
  const ComponentSolver solver(task.model, task.least_score, options, task.scorer);
  const PairsByComponent pairs(task);
  const std::vector<std::size_t> order = order_of(task.components, run.stop);
  const std::uint64_t fingerprint = fingerprint_of(task, options, run.random);
  Gathering gathering(task, start_of(task, pairs, options.samples > 0, fingerprint), fingerprint, run);
  const auto solve = [&](std::size_t c) -> std::optional<ComponentResult> {
    const std::span<const std::uint32_t> rows = task.components[c];
    const bool is_quick = rows.size() <= kQuickRows && !run.is_cancelled();
    if (run.stop.requested() && !is_quick) return std::nullopt;
    const Component component = {rows, pairs.places[c], pairs.links(c), pairs.known(c)};
    const std::uint64_t stream = task.streams.empty() ? rows.front() : task.streams[rows.front()];
    return solver.solve(component, run.random.child("canopy", stream), run.stop);
  };
  const std::vector<std::size_t> batches = batches_of(task.components, order);
  parallel_in_order(batches.size() - 1, run.threads, [&](std::size_t batch) {
    std::vector<Gathering::Found> found;
    for (std::size_t i = batches[batch]; i < batches[batch + 1]; ++i)
      if (!gathering.is_done(order[i])) found.push_back({order[i], solve(order[i])});
    gathering.add(found, pairs);
  });
  return std::move(gathering).finish();
}

}  // namespace fovea::linkage
