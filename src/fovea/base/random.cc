// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/random.h"

#include <xxhash.h>

#include <random>

namespace fovea {

// The key selects both the state and the (odd) increment of the generator, so children neither overlap nor correlate.
Random::Random(std::uint64_t seed) : key_(seed), engine_(XXH3_64bits_withSeed("state", 5, seed), seed) {}

Random Random::child(std::string_view name, std::uint64_t index) const {
  const std::array<std::uint64_t, 2> path = {key_, index};
  return Random(XXH3_64bits_withSeed(name.data(), name.size(), XXH3_64bits(path.data(), sizeof(path))));
}

std::uint64_t Random::poisson(double mean) {
  if (mean <= 0) return 0;  // the standard library's distribution needs a positive mean
  return std::poisson_distribution<std::uint64_t>(mean)(engine_);
}

}  // namespace fovea
