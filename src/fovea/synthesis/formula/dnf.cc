// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/dnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"

namespace fovea::synthesis {

bool Dnf::holds(std::span<const std::int64_t> row) const {
  return std::ranges::any_of(disjuncts, [&](const Conjunction& atoms) {
    return std::ranges::all_of(atoms, [&](const Atom& atom) { return atom.holds(row); });
  });
}

namespace {

using Conjunction = Dnf::Conjunction;
using Names = std::span<const std::string>;

bool is_zero(std::int64_t c) { return c == 0; }

/// |value|, also for the smallest number.
std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// "2 x1 + x3 - 5": the terms of one sign, and a number added.
std::string sum_text(const Atom& atom, bool positive, bool with_bound, Names names) {
  std::string text;
  for (std::size_t v = 0; v < names.size(); ++v) {
    const std::int64_t c = atom.coefficients[v];
    if (c == 0 || (c > 0) != positive) continue;
    if (!text.empty()) text += " + ";
    if (magnitude(c) != 1) text += fmt::format("{} ", magnitude(c));
    text += names[v];
  }
  if (!with_bound || (atom.bound == 0 && !text.empty())) return text;
  if (text.empty()) return fmt::format("{}", atom.bound);
  return text + fmt::format(" {} {}", atom.bound < 0 ? "-" : "+", magnitude(atom.bound));
}

/// Writes positive terms left of the sign, the others and the bound right of it. If no term is positive, both sides are
/// negated.
std::string relation_text(Atom atom, std::string_view sign, Names names) {
  const bool has_positive = std::ranges::any_of(atom.coefficients, [](std::int64_t c) { return c > 0; });
  if (has_positive) {
    const std::string left = sum_text(atom, true, false, names);
    const bool sharper = sign == "<=" && atom.bound == -1 &&
                         std::ranges::any_of(atom.coefficients, [](std::int64_t c) { return c < 0; });
    if (sharper) atom.bound = 0;
    return fmt::format("{} {} {}", left, sharper ? "<" : sign, sum_text(atom, false, true, names));
  }
  const std::string terms = sum_text(atom, false, false, names);
  const bool is_negative = atom.bound > 0;
  const std::string number = fmt::format("{}{}", is_negative ? "-" : "", magnitude(atom.bound));
  return fmt::format("{} {} {}", terms, sign == "<=" ? ">=" : sign, number);
}

bool are_opposite(const Atom& a, const Atom& b) {
  return std::ranges::equal(a.coefficients, b.coefficients, {}, {}, [](std::int64_t c) { return -c; });
}

/// a . x <= b and -a . x <= -b.
bool make_equation(const Atom& a, const Atom& b) { return are_opposite(a, b) && a.bound == -b.bound; }

/// a . x <= b - 1 and -a . x <= -b - 1.
bool make_difference(const Atom& a, const Atom& b) { return are_opposite(a, b) && a.bound == -b.bound - 2; }

/// Returns the one of an atom and its opposite whose first coefficient is positive.
const Atom& leading(const Atom& a, const Atom& b) {
  const auto first = std::ranges::find_if_not(a.coefficients, is_zero);
  return first != a.coefficients.end() && *first > 0 ? a : b;
}

std::string atom_text(const Atom& atom, Names names) {
  if (std::ranges::all_of(atom.coefficients, is_zero)) return atom.bound >= 0 ? "true" : "false";
  return relation_text(atom, "<=", names);
}

/// The texts of the atoms, with pairs joined into equations.
std::vector<std::string> atom_texts(const Conjunction& atoms, Names names) {
  std::vector<std::string> texts;
  std::vector<bool> done(atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (done[i]) continue;
    std::size_t j = i + 1;
    while (j < atoms.size() && (done[j] || !make_equation(atoms[i], atoms[j]))) ++j;
    const bool is_pair = j < atoms.size() && !std::ranges::all_of(atoms[i].coefficients, is_zero);
    if (is_pair) done[j] = true;
    texts.push_back(is_pair ? relation_text(leading(atoms[i], atoms[j]), "=", names) : atom_text(atoms[i], names));
  }
  return texts;
}

/// Place of the only atom in which two disjuncts of like order differ, if the two atoms there make a difference;
/// otherwise the size.
std::size_t differing_place(const Conjunction& a, const Conjunction& b) {
  if (a.size() != b.size()) return a.size();
  std::size_t place = a.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (place < a.size() || !make_difference(a[i], b[i])) return a.size();
    place = i;
  }
  return place;
}

/// b with the atoms that it shares with a moved to their places in a.
Conjunction ordered_like(const Conjunction& a, Conjunction b) {
  if (a.size() != b.size()) return b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto same = std::ranges::find(b, a[i]);
    if (same != b.end()) std::iter_swap(same, b.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return b;
}

std::vector<std::vector<std::string>> disjunct_texts(std::vector<Conjunction> disjuncts, Names names) {
  std::vector<std::vector<std::string>> texts;
  std::vector<bool> done(disjuncts.size());
  for (std::size_t i = 0; i < disjuncts.size(); ++i) {
    if (done[i]) continue;
    const Conjunction& atoms = disjuncts[i];
    std::vector<std::string> parts;
    for (std::size_t j = i + 1; j < disjuncts.size() && parts.empty(); ++j) {
      const Conjunction other = ordered_like(atoms, disjuncts[j]);
      const std::size_t place = done[j] ? atoms.size() : differing_place(atoms, other);
      if (place == atoms.size()) continue;
      Conjunction rest = atoms;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(place));
      parts = atom_texts(rest, names);
      Atom middle = leading(atoms[place], other[place]);
      ++middle.bound;
      parts.insert(parts.begin(), relation_text(middle, "!=", names));
      done[j] = true;
    }
    texts.push_back(parts.empty() ? atom_texts(atoms, names) : parts);
  }
  return texts;
}

std::string smt_number(std::int64_t value) {
  return value < 0 ? fmt::format("(- {})", magnitude(value)) : fmt::format("{}", value);
}

std::string smt_operation(std::string_view name, std::string_view empty, const std::vector<std::string>& parts) {
  if (parts.empty()) return std::string(empty);
  return parts.size() == 1 ? parts[0] : fmt::format("({} {})", name, fmt::join(parts, " "));
}

std::string smt_atom(const Atom& atom, Names names) {
  std::vector<std::string> terms;
  for (std::size_t v = 0; v < names.size(); ++v) {
    const std::int64_t c = atom.coefficients[v];
    if (c == 0) continue;
    terms.push_back(c == 1    ? names[v]
                    : c == -1 ? fmt::format("(- {})", names[v])
                              : fmt::format("(* {} {})", smt_number(c), names[v]));
  }
  return fmt::format("(<= {} {})", smt_operation("+", "0", terms), smt_number(atom.bound));
}

}  // namespace

