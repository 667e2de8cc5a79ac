// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/apps/tagging/tagging_metrics.h"
#include "fovea/io/stream.h"

namespace fovea {

/// Scores a tagger's output: columns with the gold label second to last and the predicted one last. Reads in bounded
/// memory (sentence by sentence, beside the counts). Throws InputError (file:line) on fewer than two columns, on a file
/// without items, and on what ConllReader refuses.
TaggingMetrics score_tagged_file(ByteSource source);

/// Two taggings of the same text.
struct TaggingPair {
  TaggingMetrics first, second;
};

/// Scores two outputs side by side. Beside the above, throws InputError at the first line where the second file's
/// sentences end elsewhere or have other gold labels than the first's.
TaggingPair score_tagged_files(ByteSource first, ByteSource second);

}  // namespace fovea
