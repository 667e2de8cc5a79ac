// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/parallel.h"

#include <tbb/info.h>

namespace fovea {

int resolve_threads(int threads) { return threads > 0 ? threads : tbb::info::default_concurrency(); }

}  // namespace fovea
