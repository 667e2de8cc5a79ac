// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/factor_sums.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr double kUnderflow = 1e-280;  // linear sums below this are recomputed in the log domain
constexpr std::size_t kEntriesBetweenLooks = 1 << 14;

double highest_or_zero(std::span<const double> scores) {
  const double highest = *std::ranges::max_element(scores);
  return highest == -kInfinity ? 0 : highest;
}

}  // namespace

FactorSums::FactorSums(const FactorGraph& graph, Marginal marginal) : graph_(graph), marginal_(marginal) {
  if (marginal == Marginal::kMax) return;
  std::size_t size = 0;
  for (TableId t = 0; t < graph.table_count(); ++t) {
    begin_.push_back(size);
    size += graph.shared_table(t).size();
  }
  offsets_.assign(graph.table_count(), kInfinity);
  linear_ = std::make_unique_for_overwrite<double[]>(size);
}

std::size_t FactorSums::predicted_bytes(const FactorGraph& graph, Marginal marginal) {
  std::size_t largest = 0;
  for (TableId t = 0; t < graph.table_count(); ++t) largest = std::max(largest, graph.shared_table(t).size());
  const std::size_t tables = graph.entry_count() + graph.table_count() * 2;
  return sizeof(double) * (4 * largest + (marginal == Marginal::kSum ? tables : 0));
}

void FactorSums::set_inverse_temperature(double inverse_temperature) {
  if (inverse_temperature == inverse_temperature_) return;
  inverse_temperature_ = inverse_temperature;
  std::ranges::fill(offsets_, kInfinity);
}

// out = exp(inverse_temperature * (scores - offset)); false if `stop` was requested.
bool FactorSums::exponentiate(std::span<const double> scores, double offset, double* out, const Stop& stop) const {
  for (std::size_t begin = 0; begin < scores.size(); begin += kEntriesBetweenLooks) {
    if (begin > 0 && stop.requested()) return false;
    const std::size_t end = std::min(scores.size(), begin + kEntriesBetweenLooks);
    for (std::size_t i = begin; i < end; ++i) out[i] = std::exp(inverse_temperature_ * (scores[i] - offset));
  }
  return true;
}

bool FactorSums::exponentiate_table(TableId table, const Stop& stop) {
  if (offsets_[table] != kInfinity) return true;
  const std::span<const double> scores = graph_.shared_table(table);
  const double offset = highest_or_zero(scores);
  if (!exponentiate(scores, offset, linear_.get() + begin_[table], stop)) return false;
  offsets_[table] = offset;
  return true;
}

bool FactorSums::sum(FactorId f, std::span<const double* const> vectors, std::size_t keep, double* out,
                     const Stop& stop) {
  cardinalities_.clear();
  for (const VariableId v : graph_.scope(f)) cardinalities_.push_back(graph_.cardinalities()[v]);
  const std::span<const double> table = graph_.table(f);
  if (marginal_ == Marginal::kMax) return max_plus_.run(table, cardinalities_, vectors, keep, out, stop);
  const TableId id = graph_.table_id(f);
  if (!exponentiate_table(id, stop)) return false;
  return sum_linear(table, {linear_.get() + begin_[id], table.size()}, offsets_[id], vectors, keep, out, stop);
}

bool FactorSums::sum(const FactorSlice& slice, std::span<const double* const> vectors, std::size_t keep, double* out,
                     const Stop& stop) {
  cardinalities_.assign(slice.cardinalities().begin(), slice.cardinalities().end());
  const std::span<const double> table = slice.table();
  if (marginal_ == Marginal::kMax) return max_plus_.run(table, cardinalities_, vectors, keep, out, stop);
  if (slice_linear_.size() < table.size()) slice_linear_.resize(table.size());
  const double offset = highest_or_zero(table);
  return exponentiate(table, offset, slice_linear_.data(), stop) &&
         sum_linear(table, {slice_linear_.data(), table.size()}, offset, vectors, keep, out, stop);
}

bool FactorSums::sum_linear(std::span<const double> table, std::span<const double> linear, double offset,
                            std::span<const double* const> vectors, std::size_t keep, double* out, const Stop& stop) {
  std::size_t values = 0;
  for (const std::uint32_t cardinality : cardinalities_) values += cardinality;
  if (vector_values_.size() < values) vector_values_.resize(values);
  linear_vectors_.clear();
  double* next = vector_values_.data();
  for (std::size_t j = 0; j < vectors.size(); ++j) {
    linear_vectors_.push_back(next);
    if (j != keep)
      for (std::size_t k = 0; k < cardinalities_[j]; ++k) next[k] = std::exp(vectors[j][k]);
    next += cardinalities_[j];
  }
  if (!sum_product_.run(linear, cardinalities_, linear_vectors_, keep, out, stop)) return false;
  const std::size_t cardinality = cardinalities_[keep];
  if (*std::min_element(out, out + cardinality) < kUnderflow) {
    if (inverse_temperature_ == 1) return log_sum_exp_.run(table, cardinalities_, vectors, keep, out, stop);
    heated_.assign(table.begin(), table.end());
    for (double& score : heated_) score *= inverse_temperature_;
    return log_sum_exp_.run(heated_, cardinalities_, vectors, keep, out, stop);
  }
  for (std::size_t k = 0; k < cardinality; ++k) out[k] = inverse_temperature_ * offset + std::log(out[k]);
  return true;
}

double FactorSums::sum(const double* scores, std::size_t n) const {
  const double highest = *std::max_element(scores, scores + n);
  if (marginal_ == Marginal::kMax || highest == -kInfinity) return highest;
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += std::exp(scores[k] - highest);
  return highest + std::log(sum);
}

}  // namespace fovea::graph
