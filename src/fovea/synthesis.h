// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Formulas from labelled rows, and invariants that prove loops.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/synthesis/invariant/invariant_search.h"
#include "fovea/synthesis/job/learn_rule.h"
#include "fovea/synthesis/job/prove_loop.h"
#include "fovea/synthesis/sygus/sygus.h"
