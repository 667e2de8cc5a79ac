// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/container.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "fovea/base/aligned.h"
#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"

namespace fovea {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are used in place from a little-endian file");

constexpr std::string_view kMagic = "FOVEA\r\n\x1a";
constexpr std::uint32_t kFormatVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t format;
  char kind[16];  // ends in at least one zero byte
  std::uint32_t version;
  std::uint64_t file_size;
  std::uint32_t section_count;
  std::uint32_t reserved;
  std::uint64_t checksum;  // of this header with checksum = 0, then the table
  std::uint64_t padding;
};
static_assert(sizeof(Header) == kRowAlignment);

struct Entry {
  char name[32];  // ends in at least one zero byte
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum;
};
static_assert(sizeof(Entry) == 56);

std::uint64_t aligned(std::uint64_t offset) { return (offset + kRowAlignment - 1) / kRowAlignment * kRowAlignment; }

std::uint64_t checksum_of(Header header, std::span<const Entry> table) {
  header.checksum = 0;
  return XXH3_64bits_withSeed(table.data(), table.size_bytes(), XXH3_64bits(&header, sizeof(header)));
}

template <std::size_t N>
std::string_view text_of(const char (&field)[N]) {
  return {field, std::find(field, field + N, '\0')};
}

constexpr std::string_view kMakeAgain = "Copy it again from its source, or make it again";

}  // namespace

ContainerWriter::ContainerWriter(std::string_view kind, std::uint32_t version) : kind_(kind), version_(version) {
  FOVEA_CHECK(!kind.empty() && kind.size() < sizeof(Header::kind));
}

void ContainerWriter::add(std::string_view name, std::string_view bytes) {
  FOVEA_CHECK(!name.empty() && name.size() < sizeof(Entry::name));
  FOVEA_CHECK(std::none_of(sections_.begin(), sections_.end(), [&](const auto& s) { return s.first == name; }));
  sections_.emplace_back(name, bytes);
}

void ContainerWriter::write(const ContainerTarget& target) const {
  std::vector<Entry> table(sections_.size());
  std::uint64_t end = aligned(sizeof(Header) + table.size() * sizeof(Entry));
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto& [name, content] = sections_[i];
    table[i] = {{}, end, content.size(), XXH3_64bits(content.data(), content.size())};
    name.copy(table[i].name, name.size());
    end = aligned(end + content.size());
  }
  Header header = {};
  kMagic.copy(header.magic, kMagic.size());
  header.format = kFormatVersion;
  kind_.copy(header.kind, kind_.size());
  header.version = version_;
  header.file_size = end;
  header.section_count = static_cast<std::uint32_t>(table.size());
  header.checksum = checksum_of(header, table);

  static constexpr char kZeros[kRowAlignment] = {};
  const auto padding = [](std::uint64_t size) { return std::string_view(kZeros, aligned(size) - size); };
  const std::size_t table_bytes = table.size() * sizeof(Entry);
  std::vector<std::string_view> pieces = {{reinterpret_cast<const char*>(&header), sizeof(header)},
                                          {reinterpret_cast<const char*>(table.data()), table_bytes},
                                          padding(table_bytes)};
  for (const auto& section : sections_) {
    pieces.push_back(section.second);
    pieces.push_back(padding(section.second.size()));
  }
  if (target.bytes() == nullptr) return write_file_atomically(target.path(), pieces);
  target.bytes()->clear();
  target.bytes()->reserve(end);
  for (const std::string_view piece : pieces) target.bytes()->append(piece);
}

struct Container::Map {
  explicit Map(const ContainerSource& source) : path(source.name()) {
    if (source.is_memory()) copy_bytes(source.bytes());
    else map_file();
  }
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;
  ~Map() {
    if (data) ::munmap(const_cast<char*>(data), size);
  }

  /// Pages are aligned as sections need it, which the caller's bytes may not be.
  void copy_bytes(std::string_view bytes) {
    size = bytes.size();
    if (size == 0) refuse("is empty", kMakeAgain);
    void* map = map_memory(size);
    if (map == MAP_FAILED) throw std::bad_alloc();
    std::memcpy(map, bytes.data(), size);
    data = static_cast<const char*>(map);
  }

