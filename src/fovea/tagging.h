// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Taggers of text, from file to file: train, tune, tag_file and evaluate.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/tagging/evaluate/evaluate.h"
#include "fovea/tagging/stream/tag_file.h"
#include "fovea/tagging/train/train.h"
#include "fovea/tagging/train/tune_tagger.h"
