// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/branch_and_bound/max_marginals.h"
#include "fovea/graph/branch_and_bound/pseudo_tree.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Upper bounds for max-product elimination along a pseudo tree, in bounded memory: a bucket whose table would be too
/// large is cut into mini-buckets, each maximised by itself (Dechter & Rish, Mini-buckets, 2003). Before that the
/// mini-buckets of a bucket exchange scores so that their max-marginals over the variables they share are equal, which
/// tightens the bound (moment matching; Ihler, Flerova, Dechter & Otten, Join-graph based cost-shifting schemes, 2012).
class MiniBuckets {
 public:
  /// What the maximum over mini-bucket `from`'s variable leaves: a function of ancestors.
  struct Message {
    VariableId from = 0;
    VariableId to = 0;  ///< the lowest variable of the scope; the root for a constant
    ScopedTable table = {};
  };

  /// For messages of about `max_entries` entries together. All must outlive it.
  MiniBuckets(const PseudoTree& tree, const std::vector<ScopedTable>& factors, std::size_t max_entries);

  /// Finds the coarsest partition that keeps to the limit, and so the scopes of all messages. False if `stop` came
  /// first. Does nothing when called again.
  bool plan(const Stop& stop);

  /// Plans, then computes messages until all are there (true) or `stop` is requested (false).
  bool advance(const Stop& stop);

  /// No bucket had to be cut: the bounds are the maxima.
  bool is_exact() const { return is_exact_; }
  /// Grouped by variable, deeper ones first.
  const std::vector<Message>& messages() const { return messages_; }
  /// The mini-bucket of a message: numbers of factors and, from the number of factors on, of messages.
  std::span<const std::size_t> members(std::size_t message) const { return members_[message]; }

 private:
  struct Bucket {
    VariableId variable = 0;
    std::size_t begin = 0, end = 0;  // its mini-buckets = the messages it sends
  };
  /// False where the messages would have more than `max_entries` entries, or after a stop.
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
