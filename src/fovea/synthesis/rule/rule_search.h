// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/synthesis/rule/atom_pool.h"

namespace fovea::synthesis {

/// Looks for the formula that minimises
///
///   cost(f) = weight of the rows that f gets wrong + penalty * size(f)
///
/// by Metropolis-Hastings over formulas in disjunctive normal form, whose temperature falls (simulated annealing), from
/// the formula given and from the empty one. For one thread.
class RuleSearch {
 public:
  struct Limits {
    std::size_t terms = 6, atoms = 4;  ///< disjuncts; comparisons in one
  };
  /// [disjunct][atom]: numbers of the pool's atoms.
  using Formula = std::vector<std::vector<std::uint32_t>>;

  /// All must outlive it. `positive`: [row], where the formula should hold.
  RuleSearch(const AtomPool& pool, const RuleExamples& examples, const std::vector<bool>& positive, Limits limits,
             Random random);

  /// The best formula of `steps` steps, `start` included. Ends early if `stop` asks to.
  Formula search(double penalty, std::uint64_t steps, const Formula& start, const Stop& stop);

  /// Weight of the rows that the formula gets wrong.
  double errors(const Formula& formula) const;
  double total_weight() const { return total_weight_; }
  RuleFormula formula(const Formula& atoms) const;

 private:
  double cost(const Formula& formula, double penalty) const;
  void anneal(Formula state, double hot, std::uint64_t steps, double penalty, const Stop& stop);
  bool propose();
  std::uint32_t draw_atom();
  std::uint32_t near(std::uint32_t atom);
  void rows_of(const std::vector<std::uint32_t>& term, RowBits& rows) const;
  double weight_of(const RowBits& rows) const;

  const AtomPool& pool_;
  Limits limits_;
  Random random_;
  RowBits positive_;
  std::vector<RowBits> planes_;  // bit b of each row's weight, in units; one plane of ones if weights are equal
  double unit_ = 1, total_weight_ = 0;
  Formula trial_;
  Formula best_;
  double best_cost_ = 0;
  mutable RowBits union_, term_;
};

}  // namespace fovea::synthesis
