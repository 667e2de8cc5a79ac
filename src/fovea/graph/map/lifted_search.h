// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/simplify/simplify_max.h"

namespace fovea::graph {

/// A searcher of the whole model as a member of a portfolio on the simplified one: for methods that want what
/// simplification takes away, such as a grid or factors of two variables only. Scores are the same in both.
class LiftedSearch final : public Searcher {
 public:
  /// `search` works on the model that `simple` was made from; `simple` must outlive the searcher.
  LiftedSearch(std::unique_ptr<Searcher> search, const MaxSimplification& simple)
      : search_(std::move(search)), simple_(&simple) {}

  const char* name() const override { return search_->name(); }
  Work run(std::uint64_t transitions, const Stop& stop) override {
    const Work work = search_->run(transitions, stop);
    if (search_->best().score > best_.score)
      best_ = {.values = simple_->restrict(search_->best().values), .score = search_->best().score};
    return work;
  }
  void plan_until(Stop::Clock::time_point end) override { search_->plan_until(end); }
  const mcmc::ScoredAssignment& best() const override { return best_; }
  void offer(const mcmc::ScoredAssignment& found) override {
    if (!(found.score > best_.score)) return;
    best_ = found;
    search_->offer({.values = simple_->lift(found.values), .score = found.score});
  }
  double upper_bound() const override { return search_->upper_bound(); }
  bool is_finished() const override { return search_->is_finished(); }

 private:
  std::unique_ptr<Searcher> search_;
  const MaxSimplification* simple_;
  mcmc::ScoredAssignment best_;
};

}  // namespace fovea::graph
