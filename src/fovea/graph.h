// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Discrete graphical models: build one with FactorGraph::Builder or read it from a file, then call solve_map,
/// solve_marginals, solve_partition, solve_marginal_map or draw_chains.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/base/text.h"
#include "fovea/graph/draw/draw_chains.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/model/extended_graph.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/report/draws_page.h"
#include "fovea/graph/solve/sample_job.h"
#include "fovea/graph/solve/solve.h"
#include "fovea/graph/solve/solve_job.h"
#include "fovea/graph/solve/solve_page.h"
#include "fovea/graph/solve/tune_models.h"
