// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/mined.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>

#include "fovea/synthesis/program/linear_form.h"

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kMaxCoefficient = 1000, kMaxBound = 1'000'000'000;

class Miner {
 public:
  explicit Miner(const TransitionSystem& system) : system_(system) {}

  MinedMaterial mine() {
    numbers_ = {0};
    for (const TermId id : system_.terms.sub_terms(std::array{system_.pre, system_.trans, system_.post})) {
      const Term term = system_.terms[id];
      if (term.kind == TermKind::kNumber) numbers_.insert(term.number);
      if (term.kind == TermKind::kEqual || term.kind == TermKind::kAtMost || term.kind == TermKind::kLess)
        compare(term);
    }
    MinedMaterial material = {.numbers = {}, .bounds = {}, .guards = {}, .forms = {}};
    for (const std::int64_t number : numbers_)
      if (std::abs(number) <= kMaxBound) material.numbers.push_back(number);
    std::set<std::int64_t> bounds;
    for (const std::int64_t number : material.numbers)
      for (const std::int64_t signed_number : {number, -number})
        for (const std::int64_t step : {-1, 0, 1}) bounds.insert(signed_number + step);
    material.bounds.assign(bounds.begin(), bounds.end());
    material.guards.assign(guards_.begin(), guards_.end());
    material.forms.assign(forms_.begin(), forms_.end());
    return material;
  }

 private:
  void compare(const Term& term) {
    const std::size_t n = system_.size();
    const std::optional<LinearForm> left = linear_form(system_.terms, term.operands[0], 2 * n);
    const std::optional<LinearForm> right = linear_form(system_.terms, term.operands[1], 2 * n);
    if (!left || !right) return;
    std::vector<std::int64_t> before(n), after(n), sum(n);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const std::int64_t a = left->coefficients[i], b = right->coefficients[i];
      if (std::max(std::abs(a), std::abs(b)) > kMaxCoefficient) return;
      (i < n ? before : after)[i % n] = a - b;
      sum[i % n] += a - b;
    }
    const std::int64_t bound = right->constant - left->constant;
    if (std::abs(right->constant) > kMaxBound || std::abs(left->constant) > kMaxBound) return;
    numbers_.insert(bound);
    const bool is_before = is_zero(after), is_after = is_zero(before);
    if (is_before || is_after) add_guard(term.kind, is_before ? before : after, bound);
    else add_form(sum);
  }

  static bool is_zero(const std::vector<std::int64_t>& form) {
    return std::all_of(form.begin(), form.end(), [](std::int64_t factor) { return factor == 0; });
  }

  void add_guard(TermKind kind, std::vector<std::int64_t> form, std::int64_t bound) {
    if (is_zero(form)) return;
    add_form(form);
    guards_.insert(reduced({form, kind == TermKind::kLess ? bound - 1 : bound}));
    if (kind != TermKind::kEqual) return;
    for (std::int64_t& factor : form) factor = -factor;
    guards_.insert(reduced({form, -bound}));
  }

  void add_form(std::vector<std::int64_t> form) {
    if (is_zero(form)) return;
    std::int64_t divisor = 0;
    for (const std::int64_t factor : form) divisor = std::gcd(divisor, factor);
    const auto first = std::find_if(form.begin(), form.end(), [](std::int64_t factor) { return factor != 0; });
    if (*first < 0) divisor = -divisor;
    for (std::int64_t& factor : form) factor /= divisor;
    forms_.insert(form);
  }

  const TransitionSystem& system_;
  std::set<std::int64_t> numbers_;
  std::set<Atom> guards_;
  std::set<std::vector<std::int64_t>> forms_;
};

}  // namespace

MinedMaterial mine(const TransitionSystem& system) { return Miner(system).mine(); }

}  // namespace fovea::synthesis
