// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/base/parallel.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// Source of the messages of one kind of factor: computed each time, or recalled (recall/just_in_time.h).
class MessageSource {
 public:
  virtual ~MessageSource() = default;

  virtual const Operator& factor() const = 0;

  /// Computes results[i] from incoming[i * slot_count() ...]. Message first + i draws from the random stream of that
  /// number, so a repeated request sees the same draws and estimates settle. Only one caller at a time; results do not
  /// depend on the number of threads. Throws what the operator throws.
  virtual void compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
                       std::span<Tilted> results) = 0;
};

/// Computes every message.
class DirectSource : public MessageSource {
 public:
  /// `factor` must outlive the source.
  explicit DirectSource(const Operator& factor, const Random& random = Random(), int threads = 1)
      : factor_(&factor), random_(random), threads_(threads) {}

  const Operator& factor() const override { return *factor_; }

  void compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
               std::span<Tilted> results) override {
    constexpr std::size_t kGrain = 64;
    const std::size_t slots = factor_->slot_count();
    parallel_for(results.size(), kGrain, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Random random = random_.child("message", first + i);
        results[i] = factor_->tilted(slot, incoming.subspan(i * slots, slots), random);
      }
    });
  }

 private:
  const Operator* factor_;
  Random random_;
  int threads_;
};

}  // namespace fovea::ep
