// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/gibbs.h"

#include <gtest/gtest.h>

#include <map>

#include "fovea/base/random.h"
#include "tests/support/enumerating_random.h"

namespace fovea::mcmc {
namespace {

/// Three ternary variables with an arbitrary joint table: every pair interacts.
class TableModel {
 public:
  TableModel() {
    Random random(1);
    for (float& s : log_table_) s = static_cast<float>(random.normal());
  }
  std::size_t variable_count() const { return 3; }
  std::size_t cardinality(VariableId) const { return 3; }
  double log_score(const Assignment& y) const { return log_table_[9 * y[0] + 3 * y[1] + y[2]]; }
  std::vector<VariableId> markov_blanket(VariableId v) const { return {(v + 1) % 3, (v + 2) % 3}; }
  void conditional_scores(VariableId v, const Assignment& y, std::span<float> scores) const {
    Assignment z = y;
    for (z[v] = 0; z[v] < 3; ++z[v]) scores[z[v]] = static_cast<float>(log_score(z));
  }

 private:
  float log_table_[27];
};

using ExactLaw = std::map<Assignment, double>;

ExactLaw target(const TableModel& model) {
  ExactLaw law;
  double total = 0;
  for (Value a = 0; a < 3; ++a)
    for (Value b = 0; b < 3; ++b)
      for (Value c = 0; c < 3; ++c) total += law[{a, b, c}] = std::exp(model.log_score({a, b, c}));
  for (auto& [y, p] : law) p /= total;
  return law;
}

/// The gap of a kernel that visits the site that choose(y, random) names.
template <class Choose>
double site_gap(const TableModel& model, const Choose& choose) {
  const GibbsKernel<TableModel> kernel(model);
  return testing::invariance_gap(target(model), [&](Assignment y, testing::EnumeratingRandom& random) {
    const VariableId v = choose(y, random);
    kernel.step(y, {&v, 1}, random);
    return y;
  });
}

TEST(GibbsKernelTest, LeavesTheTargetInvariant) {
  const TableModel model;
  for (VariableId v = 0; v < 3; ++v) EXPECT_LT(site_gap(model, [&](const Assignment&, auto&) { return v; }), 1e-12);
  EXPECT_LT(site_gap(model, [&](const Assignment&, auto& r) { return r.uniform_index(3); }), 1e-12);
}

// The reason why learned schedules have the type Heuristic, and the wrong fixture that the check must catch.
TEST(GibbsKernelTest, ChoosingTheSiteByTheCurrentValuesDoesNot) {
  const TableModel model;
  EXPECT_GT(site_gap(model, [&](const Assignment& y, auto&) { return VariableId{y[0] == y[1] ? 2u : 0u}; }), 1e-3);
}

}  // namespace
}  // namespace fovea::mcmc
