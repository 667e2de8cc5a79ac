// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/graph/format/hdf5/object_header.h"

namespace fovea::graph::hdf5 {

/// The members of a group: name -> address of the object header.
using Links = std::map<std::string, std::uint64_t, std::less<>>;

/// True if the messages are those of a group.
bool is_group(const std::vector<Message>& messages);

/// The hard links of a group, kept in a symbol table (B-tree of version 1, local heap) or in link messages; soft and
/// external links are left out. Groups that keep their links in a fractal heap are refused: only those with more than
/// eight members, written by request in the latest format, do. Throws InputError.
Links read_links(const Image& image, const std::vector<Message>& messages);

/// Signature at the beginning of an HDF5 file, unless a user block comes first.
inline constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";

/// Reads the part of HDF5 that models use (HDF5 File Format Specification, versions 1.1 to 3.0): groups and vectors of
/// numbers; see read_links and Dataset for what is supported. Everything is checked against the bytes that are there,
/// so that no file, however damaged, can cause worse than an InputError that names file, byte and remedy.
class File {
 public:
  /// The whole file in memory; `name` is for messages.
  File(std::string bytes, std::string name);
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& name() const { return image_.name; }

  /// Paths are names with '/' in between; "" is the root. The members of a group, sorted; empty for another object.
  std::vector<std::string> members(std::string_view path) const;
  bool contains(std::string_view path) const;

  /// The elements of a dataset. Throws InputError if it is absent.
  std::vector<std::uint64_t> read_unsigned(std::string_view path) const;
  std::vector<double> read_real(std::string_view path) const;

 private:
  void read_superblock();
  std::uint64_t find(std::string_view path) const;
  std::uint64_t required(std::string_view path) const;

  std::string bytes_;
  Image image_;
  std::uint64_t root_ = kNoAddress;
};

}  // namespace fovea::graph::hdf5
