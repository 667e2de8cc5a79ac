// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/inducing/inducing_choice.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/random.h"
#include "fovea/gp/matrix/dense.h"

namespace fovea::gp {
namespace {

/// Smallest variance that counts, relative to the largest: less is rounding error.
constexpr double kLeastVariance = 1e-8;
constexpr int kLloydIterations = 10;

/// Numbers of distinct rows, in ascending order of their contents.
std::vector<std::uint32_t> distinct_rows(const SparseRows& rows) {
  std::vector<std::uint32_t> order(rows.row_count());
  std::iota(order.begin(), order.end(), 0);
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    const auto columns_a = rows.row(a), columns_b = rows.row(b);
    if (!std::equal(columns_a.begin(), columns_a.end(), columns_b.begin(), columns_b.end()))
      return std::lexicographical_compare(columns_a.begin(), columns_a.end(), columns_b.begin(), columns_b.end()) ? -1
                                                                                                                  : 1;
    for (std::size_t e = 0; e < columns_a.size(); ++e) {
      const float x = rows.value(rows.offsets[a] + e), y = rows.value(rows.offsets[b] + e);
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return compare(a, b) < 0; });
  order.erase(std::unique(order.begin(), order.end(), [&](auto a, auto b) { return compare(a, b) == 0; }), order.end());
  return order;
}

/// Chooses rows by Harbrecht, Peters, Schneider (2012), "On the low-rank approximation by the pivoted Cholesky
/// decomposition". Threads share the rows.
class PivotedCholesky {
 public:
  PivotedCholesky(const Covariance& covariance, const SparseRows& rows, std::size_t most, int threads)
      : covariance_(covariance), rows_(rows), most_(std::min(most, rows.row_count())), threads_(threads) {
    constexpr std::size_t kShare = 512;  // rows
    for (std::size_t first = 0; first < rows.row_count(); first += kShare) shares_.push_back({.first = first});
    for_each_share([&](Share& share) {
      std::vector<std::uint32_t> which(std::min(kShare, rows.row_count() - share.first));
      std::iota(which.begin(), which.end(), static_cast<std::uint32_t>(share.first));
      share.rows = rows_at(rows, which);
      share.left = Vector(index(which.size()));
      share.column = Vector(index(which.size()));
      share.factor = RowMatrix(index(which.size()), index(most_));
      covariance_.diagonal(share.rows, std::span(share.left.data(), which.size()));
    });
  }

  std::vector<std::uint32_t> choose(const Stop& stop) {
    const double least = kLeastVariance * best_row().left;
    std::vector<std::uint32_t> chosen;
    while (chosen.size() < most_) {
      throw_if_cancelled(stop.cancel);
      if (!chosen.empty() && stop.is_late()) break;
      const Candidate best = best_row();
      if (!(best.left > least)) break;
      take(best, index(chosen.size()));
      chosen.push_back(static_cast<std::uint32_t>(best.share->first + size(best.place)));
    }
    return chosen;
  }

 private:
  struct Share {
    std::size_t first;  ///< of its rows
    SparseRows rows = {};
    Vector left = {}, column = {};  ///< variance given the rows chosen; covariance with the last of them
    RowMatrix factor = {};          ///< [row][row chosen]
  };
  struct Candidate {
    Share* share = nullptr;
    Index place = 0;  ///< in the share
    double left = -1;
  };

  template <class Visit>
  void for_each_share(const Visit& visit) {
    parallel_for(shares_.size(), 1, threads_, [&](std::size_t s, std::size_t) { visit(shares_[s]); });
  }

  /// The row of the largest variance, the first of several.
  Candidate best_row() {
    Candidate best;
    for (Share& share : shares_) {
      Index place = 0;
      const double left = share.left.maxCoeff(&place);
      if (left > best.left) best = {&share, place, left};
    }
    return best;
  }

  /// Adds column `m` of the factor, of the row `best`.
  void take(const Candidate& best, Index m) {
    const auto row = static_cast<std::uint32_t>(best.share->first + size(best.place));
    const SparseRows pivot = rows_at(rows_, std::span(&row, 1));
    const Vector known = best.share->factor.row(best.place).head(m);
    for_each_share([&](Share& share) {
      covariance_.cross(share.rows, pivot, Matrix<double>(share.column.data(), share.rows.row_count(), 1));
      share.column.noalias() -= share.factor.leftCols(m) * known;
      share.factor.col(m) = share.column / std::sqrt(best.left);
      share.left -= share.factor.col(m).cwiseAbs2();
    });
    best.share->left[best.place] = 0;
  }