  void map_file() {
    // Non-blocking, so that a named pipe is refused instead of waited for.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) refuse("cannot be opened: " + std::generic_category().message(errno), "Check the name");
    struct stat status = {};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    size = regular ? static_cast<std::size_t>(status.st_size) : 0;
    const bool is_copied = size <= kLargestCopy;
    void* map = nullptr;
    if (size > 0) map = is_copied ? map_memory(size) : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    int error = errno;
    if (is_copied && size > 0 && map != MAP_FAILED && !copy(descriptor, static_cast<char*>(map), size)) {
      error = errno;
      ::munmap(std::exchange(map, MAP_FAILED), size);
    }
    ::close(descriptor);
    if (!regular) refuse("is not a regular file", "Store the file on disk first");
    if (size == 0) refuse("is empty", kMakeAgain);
    if (map == MAP_FAILED) refuse("cannot be read: " + std::generic_category().message(error));
    data = static_cast<const char*>(map);
  }

  /// Maps writable memory, in huge pages as far as they fit: a model of a few megabytes took most of its time to get
  /// small ones. Returns MAP_FAILED, with errno set, if no memory is left.
  static void* map_memory(std::size_t size) {
    constexpr std::size_t kHuge = std::size_t{2} << 20, kPage = 4096;
    const auto map = [](std::size_t bytes) {
      return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    };
    if (size < kHuge) return map(size);
    void* const whole = map(size + kHuge);
    if (whole == MAP_FAILED) return whole;
    char* const begin = static_cast<char*>(whole);
    char* const aligned = begin + (kHuge - reinterpret_cast<std::uintptr_t>(begin) % kHuge) % kHuge;
    char* const end = aligned + (size + kPage - 1) / kPage * kPage;
    if (aligned > begin) ::munmap(begin, static_cast<std::size_t>(aligned - begin));
    ::munmap(end, static_cast<std::size_t>(begin + size + kHuge - end));
    ::madvise(aligned, size, MADV_HUGEPAGE);  // only a wish
    return aligned;
  }

  /// Larger files are mapped: they are read only when they are used, and must not be changed in place until then.
  static constexpr std::size_t kLargestCopy = std::size_t{64} << 20;

  /// Reads `size` bytes; returns false, with errno set, if fewer bytes can be read.
  static bool copy(int descriptor, char* to, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t count = ::pread(descriptor, to + done, size - done, static_cast<off_t>(done));
      if (count < 0 && errno == EINTR) continue;
      if (count == 0) errno = EIO;  // the file became shorter
      if (count <= 0) return false;
      done += static_cast<std::size_t>(count);
    }
    return true;
  }

  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy = {}) const {
    throw InputError({.file = path}, problem, remedy);
  }

  const Header& header() const { return *reinterpret_cast<const Header*>(data); }
  std::span<const Entry> table() const {
    return {reinterpret_cast<const Entry*>(data + sizeof(Header)), header().section_count};
  }

  void check_magic() const;
  void check_header() const;
  void check_table() const;
  const Entry* find(std::string_view name) const;
  void verify(const Entry& entry) const;

  std::string path;
  const char* data = nullptr;
  std::size_t size = 0;
  /// One flag per section. Two threads may both verify a section on its first use, which is harmless.
  std::unique_ptr<std::atomic<bool>[]> verified;
};

void Container::Map::check_magic() const {
  const std::string_view start(data, std::min(size, kMagic.size()));
  if (start == kMagic) return;
  if (kMagic.starts_with(start)) refuse(fmt::format("is truncated: it holds only {} bytes", size), kMakeAgain);
  if (start.starts_with("FOVEA\n") || start.starts_with("FOVEA\r"))
    refuse("was changed by a copy that converts line ends", "Copy it again in binary mode");
  refuse("is not a Fovea model or policy file", "Give a file that a fovea command wrote with -o");
}

