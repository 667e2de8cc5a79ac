// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/file.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/graph/format/hdf5/dataset.h"

namespace fovea::graph::hdf5 {
namespace {

/// The signature lies at byte 0, 512, 1024, 2048, ...
std::uint64_t find_signature(const Image& image) {
  constexpr std::uint64_t kFirstUserBlock = 512;
  for (std::uint64_t at = 0; at < image.bytes.size(); at = at == 0 ? kFirstUserBlock : 2 * at)
    if (image.bytes.substr(at).starts_with(kSignature)) return at;
  image.refuse(0, "not an HDF5 file: its signature is missing", "Give a file that OpenGM wrote");
}

unsigned read_width(Cursor& superblock) {
  const unsigned width = superblock.u8();
  if (width != 2 && width != 4 && width != 8) superblock.refuse_damage(fmt::format("numbers of {} bytes", width));
  return width;
}

}  // namespace

File::File(std::string bytes, std::string name)
    : bytes_(std::move(bytes)), image_{.bytes = bytes_, .name = std::move(name)} {
  read_superblock();
}

void File::read_superblock() {
  constexpr unsigned kLatestVersion = 3;
  // Addresses count from the superblock on; the base that it states is wrong once a user block is added or removed.
  image_.base = find_signature(image_);
  Cursor superblock(image_, 0, bytes_.size() - image_.base, "superblock");
  superblock.expect(kSignature);
  const unsigned version = superblock.u8();
  if (version > kLatestVersion)
    superblock.refuse(fmt::format("version {} is unknown", version), "Copy it with h5repack");
  if (version < 2) superblock.skip(4);  // versions of other parts
  image_.address_width = read_width(superblock);
  image_.length_width = read_width(superblock);
  superblock.skip(version < 2 ? 9 : 1);                        // sizes of nodes, flags
  if (version == 1) superblock.skip(4);                        // more sizes
  superblock.skip(3 * image_.address_width);                   // base, free space or extension, end of file
  if (version < 2) superblock.skip(2 * image_.address_width);  // driver, name of the root
  root_ = superblock.address();
}

std::uint64_t File::find(std::string_view path) const {
  std::uint64_t object = root_;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty()) continue;
    const Links links = read_links(image_, read_object_header(image_, object));
    const auto link = links.find(name);
    if (link == links.end()) return kNoAddress;
    object = link->second;
  }
  return object;
}

std::uint64_t File::required(std::string_view path) const {
  const std::uint64_t object = find(path);
  if (object == kNoAddress)
    image_.refuse(0, fmt::format("'{}' is missing", path), "Name the group that holds the model");
  return object;
}

bool File::contains(std::string_view path) const { return find(path) != kNoAddress; }

std::vector<std::string> File::members(std::string_view path) const {
  std::vector<std::string> names;
  for (const auto& [name, address] : read_links(image_, read_object_header(image_, required(path))))
    names.push_back(name);
  return names;
}

std::vector<std::uint64_t> File::read_unsigned(std::string_view path) const {
  const std::uint64_t object = required(path);
  return Dataset(image_, read_object_header(image_, object), object).read_unsigned();
}

std::vector<double> File::read_real(std::string_view path) const {
  const std::uint64_t object = required(path);
  return Dataset(image_, read_object_header(image_, object), object).read_real();
}

}  // namespace fovea::graph::hdf5
