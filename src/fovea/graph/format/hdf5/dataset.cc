// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/dataset.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "fovea/graph/format/hdf5/btree.h"

namespace fovea::graph::hdf5 {
namespace {

/// Maximum number of bytes for which one byte of deflated data can stand.
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

namespace {

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 48;
constexpr const char* kDatasetPart = "dataset";

/// The `i`th of elements that take `width` bytes each.
std::uint64_t element(std::string_view bytes, std::uint64_t i, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned b = 0; b < width; ++b)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i * width + b])} << (8 * b);
  return value;
}

std::int64_t sign_extended(std::uint64_t bits, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double real(std::uint64_t bits, unsigned width) {
  return width == 8 ? std::bit_cast<double>(bits) : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
}

/// True if the bit layout in a datatype message is that of IEEE numbers.
bool is_ieee(std::uint32_t size, Cursor properties) {
  const unsigned offset = properties.u16(), precision = properties.u16();
  const unsigned exponent_at = properties.u8(), exponent_bits = properties.u8();
  const unsigned mantissa_at = properties.u8(), mantissa_bits = properties.u8();
  const std::uint32_t bias = properties.u32();
  if (offset != 0 || mantissa_at != 0 || precision != 8 * size) return false;
  if (size == 4) return exponent_at == 23 && exponent_bits == 8 && mantissa_bits == 23 && bias == 127;
  return size == 8 && exponent_at == 52 && exponent_bits == 11 && mantissa_bits == 52 && bias == 1023;
}

}  // namespace

Dataset::Dataset(const Image& image, const std::vector<Message>& messages, std::uint64_t address)
    : image_(image), position_(image.base + address) {
  read_dataspace(required(messages, MessageType::kDataspace, "dataspace").body);
  read_datatype(required(messages, MessageType::kDatatype, "datatype").body);
  read_layout(required(messages, MessageType::kLayout, "layout").body, find_message(messages, MessageType::kFilters));
}

const Message& Dataset::required(const std::vector<Message>& messages, MessageType type, const char* what) const {
  const Message* message = find_message(messages, type);
  if (message == nullptr)
    image_.refuse(position_, fmt::format("an object without a {} is not a dataset", what),
                  "Name the group that holds the model, or make the file again");
  if (message->is_shared)
    message->body.refuse(fmt::format("its {} is kept elsewhere in the file, which is not supported", what),
                         "Write the dataset with a type of its own");
  return *message;
}

void Dataset::read_dataspace(Cursor body) {
  const unsigned version = body.u8();
  const unsigned rank = body.u8();
  if (version != 1 && version != 2) body.refuse_damage(fmt::format("dataspace of version {}", version));
  if (rank != 1)
    body.refuse(fmt::format("a dataset of {} dimensions; 1 is supported", rank), "Write it as one list of numbers");
  body.skip(version == 1 ? 6 : 2);  // flags, type, reserved
  size_ = body.length();
  if (size_ > kMaxElements) body.refuse_damage(fmt::format("a dataset of {} elements", size_));
}

void Dataset::read_datatype(Cursor body) {
  constexpr unsigned kInteger = 0, kFloatingPoint = 1;
  const unsigned type = body.u8() & 0x0f;
  const std::uint32_t bits = static_cast<std::uint32_t>(body.number(3));
  const std::uint32_t size = body.u32();
  const bool is_big_endian = (bits & 0x41) != 0;
  bool is_supported = false;
  if (type == kInteger) {
    kind_ = (bits & 0x08) ? Kind::kSigned : Kind::kUnsigned;
    const unsigned offset = body.u16(), precision = body.u16();
    is_supported = (size == 1 || size == 2 || size == 4 || size == 8) && offset == 0 && precision == 8 * size;
  } else if (type == kFloatingPoint) {
    kind_ = Kind::kReal;
    is_supported = is_ieee(size, body);
  }
  if (!is_supported || is_big_endian)
    body.refuse(
        fmt::format("elements of type class {} with {} bytes{}", type, size, is_big_endian ? ", big-endian" : ""),
        "Write little-endian integers of 1, 2, 4 or 8 bytes or IEEE numbers of 4 or 8");
  element_bytes_ = size;
}

void Dataset::read_layout(Cursor body, const Message* filters) {
  constexpr unsigned kCompact = 0, kContiguous = 1, kChunked = 2;
  const unsigned version = body.u8();
  const unsigned type = body.u8();
  const bool is_known = version == 3 || (version == 4 && type <= kContiguous);
  if (!is_known || type > kChunked)
    body.refuse(fmt::format("a data layout of version {} and class {} is not supported", version, type),
                "Copy the file with h5repack, without asking for the latest format");
  if (type == kChunked) {
    const unsigned dimensions = body.u8();
    if (dimensions != 2) body.refuse_damage(fmt::format("chunks of {} dimensions", dimensions));
    ChunkedLayout layout = {.tree = body.address(), .chunk_elements = body.u32(), .element_bytes = element_bytes_};
    if (layout.chunk_elements == 0 || body.u32() != element_bytes_) body.refuse_damage("chunks of a wrong size");
    if (filters != nullptr) layout.filters = read_filters(filters->body);
    unpacked_ = read_chunks(image_, layout, size_);
    stored_ = unpacked_;
    return;
  }
  if (filters != nullptr) body.refuse_damage("filters without chunks");
  const std::uint64_t address = type == kCompact ? 0 : body.address();
  const std::uint64_t stored = type == kCompact ? body.u16() : body.length();
  if (size_ == 0) return;
  if (stored < byte_count()) body.refuse_damage(fmt::format("{} bytes for {} elements", stored, size_));
  if (address == kNoAddress) body.refuse("a dataset that was never written", "Write all elements");
  Cursor data = type == kCompact ? body : Cursor(image_, address, byte_count(), kDatasetPart);
  stored_ = data.take(byte_count());
}

template <class Number>
std::vector<Number> Dataset::decode() const {
  std::vector<Number> numbers(size_);
  for (std::uint64_t i = 0; i < size_; ++i) {
    const std::uint64_t bits = element(stored_, i, element_bytes_);
    if (kind_ == Kind::kReal) numbers[i] = static_cast<Number>(real(bits, element_bytes_));
    else if (kind_ == Kind::kSigned) numbers[i] = static_cast<Number>(sign_extended(bits, element_bytes_));
    else numbers[i] = static_cast<Number>(bits);
  }
  return numbers;
}

std::vector<double> Dataset::read_real() const { return decode<double>(); }

std::vector<std::uint64_t> Dataset::read_unsigned() const {
  if (kind_ == Kind::kReal)
    image_.refuse(position_, "a dataset of numbers with a fraction where counts are expected", "Write integers");
  std::vector<std::uint64_t> numbers = decode<std::uint64_t>();
  if (kind_ == Kind::kSigned)
    for (const std::uint64_t number : numbers)
      if (static_cast<std::int64_t>(number) < 0)
        image_.refuse(position_, fmt::format("{} where counts are expected", static_cast<std::int64_t>(number)),
                      "Write integers of at least 0");
  return numbers;
}

}  // namespace fovea::graph::hdf5
