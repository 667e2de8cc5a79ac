// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/ep/fit/evidence.h"
#include "fovea/ep/language/compile.h"
#include "fovea/mcmc/diagnostics.h"
#include "fovea/mcmc/hamiltonian/nuts.h"

namespace fovea::ep {

struct ModelDrawOptions : mcmc::NutsOptions {
  int chains = 4;

  static void describe(auto&& visit) {
    visit(&ModelDrawOptions::chains, number_in(1, 1000, "chains", "Number of chains, from different starts."));
    mcmc::NutsOptions::describe(visit);
  }
};

/// One number of a model, and what its draws say: an unknown number, one that is computed from others, or, for a whole
/// number that was summed out, the probability of one of its values ("z[3]=2") given the rest.
struct DrawnQuantity {
  std::string name = "";
  double mean = 0, sd = 0;
  double low = 0, median = 0, high = 0;  ///< quantiles: 5 %, 50 %, 95 %
  mcmc::Diagnosis diagnosis = {};
};

/// The quantities of one variable, as an array.
struct DrawnVariable {
  std::string name = "";
  std::vector<std::string> dimensions = {};                ///< "school"; of a variable that is partly known, its name
  std::vector<std::vector<std::string>> coordinates = {};  ///< [dimension]; of categories, the last has their values
  std::size_t first = 0, size = 1;                         ///< quantities; the last dimension changes fastest
};

/// Draws from the posterior of a model.
struct ModelDraws {
  std::vector<DrawnQuantity> quantities = {};  ///< all elements of all variables, in the order of the model
  std::vector<DrawnVariable> variables = {};   ///< the same as arrays
  std::vector<double> draws = {};              ///< [quantity][chain][draw]
  std::size_t chains = 0, length = 0;          ///< draws of each chain
  std::uint64_t evaluations = 0, divergences = 0, at_deepest = 0;
  bool is_whole = true;      ///< false if it was stopped
  bool is_gaussian = false;  ///< stopped before each chain had a draw: they are of the Gaussian at the mode
  bool is_exact = false;     ///< the one draw: all unknowns were summed out
  mcmc::Mixing mixing = mcmc::Mixing::kCannotTell;
  /// log p(data); nothing if a prior has no integral, a constant is left out, or no mode was found.
  std::optional<LogEvidence> log_evidence = {};

  std::span<const double> chain(std::size_t quantity, std::size_t chain) const {
    return {draws.data() + (quantity * chains + chain) * length, length};
  }
};

/// Draws by chains of the no-U-turn sampler (mcmc/hamiltonian/nuts.h), which run on `run.threads` threads, with the
/// same draws for any number. Where the density has a mode, chains move in the coordinates of the Gaussian
/// approximation there, in which correlations do not slow them down. Ends early, with the draws that all chains have,
/// if `run.stop` requests it; before the first draw with draws from that approximation, if it is known. Throws
/// InputError if the density is 0, or not a number, wherever chains try to start: it names the statement.
ModelDraws draw_model(const CompiledModel& model, const ModelDrawOptions& options, const Run& run);

}  // namespace fovea::ep
