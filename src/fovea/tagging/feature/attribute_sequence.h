// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::tagging {

/// One sequence of items whose attributes are given directly, each with a numeric value, instead of coming from a
/// template. Reused from block to block, so that reading allocates nothing once warm.
class AttributeSequence {
 public:
  struct Attribute {
    std::string_view name;
    float value = 1;
  };

  std::size_t size() const { return labels_.size(); }
  bool empty() const { return labels_.empty(); }
  std::string_view label(std::size_t item) const { return view(labels_[item]); }
  /// Cells that name the item in the file that it came from, to be written before its label; empty if nothing names it.
  std::string_view origin(std::size_t item) const { return view(origins_[item]); }
  std::size_t attribute_count(std::size_t item) const { return end_of(item) - item_begin_[item]; }
  Attribute attribute(std::size_t item, std::size_t index) const {
    const std::size_t a = item_begin_[item] + index;
    return {view(names_[a]), values_[a]};
  }
  /// 1-based line of the first item.
  std::uint64_t first_line() const { return first_line_; }

  // For readers: start a sequence, then add each item's label followed by its attributes.
  void clear(std::uint64_t first_line) {
    text_.clear();
    labels_.clear();
    origins_.clear();
    names_.clear();
    values_.clear();
    item_begin_.clear();
    first_line_ = first_line;
  }
  void add_item(std::string_view label, std::string_view origin = {}) {
    item_begin_.push_back(static_cast<std::uint32_t>(names_.size()));
    labels_.push_back(append(label));
    origins_.push_back(append(origin));
  }
  void add_attribute(std::string_view name, float value) {
    names_.push_back(append(name));
    values_.push_back(value);
  }
  /// Bytes of text held, which readers bound.
  std::size_t text_size() const { return text_.size(); }

 private:
  struct Range {
    std::uint32_t begin = 0, end = 0;  // bytes in text
  };
  std::string_view view(Range r) const { return std::string_view(text_).substr(r.begin, r.end - r.begin); }
  std::size_t end_of(std::size_t item) const { return item + 1 < size() ? item_begin_[item + 1] : names_.size(); }
  Range append(std::string_view bytes) {
    const auto begin = static_cast<std::uint32_t>(text_.size());
    text_.append(bytes);
    return {begin, static_cast<std::uint32_t>(text_.size())};
  }

  std::string text_;
  std::vector<Range> labels_;
  std::vector<Range> origins_;
  std::vector<Range> names_;
  std::vector<float> values_;
  std::vector<std::uint32_t> item_begin_;  // first attribute of each item
  std::uint64_t first_line_ = 0;
};

}  // namespace fovea::tagging
