// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Bayesian models by expectation propagation or variational message passing: write a Model variable by variable, with
/// factors of your own; or fit a logistic regression, or a model of a file, to a table.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/ep/fit/fit_model.h"
#include "fovea/ep/fit/model_page.h"
#include "fovea/ep/fit/predict.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/regression/fit_table.h"
#include "fovea/ep/regression/logistic_page.h"
