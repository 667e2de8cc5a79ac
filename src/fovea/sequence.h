// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Linear-chain models over label n-grams: exact inference, decoders of every kind, and learning where to sample.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/decode/tune.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/viterbi.h"
#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/model/label_sequences.h"
