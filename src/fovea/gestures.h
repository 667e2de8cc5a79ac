// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Words that are swiped over a keyboard: train a KeyboardModel, and decode swipes in a file or in memory.

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/gestures/decode_file.h"
#include "fovea/gestures/keyboard_model.h"
#include "fovea/gestures/keyboard_training.h"
