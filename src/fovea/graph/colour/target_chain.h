// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "fovea/base/assignment.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/temper/parallel_tempering.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Any Markov chain that leaves the model's law invariant, as the source of marginals and draws; other chains do not
/// compile.
class TargetChain {
 public:
  template <mcmc::InvariantChain Chain>
  explicit TargetChain(Chain chain) : chain_(std::make_unique<Of<Chain>>(std::move(chain))) {}

  /// Makes the next `count` draws. Returns false if `stop` was requested first: values() is then not a draw.
  bool sweep(std::size_t count, const Stop& stop) { return chain_->sweep(count, stop); }
  const Assignment& values() const { return chain_->values(); }
  /// Replaces the values, of positive probability: the chain goes on from there, with its stream of random numbers. Not
  /// for tempered chains.
  void set_values(Assignment values) { chain_->set_values(std::move(values)); }
  /// Trades of a tempered chain, [pair of neighbouring temperatures]; empty for any other chain.
  std::span<const ParallelTempering::Trades> trades() const { return chain_->trades(); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual bool sweep(std::size_t count, const Stop& stop) = 0;
    virtual const Assignment& values() const = 0;
    virtual void set_values(Assignment values) = 0;
    virtual std::span<const ParallelTempering::Trades> trades() const = 0;
  };
  template <class Chain>
  struct Of final : Base {
    explicit Of(Chain given) : chain(std::move(given)) {}
    bool sweep(std::size_t count, const Stop& stop) override { return chain.sweep(count, 1, stop); }
    const Assignment& values() const override { return chain.values(); }
    void set_values(Assignment values) override {
      if constexpr (requires { chain.set_values(std::move(values)); }) chain.set_values(std::move(values));
      else FOVEA_CHECK(false);
    }
    std::span<const ParallelTempering::Trades> trades() const override {
      if constexpr (requires { chain.trades(); }) return chain.trades();
      else return {};
    }
    Chain chain;
  };

  std::unique_ptr<Base> chain_;
};

}  // namespace fovea::graph
