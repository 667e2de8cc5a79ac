// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"
#include "fovea/tagging/family/gp_tagger.h"

namespace fovea::tagging {

/// One run of a Gaussian process tagger over a stream.
struct GpTagJob {
  const GpTagger& tagger;
  bool marginals = false;      ///< after the prediction: label:probability, mean and variance of its latent function,
                               ///< entropy in nats
  bool all_marginals = false;  ///< label:probability for every label, then the same
  int draws = 64;
};

struct GpTagReport {
  std::uint64_t sequences = 0, items = 0;
  double seconds = 0;
  std::vector<std::string> warnings;  ///< on the input (input_warnings)
  std::string brief() const;
  std::string json() const;
};

/// Tags input of the kind that the tagger's vocabulary names: columns, CRFsuite's attributes or pixels. The prediction
/// is the likeliest label of each item by itself. Blocks of sequences are read, tagged on all threads and written in
/// order. Throws InputError (file:line) on bad input.
GpTagReport tag_by_gp(const GpTagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output);

}  // namespace fovea::tagging
