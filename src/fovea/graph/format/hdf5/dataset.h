// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/graph/format/hdf5/image.h"
#include "fovea/graph/format/hdf5/object_header.h"

namespace fovea::graph::hdf5 {

/// Filter applied to each chunk before it was stored.
enum class Filter : std::uint16_t { kDeflate = 1, kShuffle = 2 };

/// Reads the filters in the order in which they were applied; all except deflate and shuffle are refused.
std::vector<Filter> read_filters(Cursor body);

/// A dataset of one dimension that is stored in chunks.
struct ChunkedLayout {
  std::uint64_t tree = 0;            ///< address of the B-tree
  std::uint64_t chunk_elements = 0;  ///< in each chunk, including the last one
  unsigned element_bytes = 0;
  std::vector<Filter> filters = {};
};

/// The first `elements` elements. Chunks that were never written are refused. Throws InputError.
std::string read_chunks(const Image& image, const ChunkedLayout& layout, std::uint64_t elements);

/// Reads a dataset of one dimension that holds little-endian integers of 1, 2, 4 or 8 bytes, or IEEE numbers of 4 or 8,
/// stored contiguously, in its header, or in chunks (B-tree of version 1; filters: deflate, shuffle). Anything else is
/// an InputError that names it. No more memory is allocated than the stored bytes can fill.
class Dataset {
 public:
  Dataset(const Image& image, const std::vector<Message>& messages, std::uint64_t address);

  /// Negative numbers and floating-point data are refused.
  std::vector<std::uint64_t> read_unsigned() const;
  std::vector<double> read_real() const;

 private:
  enum class Kind { kUnsigned, kSigned, kReal };

  const Message& required(const std::vector<Message>& messages, MessageType type, const char* what) const;
  void read_dataspace(Cursor body);
  void read_datatype(Cursor body);
  std::uint64_t byte_count() const { return size_ * element_bytes_; }
  void read_layout(Cursor body, const Message* filters);
  template <class Number>
  std::vector<Number> decode() const;

  const Image& image_;
  std::uint64_t position_;  // of the object, for messages
  std::uint64_t size_ = 0;
  unsigned element_bytes_ = 0;
  Kind kind_ = Kind::kUnsigned;
  std::string_view stored_;  // all elements, in the image or in unpacked_
  std::string unpacked_;
};

}  // namespace fovea::graph::hdf5
