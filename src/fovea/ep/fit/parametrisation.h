// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/ep/language/compile.h"

namespace fovea::ep {

/// Throws InputError: names the statement that has no density at these parameters.
[[noreturn]] void refuse_start(const CompiledModel& model, std::span<const double> start);

/// Random parameters where the density and its gradient are finite. Throws InputError after 100 trials; it names the
/// statement that has no density.
std::vector<double> start_of(const CompiledModel& model, Random random);

/// Compiles a model with the parameters in which chains move best. For each element of x ~ normal(mean, sd), that is z
/// of x = mean + sd z, if the data tell less of z than its distribution does: if its variance given all else, at the
/// mode, is above a half. Else it is x.
CompiledModel compile_to_draw(const ModelSyntax& syntax, const ModelData& data, Random random, const Stop& stop = {});

}  // namespace fovea::ep
