// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/branch_and_bound/pseudo_tree.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Table of a function of some variables: log domain, the last variable varies fastest.
struct ScopedTable {
  std::vector<VariableId> scope = {};
  std::vector<double> entries = {};
};

/// Sets marginal[values of `onto`, the last fastest] to the maximum of the functions' sum over the rest of `scope`.
/// cardinalities: of all variables by id. Returns false, with an unfinished marginal, once `stop` is requested.
bool max_marginal(std::span<const ScopedTable* const> functions, std::span<const VariableId> scope,
                  std::span<const VariableId> onto, std::span<const std::uint32_t> cardinalities,
                  std::vector<double>& marginal, const Stop& stop);

/// Turns the max-marginals of several functions over the same variables into the gains that make all of them equal; the
/// gains add up to 0. What one function excludes (-inf) is excluded in all.
void gains_to_mean(std::vector<std::vector<double>>& marginals);

/// Upper bounds for max-product elimination along a pseudo tree, in bounded memory: a bucket whose table would be too
/// large is split into mini-buckets, each maximised on its own (Dechter & Rish, Mini-buckets, 2003). Before that, the
/// mini-buckets of a bucket exchange scores so that their max-marginals over shared variables are equal, which tightens
/// the bound (moment matching; Ihler, Flerova, Dechter & Otten, Join-graph based cost-shifting schemes, 2012).
class MiniBuckets {
 public:
  /// Maximum of a mini-bucket over its variable `from`: a function of ancestors of `from`.
  struct Message {
    VariableId from = 0;
    VariableId to = 0;  ///< the lowest variable of the scope; the root for a constant
    ScopedTable table = {};
  };

  /// The messages have about `max_entries` entries together. All arguments must outlive it.
  MiniBuckets(const PseudoTree& tree, const std::vector<ScopedTable>& factors, std::size_t max_entries);

  /// Finds the coarsest partition within the limit, and with it the scopes of all messages. Returns false if `stop` was
  /// requested first. Does nothing once that is done.
  bool plan(const Stop& stop);

  /// Plans, then computes messages until all are complete (true) or `stop` is requested (false).
  bool advance(const Stop& stop);

  /// True if no bucket had to be split: the bounds are then the maxima.
  bool is_exact() const { return is_exact_; }
  /// Messages grouped by variable, deeper variables first.
  const std::vector<Message>& messages() const { return messages_; }
  /// Members of a message's mini-bucket: numbers of factors and, counted on from the number of factors, of messages.
  std::span<const std::size_t> members(std::size_t message) const { return members_[message]; }

 private:
  struct Bucket {
    VariableId variable = 0;
    std::size_t begin = 0, end = 0;  // its mini-buckets = the messages it sends
  };
  /// Returns false if the messages would have more than `max_entries` entries, or if `stop` was requested.
  bool partition_all(std::size_t max_message_entries, std::size_t max_entries, const Stop& stop);
  void partition(VariableId v, std::vector<std::size_t> functions, std::size_t max_message_entries);
  const ScopedTable& function(std::size_t index) const;
  bool send_messages(const Bucket& bucket, const Stop& stop);
  std::vector<const ScopedTable*> functions_of(std::size_t message) const;
  bool maximize(std::size_t message, const ScopedTable& gain, const Stop& stop);
  std::vector<VariableId> shared_scope(const Bucket& bucket) const;

  const PseudoTree* tree_;
  const std::vector<ScopedTable>* factors_;
  std::vector<std::vector<std::size_t>> members_;  // [message]: functions of its mini-bucket; factors, then messages
  std::vector<Message> messages_;
  std::vector<Bucket> buckets_;
  std::size_t max_entries_;
  std::size_t next_ = 0;  // bucket
  std::size_t planned_entries_ = 0;
  bool is_planned_ = false, is_exact_ = true;
};

}  // namespace fovea::graph
