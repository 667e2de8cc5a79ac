// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/formula_kernel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/synthesis/formula_search/formula_kernel-inl.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/markov_matrix.h"

namespace fovea::synthesis {
namespace {

using testing::EnumeratingRandom;
using testing::Law;
using testing::MarkovMatrix;

/// The cost that a run must report, by evaluation of every comparison at every row.
std::uint64_t plain_cost(const ExampleSet& examples, const AtomSpace& space, const FormulaState& formula,
                         const FormulaCosts& costs) {
  if (!costs.is_simplified) return examples.errors(formula_of(space, formula));
  std::uint64_t cost = 0;
  for (std::size_t term = 0; term < formula.terms; ++term) {
    std::vector<std::vector<std::uint64_t>> alone(1);
    for (std::size_t j = 0; j < formula.atoms; ++j) alone[0].push_back(formula.slots[term * formula.atoms + j].number);
    const Dnf disjunct = space.formula(alone);
    for (std::size_t e = 0; e < examples.size(); ++e)
      if (examples.errs(disjunct, e)) cost += examples.kind(e) == ExampleKind::kBad ? costs.wrong : costs.incomplete;
  }
  return cost;
}

void add_labelled_and_implied(ExampleSet& examples, std::size_t count, bool with_implications, Random& random) {
  const auto draw_row = [&] {
    ExampleSet::Row row(examples.variables());
    for (std::int64_t& x : row) x = static_cast<std::int64_t>(random.uniform_index(9)) - 4;
    return row;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t kind = random.uniform_index(with_implications ? 3 : 2);
    if (kind == 0) examples.add_good(draw_row());
    else if (kind == 1) examples.add_bad(draw_row());
    else examples.add_implication(draw_row(), draw_row());
  }
}

void expect_costs_as_evaluated(std::size_t terms, std::size_t atoms, bool with_implications, std::size_t table_bytes) {
  const AtomSpace space({.variables = 3, .forms = {{2, -3, 1}}, .octagons = true, .equations = true});
  AtomSets sets(space, table_bytes);
  ExampleSet examples(3);
  Random random(1);
  FormulaKernel kernel(sets, terms, atoms);
  FormulaState formula(space, terms, atoms);
  draw_formula(space, formula, random);
  BestFormula best;
  for (const std::size_t more : {20, 30, 20, 60, 150}) {  // 1, 1, 2, 4 and 8 words
    add_labelled_and_implied(examples, more, with_implications, random);
    sets.take(examples);
    for (int run = 0; run < 40; ++run) {
      const FormulaCosts costs = {.is_simplified = run % 2 == 1, .wrong = 3, .incomplete = 2};
      const auto report = kernel.run(formula, costs, Acceptance(2), random.uniform_index(30), random, best);
      ASSERT_EQ(report.cost, plain_cost(examples, space, formula, costs)) << "terms " << terms << ", run " << run;
    }
  }
}

TEST(FormulaKernelTest, CostsAreWhatEvaluationSaysAfterEditsAndAdditions) {
  for (const std::size_t terms : {1, 2, 3})
    for (const std::size_t atoms : {1, 2, 4}) {
      expect_costs_as_evaluated(terms, atoms, false, AtomSets::kTableBytes);
      expect_costs_as_evaluated(terms, atoms, true, AtomSets::kTableBytes);
      expect_costs_as_evaluated(terms, atoms, true, 2048);
    }
}

TEST(FormulaKernelTest, KeepsTheBestFormulaOfTheFullCost) {
  const AtomSpace space({.variables = 3});
  AtomSets sets(space);
  ExampleSet examples(3);
  Random random(4);
  add_labelled_and_implied(examples, 60, true, random);
  sets.take(examples);
  FormulaKernel kernel(sets, 2, 2);
  FormulaState formula(space, 2, 2);
  draw_formula(space, formula, random);
  BestFormula best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (int step = 0; step < 3000; ++step)
    least = std::min(least, kernel.run(formula, {}, Acceptance(1), 1, random, best).cost);
  EXPECT_EQ(best.cost, least);
  formula.slots = best.slots;
  EXPECT_EQ(examples.errors(formula_of(space, formula)), least);
}

TEST(FormulaKernelTest, StopsWhereNothingIsWrong) {
  const AtomSpace space({.variables = 1});
  AtomSets sets(space);
  ExampleSet examples(1);
  examples.add_good(ExampleSet::Row{0});
  examples.add_bad(ExampleSet::Row{1});
  sets.take(examples);
  FormulaKernel kernel(sets, 1, 1);
  FormulaState formula(space, 1, 1);
  Random random(1);
  BestFormula best;
  const auto first = kernel.run(formula, {}, Acceptance(.5), 1000000, random, best);
  EXPECT_EQ(first.cost, 0u);
  EXPECT_LT(first.steps, 1000000u);
  EXPECT_EQ(kernel.run(formula, {}, Acceptance(.5), 10, random, best).steps, 0u);
}

/// 6 comparisons of the box, 6 templates.
AtomChoice two_families() {
  return {.variables = 1, .bounds = {-1, 0}, .forms = {{1}}, .equations = true, .template_share = .3};
}

/// 9 comparisons, whose bounds are moved to neighbours too.
AtomChoice many_bounds() {
  return {.variables = 1, .coefficient_range = 0, .bounds = {-4, -3, -2, -1, 0, 1, 2, 3, 4}, .forms = {{1}}};
}

/// A space so small that all pairs of its comparisons can be listed.
class TinyFormulas {
 public:
  TinyFormulas(const AtomChoice& choice, std::size_t terms, std::size_t atoms)
      : space_(choice), sets_(space_), terms_(terms), atoms_(atoms), edits_(space_, 2) {
    examples_.add_good(ExampleSet::Row{0});
    examples_.add_bad(ExampleSet::Row{-1});
    examples_.add_bad(ExampleSet::Row{-2});
    examples_.add_implication(ExampleSet::Row{-3}, ExampleSet::Row{2});
    sets_.take(examples_);
  }

