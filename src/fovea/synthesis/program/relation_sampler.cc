// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/relation_sampler.h"

#include <algorithm>

namespace fovea {

RelationSampler::RelationSampler(const TermPool& terms, TermId formula, std::size_t variables,
                                 std::vector<std::int64_t> constants)
    : terms_(terms),
      root_(formula),
      order_(terms.sub_terms({&formula, 1})),
      constants_(std::move(constants)),
      sorts_(variables, Sort::kInteger),
      values_(variables),
      is_assigned_(variables),
      computed_(formula + 1),
      open_(formula + 1) {
  for (const TermId id : order_)
    if (const Term term = terms[id]; term.kind == TermKind::kVariable)
      sorts_[static_cast<std::size_t>(term.number)] = term.sort;
}

bool RelationSampler::draw(std::span<std::int64_t> values, std::size_t given, int tries, Random& random) {
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::copy(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(given), values_.begin());
    if (!draw_once(given, random)) continue;
    std::copy(values_.begin(), values_.end(), values.begin());
    return true;
  }
  return false;
}

bool RelationSampler::draw_once(std::size_t given, Random& random) {
  for (std::size_t i = 0; i < is_assigned_.size(); ++i) is_assigned_[i] = i < given;
  goals_ = {Goal{root_, true}};
  refresh();
  while (!goals_.empty()) {
    if (!reduce_goals(random)) return false;
    if (!goals_.empty() && !place_one(random)) return false;
  }
  for (std::size_t i = 0; i < is_assigned_.size(); ++i)
    if (!is_assigned_[i]) values_[i] = any_value(i, random);
  std::fill(is_assigned_.begin(), is_assigned_.end(), true);
  refresh();
  return computed_[root_].value_or(0) != 0;
}

void RelationSampler::refresh() {
  for (const TermId id : order_) refresh_term(id);
}

void RelationSampler::refresh_term(TermId id) {
  const Term term = terms_[id];
  open_[id] = kNone;
  if (term.kind == TermKind::kVariable && !is_assigned_[static_cast<std::size_t>(term.number)]) open_[id] = term.number;
  for (const TermId operand : term.operands)
    if (open_[operand] != kNone && open_[operand] != open_[id])
      open_[id] = open_[id] == kNone ? open_[operand] : kMany;
  compute(id);
}

/// The three-valued value: known where the known operands decide it.
void RelationSampler::compute(TermId id) {
  const Term term = terms_[id];
  std::optional<std::int64_t>& result = computed_[id];
  result.reset();
  const auto known = [&](std::size_t i) { return computed_[term.operands[i]]; };
  switch (term.kind) {
    case TermKind::kNumber:
    case TermKind::kTruth:
      result = term.number;
      return;
    case TermKind::kVariable:
      if (open_[id] == kNone) result = values_[static_cast<std::size_t>(term.number)];
      return;
    case TermKind::kAnd:
    case TermKind::kOr: {
      const std::int64_t deciding = term.kind == TermKind::kOr;
      bool is_known = true;
      for (const TermId operand : term.operands) {
        if (computed_[operand] == deciding) result = deciding;
        is_known &= computed_[operand].has_value();
      }
      if (is_known && !result) result = 1 - deciding;
      return;
    }
    case TermKind::kIfThenElse:
      if (known(0)) result = known(*known(0) ? 1 : 2);
      return;
    default:
      break;
  }
  std::int64_t total = 0;
  for (const TermId operand : term.operands)
    if (!computed_[operand]) return;
  switch (term.kind) {
    case TermKind::kNot:
      result = 1 - *known(0);
      return;
    case TermKind::kEqual:
      result = *known(0) == *known(1);
      return;
    case TermKind::kAtMost:
      result = *known(0) <= *known(1);
      return;
    case TermKind::kLess:
      result = *known(0) < *known(1);
      return;
    case TermKind::kScaled:
      if (!__builtin_mul_overflow(term.number, *known(0), &total)) result = total;
      return;
    default:
      for (const TermId operand : term.operands)
        if (__builtin_add_overflow(total, *computed_[operand], &total)) return;
      result = total;
  }
}

void RelationSampler::assign(std::size_t variable, std::int64_t value) {
  values_[variable] = value;
  is_assigned_[variable] = true;
  refresh();
}

/// Settles goals until nothing more follows without a guess at a value; false at a contradiction.
bool RelationSampler::reduce_goals(Random& random) {
  for (bool has_progressed = true; has_progressed;) {
    has_progressed = false;
    std::vector<Goal> goals;
    goals.swap(goals_);
    for (const Goal& goal : goals)
      if (!settle(goal, random, has_progressed)) return false;
    if (has_progressed || goals_.empty()) continue;
    // Only where nothing else follows is a disjunction decided: the more is known, the better the choice.
    for (std::size_t i = 0; i < goals_.size() && !has_progressed; ++i) {
      const Goal goal = goals_[i];
      const TermKind kind = terms_[goal.term].kind;
      if (kind != TermKind::kAnd && kind != TermKind::kOr && kind != TermKind::kIfThenElse) continue;
      goals_.erase(goals_.begin() + static_cast<std::ptrdiff_t>(i));
      if (kind == TermKind::kIfThenElse ? !choose_branch(goal, random) : !choose_operand(goal, random, has_progressed))
        return false;
      has_progressed = true;
    }
  }
  return true;
}

