// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/contraction.h"
#include "fovea/graph/propagation/factor_slice.h"

namespace fovea::graph {

/// Operation that eliminates the other variables: their sum or their maximum.
enum class Marginal { kSum, kMax };

/// Sums of factors over all their variables except one, log domain to log domain:
///
///   out[x_v] = log sum over the others of exp(table[x] + sum over u != v of vectors[u][x_u])       (or the maximum)
///
/// Sums are computed in the linear domain, on tables exponentiated once (each at its first use), and recomputed in the
/// log domain if that underflows: -inf in `out` means that every term is -inf.
class FactorSums {
 public:
  /// Keeps a reference to `graph`.
  FactorSums(const FactorGraph& graph, Marginal marginal);

  static std::size_t predicted_bytes(const FactorGraph& graph, Marginal marginal);

  /// Raises the tables to this power in all later sums, which become those of exp(inverse_temperature * table). Maxima
  /// do not change.
  void set_inverse_temperature(double inverse_temperature);

  /// Computes `out` for factor f; vectors[position] is in the log domain with a maximum of about 0. False if `stop` was
  /// requested.
  bool sum(FactorId f, std::span<const double* const> vectors, std::size_t keep, double* out, const Stop& stop);
  /// Does the same for the open variables of a slice.
  bool sum(const FactorSlice& slice, std::span<const double* const> vectors, std::size_t keep, double* out,
           const Stop& stop);

  /// log sum exp (or the maximum) of n scores.
  double sum(const double* scores, std::size_t n) const;

 private:
  bool exponentiate_table(TableId table, const Stop& stop);
  bool exponentiate(std::span<const double> scores, double offset, double* out, const Stop& stop) const;
  bool sum_linear(std::span<const double> table, std::span<const double> linear, double offset,
                  std::span<const double* const> vectors, std::size_t keep, double* out, const Stop& stop);

  const FactorGraph& graph_;
  Marginal marginal_;
  double inverse_temperature_ = 1;
  std::unique_ptr<double[]> linear_;  // all tables as exp(inverse_temperature_ * (entry - offset))
  std::vector<std::size_t> begin_;    // [table]: start of its entries in linear_
  std::vector<double> offsets_;       // [table]: its highest entry; +inf until it has been exponentiated
  std::vector<double> slice_linear_, vector_values_, heated_;
  std::vector<const double*> linear_vectors_;
  std::vector<std::uint32_t> cardinalities_;
  Contraction<SumProduct> sum_product_;
  Contraction<MaxPlus> max_plus_;
  Contraction<LogSumExp> log_sum_exp_;
};

}  // namespace fovea::graph
