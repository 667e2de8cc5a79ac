// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/incremental_clustering.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/linkage/columns/stacked_tables.h"
#include "fovea/linkage/evaluate/cluster_table.h"

namespace fovea::linkage {
namespace {

void check_columns(const OldRecords& old, const io::Table& more, std::size_t id_column) {
  const std::vector<std::string>& names = old.table.columns();
  if (old.id_column && more.columns()[id_column] != names[*old.id_column])
    throw InputError({.file = more.name()},
                     fmt::format("ids are called '{}' here and '{}' in {}", more.columns()[id_column],
                                 names[*old.id_column], old.table.name()),
                     "Name the column of ids with option 'id', or rename one of them");
  if (more.find_column(names[old.cluster_column]))
    throw InputError({.file = more.name()},
                     fmt::format("new records have a column of clusters, '{}'", names[old.cluster_column]),
                     "Leave it out: new records have no clusters yet");
}

void check_ids(const OldRecords& old, const io::Table& more, std::size_t id_column) {
  const io::IdIndex old_ids = io::unique_ids(old.table, *old.id_column);
  io::unique_ids(more, id_column);
  Dictionary names;
  for (std::size_t row = 0; row < old.table.row_count(); ++row) names.add(old.table.cell(row, old.cluster_column));
  for (std::size_t row = 0; row < more.row_count(); ++row) {
    const std::string_view id = more.cell(row, id_column);
    if (old_ids.find(id))
      throw InputError(more.location(row),
                       fmt::format("{} has a record with the id '{}' already", old.table.name(), id),
                       "Give new records ids of their own; records that are there need not be given again");
    if (names.find(id) != kNoId)
      throw InputError(more.location(row),
                       fmt::format("{} already has a cluster called '{}', the id of this record", old.table.name(), id),
                       "A new cluster is named after its first record: give the record another id");
  }
}

/// Returns for each row the first row with its label.
std::vector<std::uint32_t> first_rows(const OldRecords& old) {
  std::vector<std::uint32_t> first, clusters;
  for (const std::uint32_t label : number_labels(old.table, old.cluster_column)) {
    const auto row = static_cast<std::uint32_t>(clusters.size());
    if (label == kUnlabelled)
      throw InputError(old.table.location(row), "a record without a cluster", "Give every old record its cluster");
    if (label == first.size()) first.push_back(row);
    clusters.push_back(first[label]);
  }
  return clusters;
}

}  // namespace

ClusteredRecords append_records(const OldRecords& old, const io::Table& more, std::size_t id_column) {
  check_columns(old, more, id_column);
  if (old.id_column) check_ids(old, more, id_column);
  return {stack_tables(old.table, more), old.id_column.value_or(0), old.cluster_column, first_rows(old)};
}

namespace {

/// Rows that each new row is connected with.
class Neighbours {
 public:
  Neighbours(std::size_t old_rows, std::size_t row_count, std::span<const ScoredPair> pairs)
      : old_rows_(old_rows), begin_(row_count - old_rows + 1) {
    const auto for_each_end = [&](auto&& visit) {
      for (const ScoredPair& pair : pairs) {
        if (pair.rows.first >= old_rows) visit(pair.rows.first, pair.rows.second);
        if (pair.rows.second >= old_rows) visit(pair.rows.second, pair.rows.first);
      }
    };
    for_each_end([&](std::uint32_t row, std::uint32_t) { ++begin_[row - old_rows + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    rows_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each_end([&](std::uint32_t row, std::uint32_t other) { rows_[next[row - old_rows]++] = other; });
  }

  std::span<const std::uint32_t> of(std::uint32_t row) const {
    const std::size_t i = row - old_rows_;
    return std::span(rows_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  std::size_t old_rows_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> rows_;
};

/// The clusters of a row's neighbours, each once.
std::vector<ClusterId> neighbouring_clusters(const Partition& partition, std::span<const std::uint32_t> neighbours) {
  std::vector<ClusterId> clusters;
  for (const std::uint32_t row : neighbours) clusters.push_back(partition.cluster(row));
  std::ranges::sort(clusters);
  clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
  return clusters;
}

/// State of the clustering while new rows look for their places.
class NewRows {
 public:
  NewRows(const MatchModel& model, double least_score, std::span<const std::uint32_t> start, std::size_t old_rows,
          std::span<const ScoredPair> pairs)
      : model_(model),
        least_score_(least_score),
        partition_(start),
        old_rows_(old_rows),
        neighbours_(old_rows, start.size(), pairs) {}

  struct Visit {
    bool moved = false;
    bool is_between = false;  ///< the row matches more than one old cluster
  };

  /// Moves the row to its best cluster.
  Visit visit(std::uint32_t row) {
    double best_sum = 0;
    std::optional<ClusterId> best;
    int old_matches = 0;
    for (const ClusterId cluster : neighbouring_clusters(partition_, neighbours_.of(row))) {
      const double sum = sum_of_scores(row, cluster);
      if (sum > 0) old_matches += holds_old_row(cluster);
      if (sum <= best_sum) continue;
      best_sum = sum;
      best = cluster;
    }
    const bool is_alone = partition_.size(partition_.cluster(row)) == 1;
    const ClusterId to = best       ? *best
                         : is_alone ? partition_.cluster(row)
                                    : partition_.nth_cluster(partition_.cluster_count());
    const bool moves = to != partition_.cluster(row);
    if (moves) partition_.move(row, to);
    return {moves, old_matches > 1};
  }

  bool is_in_old_cluster(std::uint32_t row) const { return holds_old_row(partition_.cluster(row)); }
  const Partition& partition() const { return partition_; }

 private:
  double sum_of_scores(std::uint32_t row, ClusterId cluster) const {
    double sum = 0;
    for (const RecordId other : partition_.members(cluster))
      if (other != row) sum += model_.score({std::min(row, other), std::max(row, other)}) - least_score_;
    return sum;
  }

  bool holds_old_row(ClusterId cluster) const {
    return std::ranges::any_of(partition_.members(cluster), [&](RecordId row) { return row < old_rows_; });
  }

  const MatchModel& model_;
  double least_score_;
  Partition partition_;
  std::size_t old_rows_;
  Neighbours neighbours_;
};

/// [row]: the first row of its cluster.
std::vector<std::uint32_t> first_rows(const Partition& partition) {
  std::vector<std::uint32_t> clusters(partition.record_count());
  for (std::size_t i = 0; i < partition.cluster_count(); ++i) {
    const std::span<const RecordId> members = partition.members(partition.nth_cluster(i));
    const RecordId first = *std::ranges::min_element(members);
    for (const RecordId row : members) clusters[row] = first;
  }
  return clusters;
}

}  // namespace

IncrementalClusters cluster_new_rows(const MatchModel& model, double least_score,
                                     std::span<const std::uint32_t> old_clusters, std::size_t row_count,
                                     std::span<const ScoredPair> pairs) {
  constexpr int kMostRounds = 10;
  std::vector<std::uint32_t> start(row_count);
  std::iota(start.begin(), start.end(), std::uint32_t{0});
  std::ranges::copy(old_clusters, start.begin());
  NewRows rows(model, least_score, start, old_clusters.size(), pairs);
  const auto first_new = static_cast<std::uint32_t>(old_clusters.size());
  IncrementalClusters result;
  bool moved = true;
  for (int round = 0; moved && round < kMostRounds; ++round) {
    moved = false;
    result.between.clear();
    for (std::uint32_t row = first_new; row < row_count; ++row) {
      const NewRows::Visit visit = rows.visit(row);
      moved |= visit.moved;
      if (visit.is_between) result.between.push_back(row);
    }
  }
  for (std::uint32_t row = first_new; row < row_count; ++row) result.joined += rows.is_in_old_cluster(row);
  result.clusters = first_rows(rows.partition());
  return result;
}

}  // namespace fovea::linkage
