// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/graph/format/hdf5/image.h"

namespace fovea::graph::hdf5 {

/// What was done to each chunk before it was stored.
enum class Filter : std::uint16_t { kDeflate = 1, kShuffle = 2 };

/// The filters in the order in which they were applied; others than deflate and shuffle are refused.
std::vector<Filter> read_filters(Cursor body);

/// A dataset of one dimension that is stored in chunks.
struct ChunkedLayout {
  std::uint64_t tree = 0;            ///< address of the B-tree
  std::uint64_t chunk_elements = 0;  ///< in each chunk, also in the last one
  unsigned element_bytes = 0;
  std::vector<Filter> filters = {};
};

/// The first `elements` elements. Chunks that were never written are refused. Throws InputError.
std::string read_chunks(const Image& image, const ChunkedLayout& layout, std::uint64_t elements);

}  // namespace fovea::graph::hdf5
