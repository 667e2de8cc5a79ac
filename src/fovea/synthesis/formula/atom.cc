// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/atom.h"

#include <numeric>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

__extension__ using Wide = __int128;

/// high * 2^64 + low.
struct WideSum {
  Wide high = 0, low = 0;

  void add(Wide product) {
    high += product >> 64;
    low += static_cast<Wide>(static_cast<std::uint64_t>(product));
  }
  bool is_at_most(std::int64_t bound) const {
    const Wide carried = high + (low >> 64), rest = static_cast<Wide>(static_cast<std::uint64_t>(low));
    const Wide bound_high = bound < 0 ? -1 : 0, bound_low = static_cast<Wide>(static_cast<std::uint64_t>(bound));
    return carried != bound_high ? carried < bound_high : rest <= bound_low;
  }
};

std::int64_t floor_division(std::int64_t numerator, std::int64_t positive) {
  return numerator / positive - (numerator % positive < 0 ? 1 : 0);
}

}  // namespace

bool Atom::holds(std::span<const std::int64_t> row) const {
  FOVEA_CHECK(row.size() == coefficients.size());
  std::int64_t sum = 0;
  bool fits = true;
  for (std::size_t v = 0; v < row.size() && fits; ++v) {
    std::int64_t product = 0;
    fits = !__builtin_mul_overflow(coefficients[v], row[v], &product) && !__builtin_add_overflow(sum, product, &sum);
  }
  if (fits) return sum <= bound;
  WideSum wide;
  for (std::size_t v = 0; v < row.size(); ++v) wide.add(static_cast<Wide>(coefficients[v]) * row[v]);
  return wide.is_at_most(bound);
}

Atom negation(const Atom& atom) {
  Atom opposite = {.coefficients = atom.coefficients, .bound = -1 - atom.bound};
  for (std::int64_t& c : opposite.coefficients) c = -c;
  return opposite;
}

Atom reduced(Atom atom) {
  std::int64_t divisor = 0;
  for (std::int64_t c : atom.coefficients) divisor = std::gcd(divisor, c);
  if (divisor < 2) return atom;
  for (std::int64_t& c : atom.coefficients) c /= divisor;
  atom.bound = floor_division(atom.bound, divisor);
  return atom;
}

}  // namespace fovea::synthesis
