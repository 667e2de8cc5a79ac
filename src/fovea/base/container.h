// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fovea {

/// Place to read a container from: a file, given by its path, or bytes in memory that some container wrote.
class ContainerSource {
 public:
  ContainerSource(std::string path) : name_(std::move(path)) {}
  ContainerSource(const char* path) : name_(path) {}
  /// The bytes must outlive the source; Container::open copies them. Errors call them `name`.
  static ContainerSource memory(std::string_view bytes, std::string name = "<memory>") {
    ContainerSource source(std::move(name));
    source.bytes_ = bytes;
    source.is_memory_ = true;
    return source;
  }

  /// The path, or the name of the bytes.
  const std::string& name() const { return name_; }
  bool is_memory() const { return is_memory_; }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string name_;
  std::string_view bytes_;
  bool is_memory_ = false;
};

/// Place to write a container to: a file, given by its path, or a string.
class ContainerTarget {
 public:
  ContainerTarget(std::string path) : path_(std::move(path)) {}
  ContainerTarget(const char* path) : path_(path) {}
  /// `bytes` is replaced and must outlive the target.
  static ContainerTarget memory(std::string& bytes) {
    ContainerTarget target("");
    target.bytes_ = &bytes;
    return target;
  }

  const std::string& path() const { return path_; }
  std::string* bytes() const { return bytes_; }  ///< null for a file

 private:
  std::string path_;
  std::string* bytes_ = nullptr;
};

/// Writer of the one file format for everything that Fovea stores (models, policies, operators): a header, a table of
/// named sections and the sections, 64-byte aligned so that arrays are used in place from the memory map.
///
///   0  magic "FOVEA\r\n\x1a" (a text-mode copy or a truncated download is seen at once)
///   8  format version (u32)     28  version of the kind (u32)    40  section count (u32)
///   12 kind (16 bytes)          32  file size (u64)              48  checksum of header and table (u64)
///   64 the table: name (32 bytes), offset, size and checksum (u64 each) per section
///
/// Offsets are in bytes, integers little-endian and checksums XXH3-64; texts end in a zero byte. Every failed check is
/// an InputError that names the file and says how to make a good one.
class ContainerWriter {
 public:
  /// kind: at most 15 bytes. version: of the kind's own content; readers refuse a newer one.
  ContainerWriter(std::string_view kind, std::uint32_t version);

  /// name: at most 31 bytes, unique. The bytes are copied.
  void add(std::string_view name, std::string_view bytes);

  template <class T>
  void add_array(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(name, std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }

  /// Writes a file atomically: a temporary file next to it is fsynced and renamed over it, and the folder is fsynced. A
  /// crash at any moment leaves the old file or the new one. Throws InputError (path, the system's reason) on failure.
  void write(const ContainerTarget& target) const;

 private:
  std::string kind_;
  std::uint32_t version_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

/// A container opened by memory map, or copied from memory: a file is O(sections) to open, whatever its size. The
/// checksum of a section is verified when the section is first accessed. Thread-safe.
class Container {
 public:
  /// Throws InputError if `source` is not a container, is truncated or corrupted, is of another kind, or is newer than
  /// `newest_version`. An empty `kind` accepts any.
  static Container open(const ContainerSource& source, std::string_view kind, std::uint32_t newest_version);

  /// The path, or the name of the bytes, for messages.
  const std::string& path() const;
  std::string_view kind() const;
  std::uint32_t version() const;
  std::vector<std::string_view> section_names() const;
  bool has(std::string_view name) const;

  /// The section's bytes in the map, valid while any copy of this Container lives.
  std::string_view bytes(std::string_view name) const;

  /// The section as an array. Throws InputError unless its size is a multiple of sizeof(T).
  template <class T>
  std::span<const T> array(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::string_view raw = bytes(name);
    require_multiple(name, raw.size(), sizeof(T));
    return {reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T)};
  }

  /// Throws the InputError of a section whose content breaks `constraint` (for readers' own checks).
  [[noreturn]] void refuse(std::string_view name, std::string_view constraint) const;

 private:
  struct Map;
  explicit Container(std::shared_ptr<const Map> map) : map_(std::move(map)) {}
  void require_multiple(std::string_view name, std::size_t size, std::size_t unit) const;

  std::shared_ptr<const Map> map_;
};

/// True if the file begins with the container's magic: used to recognise a model that is given as data.
bool looks_like_container(std::string_view first_bytes);

}  // namespace fovea
