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

/// Examples that a formula over `variables` integer variables must satisfy. They are numbered from 0 on as they are
/// added; an example that is added again keeps its number.
class ExampleSet {
 public:
  using Row = std::vector<std::int64_t>;

  explicit ExampleSet(std::size_t variables) : variables_(variables) {}

  /// Demands that the formula hold at the row; that it not hold there; that it hold at `to` if it holds at `from`.
  /// Returns the example's number.
  std::size_t add_good(std::span<const std::int64_t> row);
  std::size_t add_bad(std::span<const std::int64_t> row);
  std::size_t add_implication(std::span<const std::int64_t> from, std::span<const std::int64_t> to);

  std::size_t variables() const { return variables_; }
  std::size_t size() const { return examples_.size(); }
  ExampleKind kind(std::size_t example) const { return examples_[example].kind; }
  /// The row of an example; for an implication, the row that it leads from.
  std::span<const std::int64_t> row(std::size_t example) const { return point(examples_[example].point); }
  /// The row that an implication leads to.
  std::span<const std::int64_t> target(std::size_t example) const { return point(examples_[example].target); }

  /// True if the formula violates the example.
  bool errs(const Dnf& formula, std::size_t example) const;
  /// I(f) of the paper: the number of examples violated.
  std::size_t errors(const Dnf& formula) const;

  /// Numbers of a good and a bad example that no formula can satisfy both: they have the same row, or implications lead
  /// from the good row to the bad one. The first such pair is kept.
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
  /// Facts known about a row.
  struct Knowledge {
    std::size_t good = kNone, bad = kNone;  // example that implies that f must, or must not, hold here
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
/// long as that holds. It may differ from the formula at rows that are not examples. O(atoms^2 examples variables).
Dnf shortened(const Dnf& formula, const ExampleSet& examples);

}  // namespace fovea::synthesis
