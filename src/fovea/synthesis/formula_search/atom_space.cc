// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/atom_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

constexpr std::uint64_t kMostAtoms = std::uint64_t{1} << 60;
constexpr std::size_t kMostBounds = 4096;
constexpr std::int64_t kMostBound = std::int64_t{1} << 61;
constexpr int kWidestRange = 15;

std::vector<std::vector<std::int64_t>> octagon_forms(std::size_t variables) {
  std::vector<std::vector<std::int64_t>> forms;
  for (std::size_t v = 0; v < variables; ++v)
    for (std::int64_t first : {1, -1}) {
      std::vector<std::int64_t> form(variables);
      form[v] = first;
      forms.push_back(form);
      for (std::size_t w = v + 1; w < variables; ++w)
        for (std::int64_t second : {1, -1}) {
          form[w] = second;
          forms.push_back(form);
          form[w] = 0;
        }
    }
  return forms;
}

Dnf::Conjunction with_atom(Dnf::Conjunction atoms, Atom atom) {
  atoms.push_back(std::move(atom));
  return atoms;
}

}  // namespace

AtomSpace::AtomSpace(AtomChoice choice) : choice_(std::move(choice)) {
  std::ranges::sort(choice_.bounds);
  choice_.bounds.erase(std::unique(choice_.bounds.begin(), choice_.bounds.end()), choice_.bounds.end());
  if (choice_.variables == 0) throw UsageError("formulas need at least one variable");
  if (choice_.bounds.empty() || choice_.bounds.size() > kMostBounds)
    throw UsageError(fmt::format("{} bounds: 1 to {} are allowed", choice_.bounds.size(), kMostBounds));
  if (choice_.bounds.front() < -kMostBound || choice_.bounds.back() > kMostBound)
    throw UsageError(
        fmt::format("bounds {} .. {}: they must be within +-2^61", choice_.bounds.front(), choice_.bounds.back()));
  if (choice_.coefficient_range < 0 || choice_.coefficient_range > kWidestRange)
    throw UsageError(fmt::format("coefficient range {}: 0 to {} are allowed", choice_.coefficient_range, kWidestRange));
  if (!(choice_.template_share >= 0 && choice_.template_share <= 1))
    throw UsageError(fmt::format("share of templates {}: 0 to 1 is allowed", choice_.template_share));
  gather_forms();
  if (has_box()) add_box();
  if (!forms_.empty()) add_templates();
  if (families_.empty()) throw UsageError("no comparisons are allowed: neither a coefficient range nor forms");
  if (choice_.equations && forms_.empty()) throw UsageError("equations need forms or octagons");
  spread_edits();
  shares_ = families_.size() == 1 ? std::vector<double>{1}
                                  : std::vector<double>{1 - choice_.template_share, choice_.template_share};
}

void AtomSpace::gather_forms() {
  forms_ = choice_.forms;
  for (const std::vector<std::int64_t>& form : forms_)
    if (form.size() != choice_.variables)
      throw UsageError(fmt::format("a form of {} coefficients for {} variables", form.size(), choice_.variables));
  if (choice_.octagons) std::ranges::copy(octagon_forms(choice_.variables), std::back_inserter(forms_));
  std::ranges::sort(forms_);
  forms_.erase(std::unique(forms_.begin(), forms_.end()), forms_.end());
}

void AtomSpace::add_box() {
  const auto values = static_cast<std::uint32_t>(2 * choice_.coefficient_range + 1);
  Family box = {.first = 0, .size = choice_.bounds.size(), .places = {}, .edits = {}};
  box.places.push_back({.digits = static_cast<std::uint32_t>(choice_.bounds.size()), .stride = 1});
  for (std::size_t v = 0; v < choice_.variables; ++v) {
    box.places.push_back({.digits = values, .stride = box.size});
    if (box.size > kMostAtoms / values)
      throw UsageError(
          fmt::format("{} variables with coefficients -{} .. {} make too many inequalities: coefficient "
                      "range 0 leaves those of the templates",
                      choice_.variables, choice_.coefficient_range, choice_.coefficient_range));
    box.size *= values;
  }
  families_.push_back(std::move(box));
}

void AtomSpace::add_templates() {
  const auto bounds = static_cast<std::uint32_t>(choice_.bounds.size());
  const auto forms = static_cast<std::uint32_t>(forms_.size());
  const std::uint32_t relations = choice_.equations ? 3 : 1;
  families_.push_back({.first = families_.empty() ? 0 : families_[0].size,
                       .size = std::uint64_t{bounds} * forms * relations,
                       .places = {{.digits = bounds, .stride = 1},
                                  {.digits = forms, .stride = bounds},
                                  {.digits = relations, .stride = std::uint64_t{bounds} * forms}},
                       .edits = {}});
}

