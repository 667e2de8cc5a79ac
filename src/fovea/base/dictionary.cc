// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/dictionary.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "fovea/base/error.h"

namespace fovea {
namespace {

constexpr std::uint64_t kEmptySlot = ~std::uint64_t{0};
constexpr std::uint64_t kTagMask = 0xFFFFFFFF00000000;
constexpr std::size_t kSmallestTable = 64;
constexpr std::size_t kStringsAtOnce = 32;  // strings whose cache misses overlap

std::uint32_t id_in(std::uint64_t slot) { return static_cast<std::uint32_t>(slot); }

/// True if the offsets never fall. Looks at all of them, without a branch for each, so that a large model is checked at
/// the speed of memory.
bool rise(std::span<const std::uint32_t> offsets) {
  std::size_t falls = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) falls += offsets[i] < offsets[i - 1];
  return falls == 0;
}

std::string section(std::string_view prefix, std::string_view name) { return fmt::format("{}.{}", prefix, name); }

}  // namespace

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

/// The first slot from `at` on that is empty or, by its part of the hash, very likely that of the string.
std::size_t FrozenDictionary::candidate(std::size_t at, std::uint64_t hash) const {
  while (slots_[at] != kEmptySlot && ((slots_[at] ^ hash) & kTagMask) != 0) at = next_slot(at);
  return at;
}

/// The slot that holds `text`, or the empty one where the search for it ends; the search goes on at slot `at`.
std::size_t FrozenDictionary::slot_of(std::string_view text, std::uint64_t hash, std::size_t at) const {
  at = candidate(at, hash);
  while (slots_[at] != kEmptySlot && this->text(id_in(slots_[at])) != text) at = candidate(next_slot(at), hash);
  return at;
}

void FrozenDictionary::set_slots(std::span<const std::uint64_t> slots) {
  slots_ = slots;
  shift_ = 64 - std::countr_zero(slots.size());
}

std::uint32_t FrozenDictionary::find(std::string_view text) const {
  return slots_.empty() ? kNoId : id_in(slots_[slot_of(text, hash_text(text))]);
}

void FrozenDictionary::find_all(std::span<const std::string_view> texts, std::uint32_t* ids) const {
  if (slots_.empty()) std::fill_n(ids, texts.size(), kNoId);
  for (std::size_t begin = 0; begin < texts.size() && !slots_.empty(); begin += kStringsAtOnce)
    find_batch(texts.subspan(begin, std::min(kStringsAtOnce, texts.size() - begin)), ids + begin);
}

/// Each pass over the batch reads what the previous pass has prefetched.
void FrozenDictionary::find_batch(std::span<const std::string_view> texts, std::uint32_t* ids) const {
  std::array<std::uint64_t, kStringsAtOnce> hashes;
  std::array<std::size_t, kStringsAtOnce> slots;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    hashes[i] = hash_text(texts[i]);
    slots[i] = first_slot(hashes[i]);
    __builtin_prefetch(&slots_[slots[i]]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    slots[i] = candidate(slots[i], hashes[i]);
    if (slots_[slots[i]] != kEmptySlot) __builtin_prefetch(&offsets_[id_in(slots_[slots[i]])]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (slots_[slots[i]] != kEmptySlot) __builtin_prefetch(bytes_ + offsets_[id_in(slots_[slots[i]])]);
  for (std::size_t i = 0; i < texts.size(); ++i) ids[i] = id_in(slots_[slot_of(texts[i], hashes[i], slots[i])]);
}

FrozenDictionary FrozenDictionary::open(const Container& container, std::string_view prefix) {
  FrozenDictionary result;
  const auto slots = container.array<std::uint64_t>(section(prefix, "slots"));
  result.offsets_ = container.array<std::uint32_t>(section(prefix, "offsets"));
  const std::string_view bytes = container.bytes(section(prefix, "bytes"));
  result.bytes_ = bytes.data();
  const auto& offsets = result.offsets_;
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != bytes.size() || !rise(offsets))
    container.refuse(section(prefix, "offsets"), "offsets must rise from 0 to the size of the strings");
  if (!std::has_single_bit(slots.size()) || slots.size() < 2 || slots.size() <= result.size())
    container.refuse(section(prefix, "slots"), "the number of slots must be a power of two above that of strings");
  result.set_slots(slots);
  std::size_t used = 0, bad = 0;
  for (const std::uint64_t slot : slots) {
    const bool is_used = slot != kEmptySlot;
    used += is_used;
    bad += is_used & (id_in(slot) >= result.size());
  }
  if (bad > 0) container.refuse(section(prefix, "slots"), "ids must be below the number of strings");
  if (used != result.size()) container.refuse(section(prefix, "slots"), "each string must have one slot");
  return result;
}

Dictionary::Dictionary()
    : slots_(kSmallestTable, kEmptySlot), offsets_{0}, shift_(64 - std::countr_zero(kSmallestTable)) {}

std::uint32_t Dictionary::add(std::string_view text) { return add(text, hash_text(text)); }

std::uint32_t Dictionary::add(std::string_view text, std::uint64_t hash) {
  std::size_t at = freeze().slot_of(text, hash);
  if (slots_[at] != kEmptySlot) return id_in(slots_[at]);
  if (text.size() > kMaxBytes - bytes_.size())
    throw LimitError("a dictionary would exceed 4 GiB of strings; raise the feature cut-off or use fewer templates");
  if (2 * (size() + 1) > slots_.size()) {
    grow();
    at = freeze().slot_of(text, hash);
  }
  const auto id = static_cast<std::uint32_t>(size());
  slots_[at] = (hash & kTagMask) | id;
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  return id;
}

FrozenDictionary Dictionary::freeze() const {
  FrozenDictionary view;
  view.set_slots(slots_);
  view.offsets_ = offsets_;
  view.bytes_ = bytes_.data();
  return view;
}

/// Doubles the number of slots. A slot holds enough of its hash to be placed again, so no string is touched.
void Dictionary::grow() {
  const std::vector<std::uint64_t> old = std::exchange(slots_, std::vector(2 * slots_.size(), kEmptySlot));
  --shift_;
  for (std::uint64_t slot : old) {
    if (slot == kEmptySlot) continue;
    std::size_t at = slot >> shift_;
    while (slots_[at] != kEmptySlot) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

std::vector<std::uint32_t> Dictionary::retain(const std::vector<bool>& keep) {
  FOVEA_CHECK(keep.size() == size());
  std::vector<std::uint32_t> new_ids(size(), kNoId);
  Dictionary kept;
  for (std::uint32_t id = 0; id < size(); ++id)
    if (keep[id]) new_ids[id] = kept.add(text(id));
  *this = std::move(kept);
  return new_ids;
}

std::size_t Dictionary::memory_in_bytes() const {
  return slots_.capacity() * sizeof(slots_[0]) + offsets_.capacity() * sizeof(offsets_[0]) + bytes_.capacity();
}

void Dictionary::save(ContainerWriter& writer, std::string_view prefix) const {
  writer.add_array(section(prefix, "slots"), std::span<const std::uint64_t>(slots_));
  writer.add_array(section(prefix, "offsets"), std::span<const std::uint32_t>(offsets_));
  writer.add_array(section(prefix, "bytes"), std::span<const char>(bytes_));
}

}  // namespace fovea
