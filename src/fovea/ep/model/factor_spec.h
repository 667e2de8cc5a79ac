// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/words.h"
#include "fovea/ep/family/message.h"
#include "fovea/ep/model/callable.h"
#include "fovea/ep/operators/message_source.h"
#include "fovea/ep/oracle/importance_sampling.h"
#include "fovea/ep/oracle/sigma_points.h"
#include "fovea/ep/quadrature/quadrature.h"
#include "fovea/ep/recall/just_in_time.h"
#include "fovea/ep/recall/recalled_function.h"

namespace fovea::ep {

/// Who computes the messages of a user's factor.
enum class Oracle {
  kDraws,        ///< importance sampling: any factor (oracle/importance_sampling.h)
  kQuadrature,   ///< grids, for densities of at most three unknown variables (oracle/grid_quadrature.h)
  kSigmaPoints,  ///< lines through few values of a function without chance, of Gaussians (oracle/sigma_points.h)
  kMeasured      ///< the cheapest of these that is right, by its first messages (oracle/measured_oracle.h)
};

constexpr auto words_of(Oracle) {
  using enum Oracle;
  return std::array{Word{kDraws, "draws"}, Word{kQuadrature, "quadrature"}, Word{kSigmaPoints, "sigma-points"},
                    Word{kMeasured, "measured"}};
}

/// A factor as the user describes it: how its child is drawn from its parents, or log p(child | parents) of the child
/// and then its parents; or both, if both are known.
struct FactorSpec {
  Callable sample = {};  ///< takes all numbers of its parents, those of a vector one after the other
  Callable log_density = {};
  Message child = Gaussian();  ///< a message of the child's family
  Oracle oracle = Oracle::kDraws;
  ImportanceSamplingOptions sampling = {};
  SigmaPointOptions sigma_points = {};
  /// Learn what the oracle computes: its messages, or, if it takes sigma points, the values of the function.
  bool recall = true;
  JustInTimeOptions recalling = {};
  FunctionRecallOptions recalling_values = {};
  /// `sample` and `log_density` for many draws at once (FactorFunctions), in place of them or as well.
  decltype(FactorFunctions::sample_many) sample_many = {};
  decltype(FactorFunctions::log_density_many) log_density_many = {};
  Random random = Random();  ///< of the draws for messages

  static void describe(auto&& visit) {
    visit(&FactorSpec::oracle,
          option("oracle",
                 "Who computes messages. draws: importance sampling, for any factor; quadrature: grids, for densities "
                 "of at most three unknown variables; sigma-points: lines through few values of a function without "
                 "chance, of Gaussians; measured: the cheapest of these that is right, by its first messages."));
  }
};

/// The messages of one kind of user's factor: what computes them, and what was learned of it.
struct FactorSource {
  std::unique_ptr<RecalledFunction> function = {};  ///< none: no values are recalled
  std::unique_ptr<Operator> oracle = {};
  std::unique_ptr<MessageSource> source = {};
  JustInTime* recall = nullptr;         ///< `source`, if messages are recalled
  std::vector<std::size_t> sizes = {};  ///< [parent]
};

/// `sizes`: [parent] how many numbers it is. Throws UsageError if the functions do not take as many, if the oracle
/// needs a function that is not there, or if it has no messages to a vector.
FactorSource source_of(const std::string& name, const FactorSpec& spec, const std::vector<std::size_t>& sizes);

}  // namespace fovea::ep
