// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/mcmc/restart/mixing_bound.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/formula_search/atom_space.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {

/// Chains that look for a formula.
enum class SearchStages { kNoRestarts, kRestarts, kSimplifiedFirst, kPortfolio };
constexpr auto words_of(SearchStages) {
  using enum SearchStages;
  return std::array{Word{kNoRestarts, "0"}, Word{kRestarts, "1"}, Word{kSimplifiedFirst, "2"},
                    Word{kPortfolio, "portfolio"}};
}

struct DnfSearchOptions {
  int terms = 3, atoms = 3;
  SearchStages stages = SearchStages::kPortfolio;
  double temperature = .35;
  double simple_rate = .04, full_rate = .0002;
  std::uint64_t seed = 1;  ///< not described: programs have an option of their own

  static void describe(auto&& visit) {
    visit(&DnfSearchOptions::terms, number_in(1, 64, "terms", "Maximum number of disjuncts."));
    visit(&DnfSearchOptions::atoms, number_in(1, 64, "atoms", "Maximum number of comparisons in a disjunct."));
    visit(&DnfSearchOptions::stages,
          option("stages",
                 "Chains used. 0: no restarts; 1: restarts; 2: restarts, each followed by steps with the simplified "
                 "cost; portfolio: chains of all kinds, by past success."));
    visit(&DnfSearchOptions::temperature,
          number_in(1e-3, 1e6, "temperature",
                    "A step that raises the cost by c is taken with probability exp(-c / temperature)."));
    visit(&DnfSearchOptions::simple_rate,
          number_in(1e-9, 1, "simple-rate", "Probability that a step ends the stage with the simplified cost."));
    visit(&DnfSearchOptions::full_rate,
          number_in(1e-9, 1, "full-rate", "Probability that a step ends the stage with the full cost by a restart."));
  }
};

/// Looks for a formula in disjunctive normal form that errs on no example, by Metropolis-Hastings over terms x atoms
/// comparisons (Steinhardt and Liang 2015, section 5), with restarts and stages, or by a portfolio of such chains: with
/// larger and smaller formulas, hotter and colder, over all comparisons or only those of the box or of the templates.
/// Past success on the examples decides which chain goes on.
///
/// A search goes on where it stopped: examples may be ADDED between calls of find, and the chains go on from their
/// present formulas. The same seed, examples and step budgets give the same formulas. Not thread-safe.
class DnfSearch {
 public:
  /// Throws UsageError if `options` or `choice` are not valid.
  DnfSearch(const AtomChoice& choice, const DnfSearchOptions& options);
  ~DnfSearch();
  DnfSearch(DnfSearch&&) noexcept;
  DnfSearch& operator=(DnfSearch&&) noexcept;

  /// A formula without error on `examples`, simplified; none when the budget's transitions (of this call) are spent,
  /// `stop` asks to end, or the examples contradict each other. The examples must be those of the last call, perhaps
  /// with more added.
  std::optional<Dnf> find(const ExampleSet& examples, const Budget& budget = {}, const Stop& stop = {},
                          const ProgressFunction& progress = {});

  /// The formula with the fewest errors on the examples of the last call, simplified; false before the first call.
  Dnf best() const;

  /// Lower bound on how fast the chain mixes, whatever the examples are. None without restarts, and none for the
  /// portfolio, whose choices depend on what was found before.
  std::optional<mcmc::MixingBound> mixing_bound() const;

  std::uint64_t steps() const;     ///< Metropolis-Hastings steps and restarts, all calls together
  std::uint64_t restarts() const;  ///< formulas drawn afresh, all calls together

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fovea::synthesis