/// Gives every family the same number of edits, because kinds of edit are drawn uniformly, whatever the family: a
/// family with fewer of them repeats some.
void AtomSpace::spread_edits() {
  for (Family& family : families_) {
    for (unsigned place = 0; place < family.places.size(); ++place)
      if (family.places[place].digits > 1) family.edits.push_back({.place = place});
    if (family.places[0].digits >= kManyBounds) family.edits.push_back({.place = 0, .to_neighbour = true});
    edits_ = std::max(edits_, family.edits.size());
  }
  for (Family& family : families_)
    for (std::size_t i = 0; !family.edits.empty() && family.edits.size() < edits_; ++i)
      family.edits.push_back(family.edits[i]);
}

std::size_t AtomSpace::most_places() const {
  std::size_t most = 0;
  for (const Family& family : families_) most = std::max(most, family.places.size());
  return most;
}

Relation AtomSpace::relation(std::uint64_t line) const {
  if (line < box_lines()) return Relation::kAtMost;
  return static_cast<Relation>((line - box_lines()) / forms_.size());
}

void AtomSpace::read_form(std::uint64_t line, std::span<std::int64_t> coefficients) const {
  if (line >= box_lines()) {
    std::ranges::copy(forms_[(line - box_lines()) % forms_.size()], coefficients.begin());
    return;
  }
  const auto values = static_cast<std::uint64_t>(2 * choice_.coefficient_range + 1);
  for (std::int64_t& c : coefficients) {
    c = static_cast<std::int64_t>(line % values) - choice_.coefficient_range;
    line /= values;
  }
}

bool AtomSpace::is_safe(std::span<const std::int64_t> row) const {
  constexpr std::int64_t kSafe = std::int64_t{1} << 61;
  const auto is_safe_form = [&](auto&& coefficient) {
    std::int64_t sum = 0;
    for (std::size_t v = 0; v < row.size(); ++v) {
      std::int64_t product = 0;
      if (__builtin_mul_overflow(row[v], coefficient(v), &product) || product > kSafe || product < -kSafe) return false;
      sum += std::abs(product);
      if (sum > kSafe) return false;
    }
    return true;
  };
  return is_safe_form([&](std::size_t) { return std::int64_t{2} * choice_.coefficient_range; }) &&
         std::ranges::all_of(forms_,
                             [&](const auto& form) { return is_safe_form([&](std::size_t v) { return form[v]; }); });
}

bool AtomSpace::holds(std::uint64_t number, std::span<const std::int64_t> row) const {
  const std::uint64_t line = number / choice_.bounds.size();
  Atom atom = {.coefficients = std::vector<std::int64_t>(choice_.variables),
               .bound = choice_.bounds[number % choice_.bounds.size()]};
  read_form(line, atom.coefficients);
  if (relation(line) == Relation::kAtMost) return atom.holds(row);
  const bool is_at_most = atom.holds(row);
  --atom.bound;
  const bool is_equal = is_at_most && !atom.holds(row);
  return is_equal == (relation(line) == Relation::kEqual);
}

Dnf AtomSpace::formula(std::span<const std::vector<std::uint64_t>> disjuncts) const {
  Dnf formula;
  for (const std::vector<std::uint64_t>& numbers : disjuncts) {
    std::vector<Dnf::Conjunction> parts = {{}};
    for (std::uint64_t number : numbers) {
      const std::uint64_t line = number / choice_.bounds.size();
      const std::int64_t bound = choice_.bounds[number % choice_.bounds.size()];
      Atom below = {.coefficients = std::vector<std::int64_t>(choice_.variables), .bound = bound};
      read_form(line, below.coefficients);
      Atom above = negation(below);  // > bound
      if (relation(line) == Relation::kEqual) ++above.bound;
      if (relation(line) == Relation::kDifferent) {
        --below.bound;
        const std::size_t count = parts.size();
        for (std::size_t i = 0; i < count; ++i) parts.push_back(with_atom(parts[i], above));
        for (std::size_t i = 0; i < count; ++i) parts[i].push_back(below);
        continue;
      }
      for (Dnf::Conjunction& atoms : parts) {
        atoms.push_back(below);
        if (relation(line) == Relation::kEqual) atoms.push_back(above);
      }
    }
    std::ranges::move(parts, std::back_inserter(formula.disjuncts));
  }
  return formula;
}

}  // namespace fovea::synthesis
