// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Records that refer to the same entity: dedupe one table, link two, from file to file.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/io/table/arrow_stream.h"
#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/job/link.h"
