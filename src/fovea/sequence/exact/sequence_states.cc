// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/sequence_states.h"

#include <algorithm>
#include <numeric>

namespace fovea::sequence {

bool SequenceStates::rebind(const LabelNgrams& ngrams) {
  const bool same_shape =
      ngrams_ != nullptr && base_ == ngrams.label_count() + 1u && factor_size_ == ngrams.factor_size();
  ngrams_ = &ngrams;
  const std::uint32_t* index = ngrams.row_index(ngrams.factor_size() - 1);
  if (same_shape && std::equal(row_index_.begin(), row_index_.end(), index)) return true;
  row_index_.assign(index, index + ngrams.context_count());
  factor_size_ = ngrams.factor_size();
  rebuild();
  return false;
}

void SequenceStates::rebuild() {
  base_ = ngrams_->label_count() + 1;
  digits_ = std::max(factor_size_ - 1, 1);
  key_count_ = 1;
  for (std::uint32_t i = 0; i < digits_; ++i) key_count_ *= base_;
  number_states(collect_keys());
  link_children();
}

namespace {

/// Digits of `key` from the last label backwards with pads as 0 and label k as k + 1: in the order of these numbers the
/// strings are a preorder of the tree of suffixes.
std::uint32_t reversed(std::uint32_t key, std::uint32_t base, std::uint32_t digits) {
  std::uint32_t r = 0;
  for (std::uint32_t i = 0; i < digits; ++i, key /= base) r = r * base + (key % base + 1) % base;
  return r;
}

/// The key from which reversed() made `number`.
std::uint32_t unreversed(std::uint32_t number, std::uint32_t base, std::uint32_t digits) {
  std::uint32_t key = 0;
  for (std::uint32_t i = 0; i < digits; ++i, number /= base) key = key * base + (number % base + base - 1) % base;
  return key;
}

}  // namespace

// A label string u has n-grams of its own if its row is not that of u without its first label. States are the prefixes
// of such strings.
std::vector<std::uint32_t> SequenceStates::collect_keys() const {
  const std::uint32_t pad = base_ - 1;
  const auto padded_from = [&](std::uint32_t key, std::size_t power) {  // digits below `power`, pads before them
    return static_cast<std::uint32_t>(key_count_ - power + key % power);
  };
  std::vector<bool> seen(key_count_, false);
  std::vector<std::uint32_t> keys;
  const auto add = [&](std::uint32_t key) {
    if (seen[key]) return false;
    seen[key] = true;
    keys.push_back(key);
    return true;
  };
  add(static_cast<std::uint32_t>(key_count_ - 1));
  for (std::uint32_t k = 0; k < pad; ++k) add(padded_from(k, base_));
  std::size_t power = base_;  // base^length
  for (std::uint32_t length = 2; length <= digits_; ++length) {
    const std::size_t shorter = power;
    power *= base_;
    for (std::uint32_t u = 0; u < power; ++u) {
      const std::uint32_t key = padded_from(u, power);
      if (row_index_[key] == row_index_[padded_from(u, shorter)]) continue;
      std::uint32_t prefix = u;
      for (std::size_t p = power; p > base_ && add(padded_from(prefix, p)); p /= base_) prefix /= base_;
    }
  }
  return keys;
}

void SequenceStates::number_states(std::vector<std::uint32_t> keys) {
  for (std::uint32_t& key : keys) key = reversed(key, base_, digits_);
  std::sort(keys.begin(), keys.end());
  for (std::uint32_t& key : keys) key = unreversed(key, base_, digits_);
  key_ = std::move(keys);
  state_of_key_.assign(key_count_, kNone);
  for (std::uint32_t s = 0; s < key_.size(); ++s) state_of_key_[key_[s]] = s;
  fail_.assign(key_.size(), 0);
  subtree_end_.resize(key_.size());
  for (std::uint32_t s = static_cast<std::uint32_t>(key_.size()); s-- > 0;) subtree_end_[s] = s + 1;
  for (std::uint32_t s = 1; s < key_.size(); ++s) {
    std::size_t power = key_count_ / base_;  // drop labels on the left until a state is left
    std::uint32_t suffix;
    do {
      suffix = static_cast<std::uint32_t>(key_count_ - power + key_[s] % power);
      power /= base_;
    } while (suffix == key_[s] || state_of_key_[suffix] == kNone);
    fail_[s] = state_of_key_[suffix];
  }
  for (std::uint32_t s = static_cast<std::uint32_t>(key_.size()); s-- > 1;)
    subtree_end_[fail_[s]] = std::max(subtree_end_[fail_[s]], subtree_end_[s]);
}

void SequenceStates::link_children() {
  const std::uint32_t pad = base_ - 1;
  last_.assign(count(), static_cast<Value>(pad));
  parent_.assign(count(), 0);
  child_begin_.assign(count() + 1, 0);
  for (std::uint32_t s = 1; s < count(); ++s) {
    last_[s] = static_cast<Value>(key_[s] % base_);
    const std::uint32_t parent_key =
        static_cast<std::uint32_t>(key_[s] / base_ + std::size_t{pad} * (key_count_ / base_));
    parent_[s] = state_of_key_[parent_key];
    ++child_begin_[parent_[s] + 1];
  }
  std::partial_sum(child_begin_.begin(), child_begin_.end(), child_begin_.begin());
  child_.resize(count() - 1);
  std::vector<std::uint32_t> fill(child_begin_.begin(), child_begin_.end() - 1);
  for (std::uint32_t s = 1; s < count(); ++s) child_[fill[parent_[s]]++] = s;
}

std::uint32_t SequenceStates::next(std::uint32_t s, Value label) const {
  const std::size_t top = key_count_ / base_;
  while (true) {
    const bool full = key_[s] / top != base_ - 1;  // no room for one more label
    if (!full) {
      const std::uint32_t state = state_of_key_[key_[s] % top * base_ + label];
      if (state != kNone) return state;
    }
    s = fail_[s];
  }
}

}  // namespace fovea::sequence