  std::size_t states() const { return space_.size() * space_.size(); }

  /// One step, exactly; from states of cost 0 the chain does not move.
  MarkovMatrix matrix(double temperature, const FormulaCosts& costs) {
    MarkovMatrix matrix(states());
    const Acceptance acceptance(temperature);
    FormulaSets workspace;
    BestFormula best;
    for (std::size_t from = 0; from < states(); ++from) {
      FormulaState formula = state(0);
      EnumeratingRandom random;
      random.enumerate(
          [&](EnumeratingRandom& r) {
            formula = state(from);
            HWY_NAMESPACE::run_formula<HWY_NAMESPACE::SetWidth<0>>(formula, sets_, workspace, edits_, costs, acceptance,
                                                                   1, r, best);
          },
          [&](double probability) { matrix.at(from, index(formula)) += probability; });
    }
    return matrix;
  }

  /// mu(f) exp(-cost(f) / temperature) over formulas of positive cost, which are all that move.
  Law target(double temperature, const FormulaCosts& costs) const {
    Law law(states());
    double total = 0;
    for (std::size_t s = 0; s < states(); ++s) {
      const FormulaState formula = state(s);
      const auto cost = static_cast<double>(plain_cost(examples_, space_, formula, costs));
      double weight = cost > 0 ? std::exp(-cost / temperature) : 0;
      for (const FormulaState::Slot& slot : formula.slots)
        weight *= space_.shares()[slot.family] / static_cast<double>(space_.families()[slot.family].size);
      total += law[s] = weight;
    }
    for (double& p : law) p /= total;
    return law;
  }

  bool is_moving(std::size_t s, const FormulaCosts& costs) const {
    return plain_cost(examples_, space_, state(s), costs) > 0;
  }

 private:
  FormulaState state(std::size_t index) const {
    FormulaState formula(space_, terms_, atoms_);
    for (std::size_t slot = 0; slot < 2; ++slot) {
      const std::uint64_t number = slot == 0 ? index % space_.size() : index / space_.size();
      const auto family = static_cast<std::uint32_t>(number >= space_.families()[0].size);
      formula.slots[slot] = {.number = number, .family = family};
      for (std::size_t p = 0; p < space_.families()[family].places.size(); ++p) {
        const AtomSpace::Place& place = space_.families()[family].places[p];
        formula.digits[slot * formula.places + p] =
            static_cast<std::uint32_t>((number - space_.families()[family].first) / place.stride % place.digits);
      }
    }
    return formula;
  }
  std::size_t index(const FormulaState& formula) const {
    return formula.slots[0].number + space_.size() * formula.slots[1].number;
  }

  AtomSpace space_;
  AtomSets sets_;
  std::size_t terms_, atoms_;
  EditTable edits_;
  ExampleSet examples_{1};
};

/// The largest p(a) A(a, b) - p(b) A(b, a): detailed balance, which makes p invariant wherever the chain is stopped.
double largest_imbalance(const MarkovMatrix& matrix, const Law& law, const auto& is_moving) {
  double gap = 0;
  for (std::size_t a = 0; a < law.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (is_moving(a) && is_moving(b))
        gap = std::max(gap, std::abs(law[a] * matrix.at(a, b) - law[b] * matrix.at(b, a)));
  return gap;
}

void expect_target_law(const AtomChoice& choice) {
  constexpr double kTemperature = .7;
  for (const std::size_t terms : {1, 2})
    for (const bool is_simplified : {false, true}) {
      TinyFormulas tiny(choice, terms, 3 - terms);
      const FormulaCosts costs = {.is_simplified = is_simplified, .wrong = 2, .incomplete = 1};
      const auto is_moving = [&](std::size_t s) { return tiny.is_moving(s, costs); };
      const MarkovMatrix matrix = tiny.matrix(kTemperature, costs);
      for (std::size_t s = 0; s < tiny.states(); ++s) {
        double sum = 0;
        for (const double p : matrix.row(s)) sum += p;
        ASSERT_NEAR(sum, 1, 1e-12);
      }
      EXPECT_LT(largest_imbalance(matrix, tiny.target(kTemperature, costs), is_moving), 1e-15);
      // Wrong fixtures: another temperature's law, and the other cost's.
      EXPECT_GT(largest_imbalance(matrix, tiny.target(kTemperature + .1, costs), is_moving), 1e-6);
      const FormulaCosts other = {.is_simplified = !is_simplified, .wrong = 2, .incomplete = 1};
      EXPECT_GT(largest_imbalance(matrix, tiny.target(kTemperature, other), is_moving), 1e-6);
    }
}

TEST(FormulaKernelTest, LeavesTheTargetLawInvariant) { expect_target_law(two_families()); }
TEST(FormulaKernelTest, LeavesTheTargetLawInvariantWithManyBounds) { expect_target_law(many_bounds()); }

}  // namespace
}  // namespace fovea::synthesis
