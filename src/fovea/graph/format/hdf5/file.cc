// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/file.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/graph/format/hdf5/btree.h"
#include "fovea/graph/format/hdf5/dataset.h"

namespace fovea::graph::hdf5 {
namespace {

constexpr std::size_t kMaxNameBytes = 4096;

void add_link(Links& links, const Cursor& where, std::string_view name, std::uint64_t address) {
  if (!links.emplace(name, address).second) where.refuse_damage(fmt::format("two members have the name '{}'", name));
}

/// Names of members, each ended by a NUL byte.
class LocalHeap {
 public:
  LocalHeap(const Image& image, std::uint64_t address) : names_(image, 0, 0, kPart) {
    Cursor head(image, address, 8 + 2 * image.length_width + image.address_width, kPart);
    head.expect("HEAP");
    head.skip(4);  // version, reserved
    const std::uint64_t size = head.length();
    head.skip(image.length_width);  // free list
    names_ = Cursor(image, head.address(), size, kPart);
  }

  std::string_view name(std::uint64_t offset) const {
    Cursor rest = names_;
    rest.skip(offset);
    const std::string_view text = rest.take(std::min<std::uint64_t>(rest.left(), kMaxNameBytes));
    const std::size_t end = text.find('\0');
    if (end == text.npos) rest.refuse_damage("a name has no end");
    return text.substr(0, end);
  }

 private:
  static constexpr const char* kPart = "local heap";
  Cursor names_;
};

void read_symbol_node(const Image& image, std::uint64_t address, const LocalHeap& heap, Links& links) {
  constexpr const char* kPart = "symbol table node";
  constexpr std::uint32_t kSymbolicLink = 2;
  Cursor head(image, address, 8, kPart);
  head.expect("SNOD");
  head.skip(2);  // version, reserved
  const std::uint64_t count = head.u16();
  Cursor entries(image, head.here(), count * (2 * image.address_width + 24), kPart);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t name_offset = entries.number(image.address_width);
    const std::uint64_t object = entries.address();
    const std::uint32_t cache_type = entries.u32();
    entries.skip(20);  // reserved, cache
    if (cache_type != kSymbolicLink) add_link(links, entries, heap.name(name_offset), object);
  }
}

void read_symbol_table(const Image& image, Cursor body, Links& links) {
  const std::uint64_t tree = body.address();
  const LocalHeap heap(image, body.address());
  const auto visit = [&](const Cursor&, std::uint64_t node) { read_symbol_node(image, node, heap, links); };
  BtreeWalk(image, BtreeType::kGroup, image.length_width, visit).run(tree);
}

void read_link_message(Cursor body, Links& links) {
  constexpr unsigned kHardLink = 0;
  if (const unsigned version = body.u8(); version != 1)
    body.refuse_damage(fmt::format("link message of version {}", version));
  const unsigned flags = body.u8();
  const unsigned type = (flags & 0x08) ? body.u8() : kHardLink;
  if (flags & 0x04) body.skip(8);  // creation order
  if (flags & 0x10) body.skip(1);  // character set
  const std::string_view name = body.take(body.number(1u << (flags & 3)));
  if (name.size() > kMaxNameBytes) body.refuse_damage("a name is too long");
  if (type == kHardLink) add_link(links, body, name, body.address());
}

void refuse_dense_links(Cursor body) {
  body.skip(1);  // version
  const unsigned flags = body.u8();
  if (flags & 0x01) body.skip(8);  // largest creation index
  if (body.address() != kNoAddress)
    body.refuse("a group keeps its members in a fractal heap, which is not supported",
                "Write the file without asking for the latest format (libver='earliest')");
}

}  // namespace

bool is_group(const std::vector<Message>& messages) {
  return find_message(messages, MessageType::kSymbolTable) || find_message(messages, MessageType::kLinkInfo) ||
         find_message(messages, MessageType::kLink);
}

Links read_links(const Image& image, const std::vector<Message>& messages) {
  Links links;
  if (const Message* table = find_message(messages, MessageType::kSymbolTable))
    read_symbol_table(image, table->body, links);
  if (const Message* info = find_message(messages, MessageType::kLinkInfo)) refuse_dense_links(info->body);
  for (const Message& message : messages)
    if (message.type == MessageType::kLink) read_link_message(message.body, links);
  return links;
}

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
