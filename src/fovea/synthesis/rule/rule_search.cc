// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/rule_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace fovea::synthesis {
namespace {

/// Weights are rounded to this number of bits.
constexpr int kWeightBits = 10;
/// Temperatures at the beginning, as shares of the total weight, and at the end, in weights of a row.
constexpr double kHot = .03, kWarm = .003, kCold = .1;
/// Runs from the empty formula; one more begins at the best.
constexpr std::uint64_t kRuns = 3;
/// The clock is looked at after this number of steps.
constexpr std::uint64_t kStepsPerLook = 512;

}  // namespace

RuleSearch::RuleSearch(const AtomPool& pool, const RuleExamples& examples, const std::vector<bool>& positive,
                       Limits limits, Random random)
    : pool_(pool), limits_(limits), random_(random) {
  const std::size_t count = examples.table.row_count, words = (count + 63) / 64;
  double heaviest = 0;
  bool is_equal = true;
  for (std::size_t row = 0; row < count; ++row) {
    heaviest = std::max(heaviest, examples.weight(row));
    is_equal &= examples.weight(row) == examples.weight(0);
  }
  const int bits = is_equal ? 1 : kWeightBits;
  unit_ = heaviest / static_cast<double>((1 << bits) - 1);
  positive_.resize(words);
  planes_.assign(static_cast<std::size_t>(bits), RowBits(words));
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    if (positive[row]) positive_[row / 64] |= bit;
    const auto units = unit_ > 0 ? static_cast<std::uint64_t>(std::llround(examples.weight(row) / unit_)) : 0;
    for (std::size_t b = 0; b < planes_.size(); ++b)
      if (units >> b & 1) planes_[b][row / 64] |= bit;
  }
  union_.resize(words);
  term_.resize(words);
  total_weight_ = weight_of(RowBits(words, ~std::uint64_t{0}));
}

double RuleSearch::weight_of(const RowBits& rows) const {
  double total = 0;
  for (std::size_t b = 0; b < planes_.size(); ++b) {
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < rows.size(); ++w)
      count += static_cast<std::uint64_t>(std::popcount(rows[w] & planes_[b][w]));
    total += std::ldexp(static_cast<double>(count), static_cast<int>(b));
  }
  return total * unit_;
}

void RuleSearch::rows_of(const std::vector<std::uint32_t>& term, RowBits& rows) const {
  std::copy(pool_.rows(term[0]).begin(), pool_.rows(term[0]).end(), rows.begin());
  for (std::size_t i = 1; i < term.size(); ++i) {
    const RowBits& more = pool_.rows(term[i]);
    for (std::size_t w = 0; w < rows.size(); ++w) rows[w] &= more[w];
  }
}

double RuleSearch::errors(const Formula& formula) const {
  std::fill(union_.begin(), union_.end(), 0);
  for (const std::vector<std::uint32_t>& term : formula) {
    rows_of(term, term_);
    for (std::size_t w = 0; w < union_.size(); ++w) union_[w] |= term_[w];
  }
  for (std::size_t w = 0; w < union_.size(); ++w) union_[w] ^= positive_[w];
  return weight_of(union_);
}

double RuleSearch::cost(const Formula& formula, double penalty) const {
  std::size_t size = 0;
  for (const std::vector<std::uint32_t>& term : formula)
    for (const std::uint32_t atom : term) size += pool_.atom(atom).size();
  return errors(formula) + penalty * static_cast<double>(size);
}

RuleFormula RuleSearch::formula(const Formula& atoms) const {
  Formula sorted = atoms;  // by columns, for readers
  for (std::vector<std::uint32_t>& term : sorted) std::sort(term.begin(), term.end());
  std::sort(sorted.begin(), sorted.end());
  RuleFormula result;
  for (const std::vector<std::uint32_t>& term : sorted) {
    auto& disjunct = result.disjuncts.emplace_back();
    for (const std::uint32_t atom : term) disjunct.push_back(pool_.atom(atom));
  }
  return result;
}

