// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Bayesian models by expectation propagation or variational message passing: write a Model variable by variable, with
/// factors of your own; or fit a logistic regression to a table.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/regression/fit_table.h"