void Container::Map::check_header() const {
  if (size >= kMagic.size() + sizeof(Header::format) && header().format > kFormatVersion)
    refuse(fmt::format("has file format {}, but this Fovea reads formats up to {}", header().format, kFormatVersion),
           "Update Fovea, or make the file again with this version");
  if (size < sizeof(Header)) refuse(fmt::format("is truncated: it holds only {} bytes", size), kMakeAgain);
  if (header().file_size > size)
    refuse(fmt::format("is truncated: {} of {} bytes are there", size, header().file_size), kMakeAgain);
  if (header().file_size < size)
    refuse(fmt::format("is damaged: {} bytes follow its end", size - header().file_size), kMakeAgain);
  const std::uint64_t room = (size - sizeof(Header)) / sizeof(Entry);
  if (header().format == 0 || header().section_count > room || checksum_of(header(), table()) != header().checksum)
    refuse("is damaged: the checksum of its header does not match", kMakeAgain);
}

// The header's checksum proves that the table is as written; this keeps a forged table from pointing outside the map.
void Container::Map::check_table() const {
  bool good = header().kind[sizeof(Header::kind) - 1] == '\0';
  for (const Entry& entry : table())
    good = good && entry.name[sizeof(Entry::name) - 1] == '\0' && entry.offset % kRowAlignment == 0 &&
           entry.offset <= size && entry.size <= size - entry.offset;
  if (!good) refuse("is damaged: its table of sections points outside the file", kMakeAgain);
}

const Entry* Container::Map::find(std::string_view name) const {
  for (const Entry& entry : table())
    if (text_of(entry.name) == name) return &entry;
  return nullptr;
}

void Container::Map::verify(const Entry& entry) const {
  std::atomic<bool>& done = verified[static_cast<std::size_t>(&entry - table().data())];
  if (done.load(std::memory_order_relaxed)) return;
  if (XXH3_64bits(data + entry.offset, entry.size) != entry.checksum)
    refuse(fmt::format("is damaged: the checksum of section '{}' does not match", text_of(entry.name)), kMakeAgain);
  done.store(true, std::memory_order_relaxed);
}

Container Container::open(const ContainerSource& source, std::string_view kind, std::uint32_t newest_version) {
  const auto map = std::make_shared<Map>(source);
  map->check_magic();
  map->check_header();
  map->check_table();
  map->verified = std::make_unique<std::atomic<bool>[]>(map->table().size());
  const std::string_view found = text_of(map->header().kind);
  if (!kind.empty() && found != kind)
    map->refuse(fmt::format("this is a {} file, but a {} file is needed", found, kind), "Check which file goes where");
  if (map->header().version > newest_version)
    map->refuse(fmt::format("has {} version {}, but this Fovea reads versions up to {}", found, map->header().version,
                            newest_version),
                "Update Fovea, or make the file again with this version");
  return Container(map);
}

const std::string& Container::path() const { return map_->path; }
std::string_view Container::kind() const { return text_of(map_->header().kind); }
std::uint32_t Container::version() const { return map_->header().version; }
bool Container::has(std::string_view name) const { return map_->find(name) != nullptr; }

std::vector<std::string_view> Container::section_names() const {
  std::vector<std::string_view> names;
  for (const Entry& entry : map_->table()) names.push_back(text_of(entry.name));
  return names;
}

std::string_view Container::bytes(std::string_view name) const {
  const Entry* entry = map_->find(name);
  if (!entry) map_->refuse(fmt::format("has no section '{}'", name), kMakeAgain);
  map_->verify(*entry);
  return {map_->data + entry->offset, entry->size};
}

void Container::refuse(std::string_view name, std::string_view constraint) const {
  map_->refuse(fmt::format("section '{}' is damaged: {}", name, constraint), kMakeAgain);
}

void Container::require_multiple(std::string_view name, std::size_t size, std::size_t unit) const {
  if (size % unit != 0) refuse(name, fmt::format("its {} bytes are not a multiple of {}", size, unit));
}

bool looks_like_container(std::string_view first_bytes) { return first_bytes.starts_with(kMagic); }

}  // namespace fovea
