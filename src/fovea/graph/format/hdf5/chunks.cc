// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/chunks.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "fovea/graph/format/hdf5/btree.h"

namespace fovea::graph::hdf5 {
namespace {

/// No byte of deflated data stands for more than this many.
constexpr std::uint64_t kMaxDeflateRatio = 1032;

struct StoredChunk {
  std::uint64_t first_element;
  Cursor bytes;
};

/// The chunks in the order of their elements. Together they must not be longer than the file.
std::vector<StoredChunk> find_chunks(const Image& image, const ChunkedLayout& layout) {
  std::vector<StoredChunk> chunks;
  std::uint64_t bytes_left = image.bytes.size();
  const auto visit = [&](Cursor key, std::uint64_t address) {
    const std::uint64_t size = key.u32();
    if (key.u32() != 0) key.refuse("a chunk skips filters, which is not supported", "Copy the file with h5repack");
    chunks.push_back(StoredChunk{key.number(8), Cursor(image, address, size, "chunk")});
    if (size > bytes_left) key.refuse_damage("chunks overlap");
    bytes_left -= size;
  };
  constexpr std::uint64_t kKeyBytes = 8 + 2 * 8;  // size, mask, offsets in the dataset and in an element
  BtreeWalk(image, BtreeType::kChunks, kKeyBytes, visit).run(layout.tree);
  return chunks;
}

std::string inflate(const Cursor& chunk, std::string_view packed, std::uint64_t size) {
  if (size / kMaxDeflateRatio > packed.size()) chunk.refuse_damage("too few bytes for a chunk");
  std::string bytes(size, '\0');
  uLongf unpacked = size;
  const int status = ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &unpacked,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (status != Z_OK || unpacked != size) chunk.refuse_damage("cannot be inflated");
  return bytes;
}

/// Shuffling puts the first bytes of all elements first, then all second bytes, and so on.
std::string unshuffle(std::string_view bytes, std::size_t element_bytes) {
  std::string elements(bytes.size(), '\0');
  const std::size_t count = bytes.size() / element_bytes;
  for (std::size_t b = 0; b < element_bytes; ++b)
    for (std::size_t i = 0; i < count; ++i) elements[i * element_bytes + b] = bytes[b * count + i];
  return elements;
}

std::string unpack(Cursor chunk, const ChunkedLayout& layout) {
  const std::uint64_t size = layout.chunk_elements * layout.element_bytes;
  std::string bytes(chunk.take(chunk.left()));
  for (auto filter = layout.filters.rbegin(); filter != layout.filters.rend(); ++filter)
    bytes = *filter == Filter::kDeflate ? inflate(chunk, bytes, size) : unshuffle(bytes, layout.element_bytes);
  if (bytes.size() != size) chunk.refuse_damage(fmt::format("holds {} bytes, not {}", bytes.size(), size));
  return bytes;
}

}  // namespace

std::vector<Filter> read_filters(Cursor body) {
  constexpr std::size_t kMaxFilters = 32;
  constexpr unsigned kFirstNamedFilter = 256;
  const unsigned version = body.u8();
  const std::size_t count = body.u8();
  if (version != 1 && version != 2) body.refuse_damage(fmt::format("filters of version {}", version));
  if (count > kMaxFilters) body.refuse_damage(fmt::format("{} filters", count));
  if (version == 1) body.skip(6);
  std::vector<Filter> filters;
  while (filters.size() < count) {
    const unsigned id = body.u16();
    const std::uint64_t name_bytes = version == 1 || id >= kFirstNamedFilter ? body.u16() : 0;
    body.skip(2);  // flags
    const std::uint64_t values = body.u16();
    body.skip(version == 1 ? (name_bytes + 7) / 8 * 8 : name_bytes);
    body.skip(4 * (version == 1 ? (values + 1) / 2 * 2 : values));
    filters.push_back(static_cast<Filter>(id));
    if (filters.back() != Filter::kDeflate && filters.back() != Filter::kShuffle)
      body.refuse(fmt::format("a dataset with filter {}; only deflate (1) and shuffle (2) are supported", id),
                  "Copy the file with h5repack -f GZIP=6");
  }
  return filters;
}

std::string read_chunks(const Image& image, const ChunkedLayout& layout, std::uint64_t elements) {
  if (elements == 0) return {};
  const std::vector<StoredChunk> chunks =
      layout.tree == kNoAddress ? std::vector<StoredChunk>() : find_chunks(image, layout);
  const std::uint64_t needed = (elements - 1) / layout.chunk_elements + 1;
  const Cursor tree(image, 0, 0, "dataset");
  if (chunks.size() != needed)
    tree.refuse(fmt::format("{} of {} chunks are stored", chunks.size(), needed),
                "Datasets that were not written whole are not supported: write all elements");
  std::string bytes;
  for (std::uint64_t c = 0; c < chunks.size(); ++c) {
    const StoredChunk& chunk = chunks[c];
    if (chunk.first_element != c * layout.chunk_elements)
      chunk.bytes.refuse_damage(
          fmt::format("begins at element {}, not {}", chunk.first_element, c * layout.chunk_elements));
    bytes += unpack(chunk.bytes, layout);
  }
  bytes.resize(elements * layout.element_bytes);
  return bytes;
}

}  // namespace fovea::graph::hdf5
