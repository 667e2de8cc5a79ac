// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/container.h"

namespace fovea {

/// Id that means "not in the dictionary".
inline constexpr std::uint32_t kNoId = 0xFFFFFFFF;

/// A read-only dictionary string -> id 0 .. size() - 1. It lies in three flat arrays, so that a stored one is used in
/// place from the memory map, with nothing rebuilt:
///
///   slots     open addressing, 2^b of u64: the upper half of the string's hash (XXH3-64) above its id, all ones when
///             empty; the hash's upper b bits say where the search begins, and it goes on with the next slot
///   offsets   size() + 1 of u32; string i is bytes[offsets[i]] .. bytes[offsets[i + 1] - 1]
///   bytes     the strings, end to end in the order of their ids
///
/// A view: valid while the Dictionary it was taken from is unchanged, or while a copy of the Container lives.
/// Thread-safe.
class FrozenDictionary {
 public:
  FrozenDictionary() = default;

  /// Reads what Dictionary::save wrote. O(size) checks, no copies. Throws InputError if the sections are missing or do
  /// not fit together.
  static FrozenDictionary open(const Container& container, std::string_view prefix);

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view text(std::uint32_t id) const { return {bytes_ + offsets_[id], offsets_[id + 1] - offsets_[id]}; }

  /// The id of `text`, or kNoId.
  std::uint32_t find(std::string_view text) const;

  /// ids[i] = find(texts[i]), several times faster for many strings of a large dictionary: the cache misses of the
  /// look-ups overlap.
  void find_all(std::span<const std::string_view> texts, std::uint32_t* ids) const;

 private:
  friend class Dictionary;
  std::size_t first_slot(std::uint64_t hash) const { return hash >> shift_; }
  std::size_t next_slot(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  std::size_t candidate(std::size_t at, std::uint64_t hash) const;
  std::size_t slot_of(std::string_view text, std::uint64_t hash, std::size_t at) const;
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const { return slot_of(text, hash, first_slot(hash)); }
  void find_batch(std::span<const std::string_view> texts, std::uint32_t* ids) const;
  void set_slots(std::span<const std::uint64_t> slots);

  std::span<const std::uint64_t> slots_;
  std::span<const std::uint32_t> offsets_;
  const char* bytes_ = nullptr;
  int shift_ = 0;  // 64 - b
};

/// A dictionary that grows: strings get ids in the order in which they are first added. Strings lie end to end in one
/// array; memory is about 16 bytes per string plus its bytes.
class Dictionary {
 public:
  /// Maximum size in bytes of all strings together; add() throws LimitError beyond it.
  static constexpr std::size_t kMaxBytes = 0xFFFFFFFF;

  Dictionary();

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view text(std::uint32_t id) const {
    return {bytes_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
  }

  /// The id of `text`, which is added if it is new; its id is then the size() before the call.
  std::uint32_t add(std::string_view text);
  /// The same with a given hash: any function of `text`, the same at each call.
  std::uint32_t add(std::string_view text, std::uint64_t hash);

  /// Prepares for calls of add(text, hash): with prefetch_slot for many hashes, then prefetch_text for all of them, the
  /// cache misses of the calls overlap. The first fetches the slots, the second what they point to.
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }
  void prefetch_text(std::uint64_t hash) const {
    const FrozenDictionary all = freeze();
    const auto id = static_cast<std::uint32_t>(slots_[all.candidate(all.first_slot(hash), hash)]);
    if (id < size()) __builtin_prefetch(bytes_.data() + offsets_[id]);
  }

  /// The id of `text`, or kNoId.
  std::uint32_t find(std::string_view text) const { return freeze().find(text); }

  /// A view that reads this dictionary; valid until it changes or moves.
  FrozenDictionary freeze() const;

  /// Drops every id with keep[id] false and renumbers the others in order; returns the new ids (kNoId for dropped).
  std::vector<std::uint32_t> retain(const std::vector<bool>& keep);

  /// Forgets all strings and keeps only the memory of an empty dictionary.
  void clear() { *this = Dictionary(); }

  std::size_t memory_in_bytes() const;

  /// Adds the sections `<prefix>.slots`, `.offsets` and `.bytes`, to be read by FrozenDictionary::open.
  void save(ContainerWriter& writer, std::string_view prefix) const;

 private:
  void grow();

  std::vector<std::uint64_t> slots_;
  std::vector<std::uint32_t> offsets_;
  std::vector<char> bytes_;
  int shift_;  // 64 - b
};

/// The hash that dictionaries use: XXH3-64.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0);

}  // namespace fovea
