// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/io/stream.h"

namespace fovea::synthesis {

/// A file of s-expressions, as SMT-LIB and SyGuS write them: words, |quoted words| (bars kept), "strings" (quotes kept)
/// and parenthesised lists; `;` starts a comment that ends with the line.
class SExpressions {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 22;
  static constexpr std::uint32_t kMaxDepth = 1000;

  /// A word or, if `is_list`, a list of its children.
  struct Node {
    std::string word = {};
    bool is_list = false;
    std::uint32_t line = 0;    ///< 1-based
    std::uint32_t column = 0;  ///< 1-based, in bytes
    std::vector<std::uint32_t> children = {};
  };

  /// Throws InputError (file:line: column) for unmatched parentheses, words without end, NUL bytes, files of more than
  /// kMaxBytes and nesting deeper than kMaxDepth.
  static SExpressions read(io::ByteSource source);

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  const std::vector<std::uint32_t>& top() const { return nodes_[0].children; }
  const std::string& file() const { return file_; }
  InputLocation location(std::uint32_t node) const {
    return {.file = file_, .line = nodes_[node].line, .column = nodes_[node].column};
  }

 private:
  std::string file_;
  std::vector<Node> nodes_;  // the first is the list of all top expressions
};

}  // namespace fovea::synthesis
