// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The child y is the option that the selector names (gate.h): slots (y, selector, option 0, option 1, ...), y and the
/// options of one family; each may be a Point. Marginals are mixtures over the cases, projected by moments. Not
/// variational, unlike PickNormalOperator: the log of a factor that is 0 almost everywhere has no expectation.
class PickOperator : public Operator {
 public:
  /// `child`: a message of y's family.
  PickOperator(const Message& child, std::size_t options) : child_(child), options_(options) {}

  std::string_view name() const override { return "pick"; }
  std::size_t slot_count() const override { return 2 + options_; }
  bool takes_improper(std::size_t slot) const override { return slot == 0; }
  /// Throws InputError if known values contradict each other.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;

 private:
  Message child_;
  std::size_t options_;
};

/// The child y ~ N(mean_k, 1 / precision_k), where the selector names k: slots (y, selector, mean 0, ..., precision 0,
/// ...), or one precision for all. A mixture over the cases, each of them a NormalOperator.
class PickNormalOperator : public Operator {
 public:
  /// `precisions` is 1 or `means`.
  PickNormalOperator(std::size_t means, std::size_t precisions) : means_(means), precisions_(precisions) {}

  std::string_view name() const override { return "pick-normal"; }
  std::size_t slot_count() const override { return 2 + means_ + precisions_; }
  bool takes_improper(std::size_t slot) const override { return slot == 0; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;

 private:
  /// The messages of case k: y, its mean and its precision.
  std::array<Message, 3> case_of(std::size_t k, std::span<const Message> messages) const;
  /// Position of a slot within case k; nothing if it is not part of the case.
  std::optional<std::size_t> place_in(std::size_t k, std::size_t slot) const;
  std::size_t precision_slot(std::size_t k) const { return 2 + means_ + (precisions_ == 1 ? 0 : k); }

  std::size_t means_, precisions_;
};

/// The child y ~ Categorical(row_k), where the selector names k: slots (y, selector, row 0, row 1, ...), y a
/// Categorical or a Point, the rows Dirichlets. A step of a Markov chain whose transition probabilities are not known.
/// With the row summed out it is a table of E[row_k]; a row's marginal, a mixture of a Dirichlet for each label and the
/// row as it came, is projected by E[log row].
class PickCategoricalOperator : public Operator {
 public:
  explicit PickCategoricalOperator(std::size_t rows) : rows_(rows) {}

  std::string_view name() const override { return "pick-categorical"; }
  std::size_t slot_count() const override { return 2 + rows_; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;

 private:
  std::size_t rows_;
};

}  // namespace fovea::ep
