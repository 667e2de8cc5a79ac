// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"

namespace fovea::synthesis {

/// Relation between a linear form a . x and its bound.
enum class Relation : std::uint8_t { kAtMost, kEqual, kDifferent };

/// Comparisons that a formula may be made of.
///
///   the box       [a . x <= b], entries of a in -coefficient_range .. coefficient_range, b in `bounds` (the paper's)
///   the templates [a . x (<=, =, !=) b], a in `forms` and, with `octagons`, of the form x, -x or +-x +-y, b in
///   `bounds`
struct AtomChoice {
  std::size_t variables = 0;
  int coefficient_range = 1;                          ///< 0 .. 15; 0: no box
  std::vector<std::int64_t> bounds = {-1, 0, 1};      ///< not empty; in any order
  std::vector<std::vector<std::int64_t>> forms = {};  ///< [form][variable]: for example of a program's guards
  bool octagons = false;
  bool equations = false;      ///< templates with = and !=, each counted as one comparison
  double template_share = .5;  ///< of comparisons drawn afresh, in [0, 1]; used if both kinds exist
};

/// The comparisons of an AtomChoice, numbered. A comparison is a row of digits, one for each of its places: the bound
/// and the entries of a box comparison, or the bound, the form and the relation of a template. Its number is
///
///   first number of its family + sum of digit * stride of the place;
///
/// the bound has stride 1, so that the comparisons of one form are adjacent, in the order of their bounds.
class AtomSpace {
 public:
  struct Place {
    std::uint32_t digits;  ///< number of them
    std::uint64_t stride;
  };
  /// A kind of edit: another digit at a place, either any other one or a neighbour of the present one.
  struct Edit {
    unsigned place;
    bool to_neighbour = false;
  };
  struct Family {
    std::uint64_t first, size;  ///< its numbers
    std::vector<Place> places;  ///< that of the bound first
    std::vector<Edit> edits;    ///< empty: nothing can be changed
  };
  /// From this number of bounds on, edits to neighbouring bounds are made too.
  static constexpr std::size_t kManyBounds = 9;

  /// Throws UsageError for a choice without comparisons, with more than can be numbered, or with a form of the wrong
  /// size.
  explicit AtomSpace(AtomChoice choice);

  const AtomChoice& choice() const { return choice_; }
  std::uint64_t size() const { return families_.back().first + families_.back().size; }
  std::span<const Family> families() const { return families_; }
  std::size_t most_places() const;
  /// Number of kinds of edit of every family that has any.
  std::size_t edits() const { return edits_; }
  /// [family]: its share of the comparisons drawn afresh.
  std::span<const double> shares() const { return shares_; }

  /// Number of lines. A line consists of the `choice().bounds.size()` comparisons of one form and relation.
  std::uint64_t lines() const { return size() / choice_.bounds.size(); }
  Relation relation(std::uint64_t line) const;
  /// Writes the form's coefficients to [variable].
  void read_form(std::uint64_t line, std::span<std::int64_t> coefficients) const;

  /// Calls visit(line, a . x) for every line, for a row for which `is_safe`. O(1) a line of the box.
  template <class Visit>
  void visit_forms(std::span<const std::int64_t> row, Visit&& visit) const;
  /// True if no form's value at this row exceeds 62 bits.
  bool is_safe(std::span<const std::int64_t> row) const;
  /// Exact for every row.
  bool holds(std::uint64_t number, std::span<const std::int64_t> row) const;

  /// The OR over conjunctions of the comparisons with these numbers; each a != b splits its conjunction in two.
  Dnf formula(std::span<const std::vector<std::uint64_t>> disjuncts) const;

 private:
  bool has_box() const { return choice_.coefficient_range > 0; }
  std::uint64_t box_lines() const { return has_box() ? families_[0].size / choice_.bounds.size() : 0; }
  void gather_forms();
  void add_box();
  void add_templates();
  void spread_edits();

  AtomChoice choice_;
  std::vector<std::vector<std::int64_t>> forms_;  // of the templates
  std::vector<Family> families_;
  std::vector<double> shares_;
  std::size_t edits_ = 0;
};

template <class Visit>
void AtomSpace::visit_forms(std::span<const std::int64_t> row, Visit&& visit) const {
  const std::int64_t range = choice_.coefficient_range;
  std::uint64_t line = 0;
  if (has_box()) {
    std::vector<std::int64_t> form(row.size(), -range);
    std::int64_t value = 0;
    for (std::int64_t x : row) value -= range * x;
    for (std::size_t v = 0; v < row.size();) {
      visit(line++, value);
      for (v = 0; v < row.size() && form[v] == range; ++v) {
        value -= 2 * range * row[v];
        form[v] = -range;
      }
      if (v == row.size()) break;
      value += row[v];
      ++form[v];
    }
  }
  for (; line < lines();) {
    for (const std::vector<std::int64_t>& form : forms_) {
      std::int64_t value = 0;
      for (std::size_t v = 0; v < row.size(); ++v) value += form[v] * row[v];
      visit(line++, value);
    }
  }
}

}  // namespace fovea::synthesis
