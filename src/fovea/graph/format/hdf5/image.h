// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fovea::graph::hdf5 {

/// An address that means "nothing is stored".
inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

/// The bytes of an HDF5 file and the properties of its addresses that the superblock states.
struct Image {
  std::string_view bytes = {};
  std::string name = {};       ///< for messages
  std::uint64_t base = 0;      ///< position of address 0
  unsigned address_width = 8;  ///< bytes: 2, 4 or 8
  unsigned length_width = 8;   ///< bytes: 2, 4 or 8

  /// Throws InputError: "FILE: problem (byte `position`). remedy".
  [[noreturn]] void refuse(std::uint64_t position, std::string_view problem, std::string_view remedy) const;
  /// The same with the remedy for files that no program could have written.
  [[noreturn]] void refuse_damage(std::uint64_t position, std::string_view problem) const;
};

/// Reads numbers, little-endian, from a part of the image. Every step is checked against the end of that part; a step
/// beyond it is an InputError that names the part.
class Cursor {
 public:
  /// The `size` bytes from `address` on, which is relative to the image's base. `part` must be a literal.
  Cursor(const Image& image, std::uint64_t address, std::uint64_t size, const char* part);

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t length() { return number(image_->length_width); }
  /// Reads an address; kNoAddress if all bits are set.
  std::uint64_t address();
  /// Reads an unsigned number of 1 to 8 bytes.
  std::uint64_t number(unsigned width);

  std::string_view take(std::uint64_t count);
  void skip(std::uint64_t count) { take(count); }
  /// Throws InputError unless the next bytes are `signature`.
  void expect(std::string_view signature);

  std::uint64_t left() const { return rest_.size(); }
  /// Position of the next byte in the file.
  std::uint64_t position() const { return position_; }
  /// The same as an address: relative to the image's base.
  std::uint64_t here() const { return position_ - image_->base; }
  const Image& image() const { return *image_; }
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) const;
  [[noreturn]] void refuse_damage(std::string_view problem) const;

 private:
  const Image* image_;
  const char* part_;
  std::uint64_t position_;
  std::string_view rest_;
};

}  // namespace fovea::graph::hdf5
