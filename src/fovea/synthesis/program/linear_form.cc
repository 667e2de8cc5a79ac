// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/linear_form.h"

namespace fovea::synthesis {
namespace {

/// Adds `factor` times the term; false where that is not possible.
bool add_scaled(LinearForm& form, const TermPool& terms, TermId id, std::int64_t factor) {
  const Term term = terms[id];
  std::int64_t product = 0;
  switch (term.kind) {
    case TermKind::kNumber:
      return !__builtin_mul_overflow(factor, term.number, &product) &&
             !__builtin_add_overflow(form.constant, product, &form.constant);
    case TermKind::kVariable: {
      std::int64_t& coefficient = form.coefficients[static_cast<std::size_t>(term.number)];
      return !__builtin_add_overflow(coefficient, factor, &coefficient);
    }
    case TermKind::kScaled:
      return !__builtin_mul_overflow(factor, term.number, &product) &&
             add_scaled(form, terms, term.operands[0], product);
    case TermKind::kSum:
      for (const TermId operand : term.operands)
        if (!add_scaled(form, terms, operand, factor)) return false;
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<LinearForm> linear_form(const TermPool& terms, TermId term, std::size_t variables) {
  LinearForm form = {.coefficients = std::vector<std::int64_t>(variables)};
  if (!add_scaled(form, terms, term, 1)) return std::nullopt;
  return form;
}

}  // namespace fovea::synthesis
