// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/mcmc/target_law.h"
#include "fovea/synthesis/formula_search/atom_sets.h"
#include "fovea/synthesis/formula_search/formula_state.h"

namespace fovea::synthesis {

/// Costs of errors. The full cost is I(f), the number of examples violated. The simplified cost of the paper asks every
/// disjunct by itself to agree with the formula wanted: a disjunct is wrong where it holds and the formula must not,
/// and only incomplete where it does not hold and the formula must, as another disjunct might hold there.
struct FormulaCosts {
  bool is_simplified = false;
  unsigned wrong = 1, incomplete = 1;  ///< simplified: for each disjunct and example
};

/// Accepts increases of a cost with probability min(1, exp(-increase / temperature)).
class Acceptance {
 public:
  Acceptance() = default;
  /// `temperature` is above 0, in the units of the cost.
  explicit Acceptance(double temperature);

  template <class R>
  bool accepts(std::uint64_t increase, R& random) const {
    return increase < probabilities_.size() && random.bernoulli(probabilities_[increase]);
  }

 private:
  std::vector<double> probabilities_;  // [increase], down to those that a random draw cannot distinguish from 0
};

/// The edits that a step proposes: a slot and a kind of edit of its comparison, both drawn with one index.
class EditTable {
 public:
  struct Edit {
    std::uint32_t slot, kind;  // kind == redraw(): all of the comparison
  };
  struct Change {
    std::uint32_t place, others;  // others: digits besides the present one; 0: nothing to change
    std::uint64_t stride;
    bool to_neighbour;
  };

  EditTable(const AtomSpace& space, std::size_t slots);

  std::uint32_t size() const { return static_cast<std::uint32_t>(edits_.size()); }
  Edit edit(std::uint32_t index) const { return edits_[index]; }
  std::uint32_t redraw() const { return kinds_; }
  const Change& change(std::uint32_t family, std::uint32_t kind) const { return changes_[family * kinds_ + kind]; }

 private:
  std::uint32_t kinds_;
  std::vector<Edit> edits_;
  std::vector<Change> changes_;  // [family][kind]
};

/// Sets of rows at which a formula's parts hold, which a run of steps keeps up to date. A workspace without meaning
/// between runs.
struct FormulaSets {
  std::vector<std::uint64_t> slot;     // [slot][word]: where the comparison holds
  std::vector<std::uint64_t> rest;     // [slot][word]: where all others of its disjunct hold
  std::vector<std::uint64_t> term;     // [disjunct][word]: where it holds
  std::vector<std::uint64_t> others;   // [disjunct][word]: where some other disjunct holds
  std::vector<std::uint64_t> costs;    // [disjunct], simplified
  std::vector<std::uint32_t> scratch;  // [place] of a comparison drawn afresh
};

/// The formula of least full cost so far.
struct BestFormula {
  std::uint64_t cost = std::numeric_limits<std::uint64_t>::max();
  std::vector<FormulaState::Slot> slots = {};
};

/// Metropolis-Hastings over formulas (Steinhardt and Liang 2015, section 5). A step draws one comparison uniformly and
/// proposes, with equal probability for each kind of edit,
///   another digit at one of its places: another bound, another coefficient; or another form, another relation;
///   if there are many bounds, the next higher or lower one; or
///   a comparison drawn afresh;
/// and takes it with probability min(1, exp(-increase / temperature)). This leaves mu(f) exp(-cost(f) / temperature)
/// invariant, where mu is the law by which formulas are drawn afresh, uniform if there is one family of comparisons.
class FormulaKernel {
 public:
  using TargetLaw = mcmc::Invariant;

  /// `sets` must outlive it.
  FormulaKernel(AtomSets& sets, std::size_t terms, std::size_t atoms);

  struct Run {
    std::uint64_t steps = 0;  ///< taken; all that were asked for, unless the cost became 0
    std::uint64_t cost = 0;   ///< of the formula at the end
  };

  /// Takes the given number of steps, or fewer if the cost becomes 0. With the full cost, `best` receives the best
  /// formula met.
  Run run(FormulaState& formula, const FormulaCosts& costs, const Acceptance& acceptance, std::uint64_t steps,
          Random& random, BestFormula& best);

 private:
  AtomSets* sets_;
  EditTable edits_;
  FormulaSets workspace_;
};

}  // namespace fovea::synthesis
