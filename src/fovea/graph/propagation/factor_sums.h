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

/// Whether the values of other variables are summed or maximised out.
enum class Marginal { kSum, kMax };

/// Sums of factors over all their variables but one, log domain to log domain:
///
///   out[x_v] = log sum over the others of exp(table[x] + sum over u != v of vectors[u][x_u])       (or the maximum)
///
/// Sums are made in the linear domain, on tables exponentiated once (each when it is first used), and again in the
/// log domain where that underflows: -inf in `out` means that every term is -inf.
class FactorSums {
 public:
  /// Keeps a reference to `graph`.
  FactorSums(const FactorGraph& graph, Marginal marginal);

  static std::size_t predicted_bytes(const FactorGraph& graph, Marginal marginal);

  /// From now on sums (maxima are unchanged) are those of tables to this power: of exp(inverse_temperature * table).
  void set_inverse_temperature(double inverse_temperature);

  /// For factor f; vectors[position] lies in the log domain with a maximum of about 0. False where `stop` was
  /// requested.
  bool sum(FactorId f, std::span<const double* const> vectors, std::size_t keep, double* out, const Stop& stop);
  /// The same for the open variables of a slice.
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
  std::vector<std::size_t> begin_;    // [table]: where its entries lie in linear_
  std::vector<double> offsets_;       // [table]: its highest entry; +inf until it has been exponentiated
  std::vector<double> slice_linear_, vector_values_, heated_;
  std::vector<const double*> linear_vectors_;
  std::vector<std::uint32_t> cardinalities_;
  Contraction<SumProduct> sum_product_;
  Contraction<MaxPlus> max_plus_;
  Contraction<LogSumExp> log_sum_exp_;
};

}  // namespace fovea::graph
