// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/dataset.h"

#include <fmt/format.h>

#include <bit>
#include <type_traits>

#include "fovea/graph/format/hdf5/chunks.h"

namespace fovea::graph::hdf5 {
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

/// The bit layout of IEEE numbers as a datatype message describes it.
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
    image_.refuse(position_, fmt::format("an object without a {} is no dataset", what),
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
