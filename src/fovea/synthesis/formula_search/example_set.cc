// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/example_set.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

std::size_t row_hash_with(std::size_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

}  // namespace

std::size_t ExampleSet::RowHash::operator()(const Row& row) const {
  std::size_t hash = row.size();
  for (std::int64_t value : row) hash = row_hash_with(hash, static_cast<std::uint64_t>(value));
  return hash ^ (hash >> 32);
}

std::size_t ExampleSet::ExampleHash::operator()(const Example& e) const {
  return row_hash_with(row_hash_with(static_cast<std::size_t>(e.kind), e.point), e.target);
}

std::size_t ExampleSet::add_good(std::span<const std::int64_t> row) {
  const Point p = intern(row);
  const std::size_t example = add({.kind = ExampleKind::kGood, .point = p, .target = p});
  spread(p, &Knowledge::good, example, &Knowledge::to);
  return example;
}

std::size_t ExampleSet::add_bad(std::span<const std::int64_t> row) {
  const Point p = intern(row);
  const std::size_t example = add({.kind = ExampleKind::kBad, .point = p, .target = p});
  spread(p, &Knowledge::bad, example, &Knowledge::from);
  return example;
}

std::size_t ExampleSet::add_implication(std::span<const std::int64_t> from, std::span<const std::int64_t> to) {
  const Point p = intern(from), q = intern(to);
  const std::size_t count = size();
  const std::size_t example = add({.kind = ExampleKind::kImplication, .point = p, .target = q});
  if (example < count) return example;
  knowledge_[p].to.push_back(q);
  knowledge_[q].from.push_back(p);
  if (const std::size_t good = knowledge_[p].good; good != kNone) spread(q, &Knowledge::good, good, &Knowledge::to);
  if (const std::size_t bad = knowledge_[q].bad; bad != kNone) spread(p, &Knowledge::bad, bad, &Knowledge::from);
  return example;
}

bool ExampleSet::errs(const Dnf& formula, std::size_t example) const {
  const bool holds = formula.holds(row(example));
  switch (kind(example)) {
    case ExampleKind::kGood:
      return !holds;
    case ExampleKind::kBad:
      return holds;
    case ExampleKind::kImplication:
      return holds && !formula.holds(target(example));
  }
  return false;
}

std::size_t ExampleSet::errors(const Dnf& formula) const {
  std::size_t count = 0;
  for (std::size_t example = 0; example < size(); ++example) count += errs(formula, example);
  return count;
}

std::vector<ExampleSet::Row> ExampleSet::contradiction_path() const {
  if (!contradiction_) return {};
  const Point first = examples_[contradiction_->good].point, last = examples_[contradiction_->bad].point;
  constexpr Point kUnseen = static_cast<Point>(-1);
  std::vector<Point> reached_from(knowledge_.size(), kUnseen), open = {first};
  reached_from[first] = first;
  for (std::size_t i = 0; i < open.size() && reached_from[last] == kUnseen; ++i)
    for (const Point next : knowledge_[open[i]].to)
      if (reached_from[next] == kUnseen) {
        reached_from[next] = open[i];
        open.push_back(next);
      }
  std::vector<Row> path;
  for (Point p = last;; p = reached_from[p]) {
    path.emplace_back(point(p).begin(), point(p).end());
    if (p == first) break;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

ExampleSet::Point ExampleSet::intern(std::span<const std::int64_t> row) {
  FOVEA_CHECK(row.size() == variables_);
  const auto [found, is_new] = points_.try_emplace(Row(row.begin(), row.end()), static_cast<Point>(knowledge_.size()));
  if (is_new) {
    rows_.insert(rows_.end(), row.begin(), row.end());
    knowledge_.emplace_back();
  }
  return found->second;
}

std::size_t ExampleSet::add(const Example& example) {
  const auto [found, is_new] = numbers_.try_emplace(example, examples_.size());
  if (is_new) examples_.push_back(example);
  return found->second;
}

/// Notes what follows from `example` for `start` and for all rows that `edges` reach from it.
void ExampleSet::spread(Point start, std::size_t Knowledge::*known, std::size_t example,
                        std::vector<Point> Knowledge::*edges) {
  std::vector<Point> open = {start};
  while (!open.empty()) {
    Knowledge& here = knowledge_[open.back()];
    open.pop_back();
    if (here.*known != kNone) continue;
    here.*known = example;
    if (!contradiction_ && here.good != kNone && here.bad != kNone)
      contradiction_ = Contradiction{.good = here.good, .bad = here.bad};
    open.insert(open.end(), (here.*edges).begin(), (here.*edges).end());
  }
}

Dnf shortened(const Dnf& formula, const ExampleSet& examples) {
  Dnf shortest = formula;
  std::size_t errors = examples.errors(shortest);
  const auto try_instead = [&](Dnf shorter) {
    const std::size_t more = examples.errors(shorter);
    if (more > errors) return false;
    errors = more;
    shortest = std::move(shorter);
    return true;
  };
  for (std::size_t i = shortest.disjuncts.size(); i-- > 0;) {
    Dnf shorter = shortest;
    shorter.disjuncts.erase(shorter.disjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    try_instead(std::move(shorter));
  }
  for (std::size_t i = 0; i < shortest.disjuncts.size(); ++i)
    for (std::size_t j = shortest.disjuncts[i].size(); j-- > 0;) {
      Dnf shorter = shortest;
      Dnf::Conjunction& atoms = shorter.disjuncts[i];
      atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(j));
      try_instead(std::move(shorter));
    }
  return shortest;
}

}  // namespace fovea::synthesis