RuleSearch::Formula RuleSearch::search(double penalty, std::uint64_t steps, const Formula& start, const Stop& stop) {
  best_ = {};
  best_cost_ = cost(best_, penalty);
  if (const double known = cost(start, penalty); known <= best_cost_) {
    best_ = start;
    best_cost_ = known;
  }
  if (pool_.size() == 0) return best_;
  for (std::uint64_t run = 0; run < kRuns; ++run) anneal({}, kHot * total_weight_, steps / (kRuns + 1), penalty, stop);
  anneal(best_, kWarm * total_weight_, steps / (kRuns + 1), penalty, stop);
  return best_;
}

void RuleSearch::anneal(Formula state, double hot, std::uint64_t steps, double penalty, const Stop& stop) {
  const double cold = kCold * std::max(unit_ * static_cast<double>((1 << planes_.size()) - 1), 1e-300);
  const double cooling =
      std::pow(std::min(1.0, cold / hot), 1 / static_cast<double>(std::max<std::uint64_t>(steps, 1)));
  double temperature = std::max(hot, cold), present = cost(state, penalty);
  for (std::uint64_t step = 0; step < steps; ++step, temperature *= cooling) {
    if (step % kStepsPerLook == 0 && stop.requested()) return;
    trial_ = state;
    if (!propose()) continue;
    const double next = cost(trial_, penalty);
    if (next > present && !random_.bernoulli(std::exp((present - next) / temperature))) continue;
    std::swap(state, trial_);
    present = next;
    if (present < best_cost_) {
      best_ = state;
      best_cost_ = present;
    }
  }
}

/// Changes the trial formula; false if the change is not possible.
bool RuleSearch::propose() {
  const auto index = [&](std::size_t n) { return random_.uniform_index(static_cast<std::uint32_t>(n)); };
  const std::uint32_t move = index(10);
  if (trial_.empty() || move == 0) {  // one more disjunct
    if (trial_.size() >= limits_.terms) return false;
    trial_.push_back({draw_atom()});
    if (limits_.atoms > 1 && random_.bernoulli(.5)) trial_.back().push_back(draw_atom());
    return true;
  }
  const std::size_t t = index(trial_.size());
  std::vector<std::uint32_t>& term = trial_[t];
  if (move == 1) {  // one disjunct fewer
    trial_.erase(trial_.begin() + static_cast<std::ptrdiff_t>(t));
    return true;
  }
  const std::size_t a = index(term.size());
  if (move <= 3) {  // one atom more
    if (term.size() >= limits_.atoms) return false;
    term.push_back(draw_atom());
  } else if (move <= 5) {  // one atom fewer
    term.erase(term.begin() + static_cast<std::ptrdiff_t>(a));
    if (term.empty()) trial_.erase(trial_.begin() + static_cast<std::ptrdiff_t>(t));
  } else {
    term[a] = move <= 7 ? near(term[a]) : draw_atom();
  }
  return true;
}

/// Groups are equally likely, so that a column with many bounds does not crowd out the others.
std::uint32_t RuleSearch::draw_atom() {
  const std::size_t group = random_.uniform_index(static_cast<std::uint32_t>(pool_.group_count()));
  const std::size_t begin = pool_.group_begin(group), end = pool_.group_end(group);
  return static_cast<std::uint32_t>(begin) + random_.uniform_index(static_cast<std::uint32_t>(end - begin));
}

/// An atom a few places further in the same group.
std::uint32_t RuleSearch::near(std::uint32_t atom) {
  const std::size_t group = pool_.group_of(atom);
  const auto begin = static_cast<std::int64_t>(pool_.group_begin(group)),
             end = static_cast<std::int64_t>(pool_.group_end(group));
  const std::int64_t distance = 1 + random_.uniform_index(random_.bernoulli(.5) ? 2 : 8);
  const std::int64_t moved = std::int64_t{atom} + (random_.bernoulli(.5) ? distance : -distance);
  return static_cast<std::uint32_t>(std::clamp(moved, begin, end - 1));
}

}  // namespace fovea::synthesis