  const Covariance& covariance_;
  const SparseRows& rows_;
  std::size_t most_;
  int threads_;
  std::vector<Share> shares_;
};

/// Chooses rows by k-means in the feature space of the covariance, with rows as centres (k-medoids by the nearest row
/// to each mean).
std::vector<std::uint32_t> medoids(const Covariance& covariance, const SparseRows& rows, std::size_t most,
                                   Random& random, const Stop& stop) {
  const std::size_t n = rows.row_count(), k = std::min(most, n);
  std::vector<double> norms(n), column(n);
  covariance.diagonal(rows, norms);
  const auto distances_to = [&](std::uint32_t centre) {
    throw_if_cancelled(stop.cancel);
    covariance.cross(rows, rows_at(rows, std::span(&centre, 1)), Matrix<double>(column.data(), n, 1));
    for (std::size_t r = 0; r < n; ++r) column[r] = std::max(0.0, norms[r] + norms[centre] - 2 * column[r]);
  };
  std::vector<double> nearest(n, 1);  // squared distance; at first all are equal
  std::vector<std::uint32_t> owner(n), chosen;
  while (chosen.size() < k) {
    if (!(*std::max_element(nearest.begin(), nearest.end()) > 0) || (!chosen.empty() && stop.is_late())) break;
    const std::uint32_t centre = random.categorical(std::span<const double>(nearest));
    distances_to(centre);
    for (std::size_t r = 0; r < n; ++r)
      if (chosen.empty() || column[r] < nearest[r]) {
        nearest[r] = column[r];
        owner[r] = static_cast<std::uint32_t>(chosen.size());
      }
    chosen.push_back(centre);
  }
  for (int iteration = 0; iteration < kLloydIterations && !stop.is_late(); ++iteration) {
    // For each row: |x - mean|^2 = k(x, x) - 2 sum_c k(x, c) / size + a constant of the cluster.
    bool moved = false;
    for (std::uint32_t c = 0; c < chosen.size(); ++c) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t r = 0; r < n; ++r)
        if (owner[r] == c) members.push_back(r);
      const SparseRows cluster = rows_at(rows, members);
      std::vector<double> products(members.size() * members.size());
      covariance.cross(cluster, cluster, Matrix<double>(products.data(), members.size(), members.size()));
      std::uint32_t best = chosen[c];
      double least = 0;
      for (std::size_t r = 0; r < members.size(); ++r) {
        const double* row = products.data() + r * members.size();
        const double sum = std::accumulate(row, row + members.size(), 0.0);
        const double distance = norms[members[r]] - 2 * sum / static_cast<double>(members.size());
        if (r == 0 || distance < least) {
          least = distance;
          best = members[r];
        }
      }
      moved |= best != chosen[c];
      chosen[c] = best;
    }
    if (!moved) break;
    std::fill(nearest.begin(), nearest.end(), std::numeric_limits<double>::infinity());
    for (std::uint32_t c = 0; c < chosen.size(); ++c) {
      distances_to(chosen[c]);
      for (std::size_t r = 0; r < n; ++r)
        if (column[r] < nearest[r]) {
          nearest[r] = column[r];
          owner[r] = c;
        }
    }
  }
  return chosen;
}

}  // namespace

SparseRows rows_at(const SparseRows& rows, std::span<const std::uint32_t> which) {
  SparseRows result;
  for (const std::uint32_t r : which) {
    for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e) {
      result.columns.push_back(rows.columns[e]);
      if (!rows.values.empty()) result.values.push_back(rows.values[e]);
    }
    result.end_row();
  }
  return result;
}

void throw_if_cancelled(const CancelToken* cancel) {
  if (cancel && cancel->cancelled()) throw CancelledError("stopped before the first step");
}

std::vector<std::uint32_t> choose_inducing_rows(InducingChoice choice, const Covariance& covariance,
                                                const SparseRows& rows, std::size_t most, Random random,
                                                const Stop& stop, int threads) {
  std::vector<std::uint32_t> candidates = distinct_rows(rows);
  if (choice == InducingChoice::kRandom || candidates.size() > kMostCandidates) {
    shuffle(std::span(candidates), random);
    candidates.resize(std::min(candidates.size(), choice == InducingChoice::kRandom ? most : kMostCandidates));
  }
  if (choice == InducingChoice::kRandom) return candidates;
  const SparseRows distinct = rows_at(rows, candidates);
  std::vector<std::uint32_t> chosen = choice == InducingChoice::kKMeans
                                          ? medoids(covariance, distinct, most, random, stop)
                                          : PivotedCholesky(covariance, distinct, most, threads).choose(stop);
  for (std::uint32_t& row : chosen) row = candidates[row];
  return chosen;
}

}  // namespace fovea::gp