bool RelationSampler::settle(const Goal& goal, Random&, bool& has_progressed) {
  if (computed_[goal.term]) return (*computed_[goal.term] != 0) == goal.wanted;
  const Term term = terms_[goal.term];
  if (term.kind == TermKind::kNot || (term.kind == TermKind::kAnd && goal.wanted) ||
      (term.kind == TermKind::kOr && !goal.wanted)) {
    const bool wanted = term.kind == TermKind::kNot ? !goal.wanted : goal.wanted;
    for (const TermId operand : term.operands) goals_.push_back({operand, wanted});
    has_progressed = true;
    return true;
  }
  if (term.kind == TermKind::kIfThenElse && computed_[term.operands[0]]) {
    goals_.push_back({term.operands[*computed_[term.operands[0]] ? 1u : 2u], goal.wanted});
    has_progressed = true;
    return true;
  }
  if (term.kind == TermKind::kVariable) {
    assign(static_cast<std::size_t>(term.number), goal.wanted);
    has_progressed = true;
    return true;
  }
  if (term.kind == TermKind::kEqual && goal.wanted && open_[goal.term] != kMany) return solve(goal, has_progressed);
  goals_.push_back(goal);
  return true;
}

/// One operand of a wanted disjunction (or of a conjunction that is to fail) becomes the goal.
bool RelationSampler::choose_operand(const Goal& goal, Random& random, bool& has_progressed) {
  std::vector<TermId> candidates;
  for (const TermId operand : terms_[goal.term].operands)
    if (!computed_[operand]) candidates.push_back(operand);
  if (candidates.empty()) return false;
  goals_.push_back({candidates[random.uniform_index(static_cast<std::uint32_t>(candidates.size()))], goal.wanted});
  has_progressed = true;
  return true;
}

bool RelationSampler::choose_branch(const Goal& goal, Random& random) {
  const Term term = terms_[goal.term];
  const bool condition = random.bernoulli(0.5);
  goals_.push_back({term.operands[0], condition});
  goals_.push_back({term.operands[condition ? 1u : 2u], goal.wanted});
  return true;
}

/// left - right of a comparison with `variable` at `value`; leaves the variable open.
std::optional<std::int64_t> RelationSampler::difference(TermId comparison, std::size_t variable, std::int64_t value) {
  assign(variable, value);
  const Term term = terms_[comparison];
  const std::optional<std::int64_t> left = computed_[term.operands[0]], right = computed_[term.operands[1]];
  is_assigned_[variable] = false;
  std::int64_t result = 0;
  if (!left || !right || __builtin_sub_overflow(*left, *right, &result)) return std::nullopt;
  return result;
}

/// The value of the one open variable at which both sides are equal, rounded towards zero, if they are linear in it.
std::optional<std::int64_t> RelationSampler::boundary(TermId comparison) {
  const auto variable = static_cast<std::size_t>(open_[comparison]);
  const std::optional<std::int64_t> at_zero = difference(comparison, variable, 0);
  const std::optional<std::int64_t> at_one = difference(comparison, variable, 1);
  refresh();
  std::int64_t slope = 0;
  if (!at_zero || !at_one || __builtin_sub_overflow(*at_one, *at_zero, &slope) || slope == 0) return std::nullopt;
  if (*at_zero == INT64_MIN || slope == -1) return *at_zero == INT64_MIN ? std::nullopt : at_zero;
  return -*at_zero / slope;
}

bool RelationSampler::solve(const Goal& goal, bool& has_progressed) {
  const auto variable = static_cast<std::size_t>(open_[goal.term]);
  if (sorts_[variable] == Sort::kBoolean) {
    goals_.push_back(goal);
    for (const std::int64_t value : {0, 1}) {
      assign(variable, value);
      if (computed_[goal.term].value_or(0)) return has_progressed = true;
    }
    return false;
  }
  const std::optional<std::int64_t> root = boundary(goal.term);
  if (!root) {
    goals_.push_back(goal);
    return true;
  }
  assign(variable, *root);
  has_progressed = true;
  return computed_[goal.term].value_or(0) != 0;
}

/// Guesses one value that a goal depends on: near the bound where an inequality sets one.
bool RelationSampler::place_one(Random& random) {
  const Goal goal = goals_[random.uniform_index(static_cast<std::uint32_t>(goals_.size()))];
  const Term term = terms_[goal.term];
  const bool is_comparison = term.kind == TermKind::kEqual || term.kind == TermKind::kLess || term.kind == TermKind::kAtMost;
  if (is_comparison && open_[goal.term] >= 0) {
    const auto variable = static_cast<std::size_t>(open_[goal.term]);
    if (const std::optional<std::int64_t> bound = boundary(goal.term);
        bound && sorts_[variable] == Sort::kInteger && random.bernoulli(0.8)) {
      const auto distance = static_cast<std::int64_t>(random.poisson(random.bernoulli(0.5) ? 1 : 10));
      std::int64_t value = 0;
      if (__builtin_add_overflow(*bound, random.bernoulli(0.5) ? distance : -distance, &value)) return false;
      assign(variable, value);
      return true;
    }
  }
  std::vector<std::size_t> open;
  for (const TermId id : order_)
    if (terms_[id].kind == TermKind::kVariable && open_[id] != kNone)
      open.push_back(static_cast<std::size_t>(open_[id]));
  if (open.empty()) return false;
  const std::size_t variable = open[random.uniform_index(static_cast<std::uint32_t>(open.size()))];
  assign(variable, any_value(variable, random));
  return true;
}

std::int64_t RelationSampler::any_value(std::size_t variable, Random& random) const {
  if (sorts_[variable] == Sort::kBoolean) return random.bernoulli(0.5);
  std::int64_t value = 0;
  if (!constants_.empty() && random.bernoulli(0.5))
    value = constants_[random.uniform_index(static_cast<std::uint32_t>(constants_.size()))];
  const auto distance = static_cast<std::int64_t>(random.poisson(random.bernoulli(0.5) ? 2 : 15));
  std::int64_t moved = 0;
  return __builtin_add_overflow(value, random.bernoulli(0.5) ? distance : -distance, &moved) ? value : moved;
}

}  // namespace fovea
