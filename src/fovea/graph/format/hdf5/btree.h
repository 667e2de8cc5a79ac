// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "fovea/graph/format/hdf5/image.h"

namespace fovea::graph::hdf5 {

enum class BtreeType : std::uint8_t { kGroup = 0, kChunks = 1 };

/// Visits the leaves of a B-tree of version 1 in order: visit(key, child address), the key being a cursor of `key_size`
/// bytes in front of the child. Levels must fall towards the leaves and all nodes together must not be longer than the
/// file, so trees that share nodes or form cycles are refused. Throws InputError.
template <class Visit>
class BtreeWalk {
 public:
  BtreeWalk(const Image& image, BtreeType type, std::uint64_t key_size, Visit visit)
      : image_(image), type_(type), key_size_(key_size), visit_(visit), bytes_left_(image.bytes.size()) {}

  void run(std::uint64_t root) { walk(root, kAnyLevel); }

 private:
  static constexpr unsigned kAnyLevel = 256;
  static constexpr const char* kPart = "B-tree";

  void walk(std::uint64_t address, unsigned parent_level) {
    Cursor head(image_, address, 8 + 2 * image_.address_width, kPart);
    head.expect("TREE");
    if (head.u8() != static_cast<std::uint8_t>(type_)) head.refuse_damage("a node of another kind");
    const unsigned level = head.u8();
    if (level >= parent_level) head.refuse_damage(fmt::format("level {} below level {}", level, parent_level));
    const std::uint64_t entries = head.u16();
    head.skip(2 * image_.address_width);  // siblings
    const std::uint64_t size = entries * (key_size_ + image_.address_width);
    Cursor body(image_, head.here(), size, kPart);
    if (head.position() + size - image_.base - address > bytes_left_) head.refuse_damage("its nodes overlap");
    bytes_left_ -= head.position() + size - image_.base - address;
    for (std::uint64_t entry = 0; entry < entries; ++entry) {
      const Cursor key(image_, body.here(), key_size_, kPart);
      body.skip(key_size_);
      const std::uint64_t child = body.address();
      if (level == 0) visit_(key, child);
      else walk(child, level);
    }
  }

  const Image& image_;
  BtreeType type_;
  std::uint64_t key_size_;
  Visit visit_;
  std::uint64_t bytes_left_;
};

}  // namespace fovea::graph::hdf5
