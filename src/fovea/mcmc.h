// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Markov chains over assignments: models known by their conditionals, kernels, schedules, restarts and diagnostics.
/// Start with run(), which reads as the algorithm of the paper does.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/mcmc/anneal_batched.h"
#include "fovea/mcmc/batched_gibbs.h"
#include "fovea/mcmc/conditional_model.h"
#include "fovea/mcmc/diagnostics.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/mcmc/gibbs.h"
#include "fovea/mcmc/restart/mixing_bound.h"
#include "fovea/mcmc/restart/restart_kernel.h"
#include "fovea/mcmc/run.h"
