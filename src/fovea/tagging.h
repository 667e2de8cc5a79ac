// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Taggers of text: train, tune_tagger, tag_file and evaluate work from file to file; Tagger loads what train wrote,
/// and tag labels sequences in memory.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/tagging/evaluate/evaluate.h"
#include "fovea/tagging/evaluate/memory_page.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/stream/explain.h"
#include "fovea/tagging/stream/tag_file.h"
#include "fovea/tagging/stream/tag_sequences.h"
#include "fovea/tagging/train/shard_training.h"
#include "fovea/tagging/train/train.h"
#include "fovea/tagging/train/tune_tagger.h"
