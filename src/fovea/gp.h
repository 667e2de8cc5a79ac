// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Gaussian processes over the labels of sequences or grids, with any likelihood of your own.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/gp/averaged_gps.h"
#include "fovea/gp/structured_gp.h"
