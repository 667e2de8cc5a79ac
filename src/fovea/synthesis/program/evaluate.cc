// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/evaluate.h"

#include <algorithm>

namespace fovea::synthesis {

TermEvaluator::TermEvaluator(const TermPool& terms, TermId root)
    : terms_(terms), order_(terms.sub_terms({&root, 1})), computed_(root + 1) {}

std::optional<std::int64_t> TermEvaluator::value(std::span<const std::int64_t> values) {
  for (const TermId term : order_)
    if (!compute(term, values)) return std::nullopt;
  return computed_[order_.back()];
}

/// False where the number does not fit.
bool TermEvaluator::compute(TermId id, std::span<const std::int64_t> values) {
  const Term term = terms_[id];
  std::int64_t& result = computed_[id];
  const auto operand = [&](std::size_t i) { return computed_[term.operands[i]]; };
  switch (term.kind) {
    case TermKind::kNumber:
    case TermKind::kTruth:
      result = term.number;
      return true;
    case TermKind::kVariable:
      result = values[static_cast<std::size_t>(term.number)];
      return true;
    case TermKind::kNot:
      result = 1 - operand(0);
      return true;
    case TermKind::kAnd:
      result = std::all_of(term.operands.begin(), term.operands.end(), [&](TermId t) { return computed_[t] != 0; });
      return true;
    case TermKind::kOr:
      result = std::any_of(term.operands.begin(), term.operands.end(), [&](TermId t) { return computed_[t] != 0; });
      return true;
    case TermKind::kIfThenElse:
      result = operand(0) ? operand(1) : operand(2);
      return true;
    case TermKind::kEqual:
      result = operand(0) == operand(1);
      return true;
    case TermKind::kAtMost:
      result = operand(0) <= operand(1);
      return true;
    case TermKind::kLess:
      result = operand(0) < operand(1);
      return true;
    case TermKind::kSum:
      result = 0;
      return std::none_of(term.operands.begin(), term.operands.end(),
                          [&](TermId t) { return __builtin_add_overflow(result, computed_[t], &result); });
    case TermKind::kScaled:
      return !__builtin_mul_overflow(term.number, operand(0), &result);
  }
  return false;
}

}  // namespace fovea::synthesis