std::string Dnf::text(Names names) const {
  std::vector<std::string> parts;
  for (const std::vector<std::string>& atoms : disjunct_texts(disjuncts, names)) {
    const std::string body = atoms.empty() ? "true" : fmt::format("{}", fmt::join(atoms, " and "));
    parts.push_back(atoms.size() > 1 ? "(" + body + ")" : body);
  }
  return parts.empty() ? "false" : fmt::format("{}", fmt::join(parts, " or "));
}

std::string Dnf::smt_text(Names names) const {
  std::vector<std::string> parts;
  for (const Conjunction& atoms : disjuncts) {
    std::vector<std::string> texts;
    for (const Atom& atom : atoms) texts.push_back(smt_atom(atom, names));
    parts.push_back(smt_operation("and", "true", texts));
  }
  return smt_operation("or", "false", parts);
}

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

namespace {

bool implies(const Atom& atom, const Atom& other) {
  return atom.coefficients == other.coefficients && atom.bound <= other.bound;
}

/// Each atom of `clause` implies one of `other`.
bool implies(const Clause& clause, const Clause& other) {
  return std::ranges::all_of(clause.atoms, [&](const Atom& atom) {
    return std::ranges::any_of(other.atoms, [&](const Atom& weaker) { return implies(atom, weaker); });
  });
}

}  // namespace

bool Clause::holds(std::span<const std::int64_t> row) const {
  return std::ranges::any_of(atoms, [&](const Atom& atom) { return atom.holds(row); });
}

std::string smt_text(std::span<const Clause> clauses, const Dnf& formula, std::span<const std::string> names) {
  std::vector<std::string> parts;
  for (const Clause& clause : clauses) {
    Dnf disjunction;
    for (const Atom& atom : clause.atoms) disjunction.disjuncts.push_back({atom});
    parts.push_back(disjunction.smt_text(names));
  }
  const bool is_true = std::ranges::any_of(formula.disjuncts, [](const auto& atoms) { return atoms.empty(); });
  if (!is_true) parts.push_back(formula.smt_text(names));
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts[0];
  std::string text = "(and";
  for (const std::string& part : parts) text += " " + part;
  return text + ")";
}

std::vector<Clause> without_implied(std::vector<Clause> clauses) {
  std::vector<Clause> kept;
  // Where clauses imply each other, the first stays: a later one must not drop it.
  std::ranges::stable_sort(clauses, {}, [](const Clause& clause) { return clause.atoms.size(); });
  for (const Clause& clause : clauses) {
    if (std::ranges::any_of(kept, [&](const Clause& other) { return implies(other, clause); })) continue;
    std::erase_if(kept, [&](const Clause& other) { return implies(clause, other); });
    kept.push_back(clause);
  }
  return kept;
}

}  // namespace fovea::synthesis
