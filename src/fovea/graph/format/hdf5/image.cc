// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/image.h"

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::graph::hdf5 {

void Image::refuse(std::uint64_t position, std::string_view problem, std::string_view remedy) const {
  throw InputError({.file = name}, fmt::format("{} (byte {})", problem, position), remedy);
}

void Image::refuse_damage(std::uint64_t position, std::string_view problem) const {
  refuse(position, problem, "The file is damaged or cut short: copy or make it again");
}

Cursor::Cursor(const Image& image, std::uint64_t address, std::uint64_t size, const char* part)
    : image_(&image), part_(part), position_(image.base) {
  const std::uint64_t room = image.bytes.size() - image.base;
  if (address > room || size > room - address)
    refuse_damage(fmt::format("{} bytes at address {} lie outside the file", size, address));
  position_ += address;
  rest_ = image.bytes.substr(position_, size);
}

std::uint64_t Cursor::number(unsigned width) {
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const char byte : take(width)) {
    value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  return value;
}

std::uint64_t Cursor::address() {
  const unsigned width = image_->address_width;
  const std::uint64_t value = number(width);
  return value == (kNoAddress >> (64 - 8 * width)) ? kNoAddress : value;
}

std::string_view Cursor::take(std::uint64_t count) {
  if (count > rest_.size()) refuse_damage(fmt::format("ends {} bytes too early", count - rest_.size()));
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  position_ += count;
  return taken;
}

void Cursor::expect(std::string_view signature) {
  if (!rest_.starts_with(signature)) refuse_damage(fmt::format("does not begin with '{}'", signature));
  skip(signature.size());
}

void Cursor::refuse(std::string_view problem, std::string_view remedy) const {
  image_->refuse(position_, fmt::format("{}: {}", part_, problem), remedy);
}

void Cursor::refuse_damage(std::string_view problem) const {
  image_->refuse_damage(position_, fmt::format("{}: {}", part_, problem));
}

}  // namespace fovea::graph::hdf5
