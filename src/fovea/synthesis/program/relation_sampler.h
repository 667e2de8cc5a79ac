// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/synthesis/program/term.h"

namespace fovea {

/// Draws values of variables that make a formula true, the others being given: start states from a precondition, steps
/// from a transition relation, without a solver. Equations with one open variable are solved, disjunctions are decided
/// by chance among those that can still hold, what is then open is drawn, near the bounds that inequalities set. It
/// gives up where a choice leads to a contradiction, so it may fail where there are solutions; its law is unspecified.
/// The pool must outlive it; belongs to one thread at a time.
class RelationSampler {
 public:
  /// `variables` is their number (more than any index); `constants` are drawn for what nothing determines.
  RelationSampler(const TermPool& terms, TermId formula, std::size_t variables, std::vector<std::int64_t> constants);

  /// Keeps values[i] for i < given and fills in the rest; true where the formula holds then. Tries `tries` times.
  bool draw(std::span<std::int64_t> values, std::size_t given, int tries, Random& random);

 private:
  struct Goal {
    TermId term;
    bool wanted;
  };
  static constexpr std::int64_t kNone = -1, kMany = -2;

  bool draw_once(std::size_t given, Random& random);
  void refresh();
  void refresh_term(TermId id);
  void compute(TermId id);
  bool reduce_goals(Random& random);
  bool settle(const Goal& goal, Random& random, bool& has_progressed);
  bool choose_operand(const Goal& goal, Random& random, bool& has_progressed);
  bool choose_branch(const Goal& goal, Random& random);
  bool solve(const Goal& goal, bool& has_progressed);
  bool place_one(Random& random);
  std::optional<std::int64_t> boundary(TermId comparison);
  std::optional<std::int64_t> difference(TermId comparison, std::size_t variable, std::int64_t value);
  void assign(std::size_t variable, std::int64_t value);
  std::int64_t any_value(std::size_t variable, Random& random) const;

  const TermPool& terms_;
  TermId root_;
  std::vector<TermId> order_;
  std::vector<std::int64_t> constants_;
  std::vector<Sort> sorts_;                 // of variables; integers where the formula does not name them
  std::vector<std::int64_t> values_;        // of variables
  std::vector<bool> is_assigned_;           // of variables
  std::vector<std::optional<std::int64_t>> computed_;  // of terms, as far as known
  std::vector<std::int64_t> open_;          // of terms: the one variable that is not assigned, kNone or kMany
  std::vector<Goal> goals_;
};

}  // namespace fovea
