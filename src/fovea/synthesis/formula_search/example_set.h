// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"

namespace fovea::synthesis {

enum class ExampleKind : std::uint8_t { kGood, kBad, kImplication };

/// What a formula over `variables` integer variables is to do. Examples are numbered from 0 on as they are added; the
/// same example twice is one.
class ExampleSet {
 public:
  using Row = std::vector<std::int64_t>;

  explicit ExampleSet(std::size_t variables) : variables_(variables) {}

  /// The formula must hold at the row; must not; if it holds at `from`, it must at `to`. Returns the example's number.
  std::size_t add_good(std::span<const std::int64_t> row);
  std::size_t add_bad(std::span<const std::int64_t> row);
  std::size_t add_implication(std::span<const std::int64_t> from, std::span<const std::int64_t> to);

  std::size_t variables() const { return variables_; }
  std::size_t size() const { return examples_.size(); }
  ExampleKind kind(std::size_t example) const { return examples_[example].kind; }
  /// Its row; of an implication, that from which it leads.
  std::span<const std::int64_t> row(std::size_t example) const { return point(examples_[example].point); }
  /// Where an implication leads.
  std::span<const std::int64_t> target(std::size_t example) const { return point(examples_[example].target); }

  /// Is the example violated?
  bool errs(const Dnf& formula, std::size_t example) const;
  /// I(f) of the paper: the number of examples violated.
  std::size_t errors(const Dnf& formula) const;

  /// A good and a bad example, by number, that no formula can fulfil both: of the same row, or with implications that
  /// lead from the one's row to the other's. The first that came up.
  struct Contradiction {
    std::size_t good, bad;
    bool operator==(const Contradiction&) const = default;
  };
  const std::optional<Contradiction>& contradiction() const { return contradiction_; }
  /// The rows from the contradiction's good example to its bad one, by implications; empty without a contradiction.
  std::vector<Row> contradiction_path() const;

 private:
  using Point = std::uint32_t;  // the number of a distinct row
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Example {
    ExampleKind kind;
    Point point, target;
    bool operator==(const Example&) const = default;
  };
  struct ExampleHash {
    std::size_t operator()(const Example& e) const;
  };
  struct RowHash {
    std::size_t operator()(const Row& row) const;
  };
  /// What is known of a row.
  struct Knowledge {
    std::size_t good = kNone, bad = kNone;  // the example from which it follows that f must, or must not, hold here
    std::vector<Point> to = {}, from = {};  // by implications
  };

  std::span<const std::int64_t> point(Point p) const { return {rows_.data() + p * variables_, variables_}; }
  Point intern(std::span<const std::int64_t> row);
  std::size_t add(const Example& example);
  void spread(Point start, std::size_t Knowledge::*known, std::size_t example, std::vector<Point> Knowledge::*edges);

  std::size_t variables_;
  std::vector<std::int64_t> rows_;  // [point][variable]
  std::unordered_map<Row, Point, RowHash> points_;
  std::vector<Knowledge> knowledge_;  // [point]
  std::vector<Example> examples_;
  std::unordered_map<Example, std::size_t, ExampleHash> numbers_;
  std::optional<Contradiction> contradiction_;
};

/// A part of the formula that violates no more examples: disjuncts and then atoms are left out, one after the other, as
/// long as that holds. It may hold elsewhere than the formula at rows that are no example. O(atoms^2 examples
/// variables).
Dnf shortened(const Dnf& formula, const ExampleSet& examples);

}  // namespace fovea::synthesis
