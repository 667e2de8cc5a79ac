// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fovea::tagging {

/// Description, as data, of what a template macro `%name[row,column]` makes of a cell: the template parser, its error
/// messages and the documentation all read the table known_extractors().
///
/// Text is UTF-8 as far as it is valid; other bytes are kept, each counted as one character.
struct Extractor {
  const char* name;         ///< as in `%name[row,column]`
  bool takes_length;        ///< written `%name[row,column,length]`, length in characters
  bool names_ends;          ///< true: outside the sequence it gives CRF++'s `_B-1`, `_B+1`; false: nothing
  const char* description;  ///< with the example McDiarmid where it fits

  /// Appends the extract of `cell` to `output`. Returns false, and appends nothing, if nothing can be extracted: then
  /// the template line yields no attribute.
  bool (*extract)(std::string_view cell, unsigned length, std::string& output);
};

/// `%x` first, then the named ones. Pointers into it stay valid.
std::span<const Extractor> known_extractors();

/// The extractor of this name, or nullptr.
const Extractor* find_extractor(std::string_view name);

}  // namespace fovea::tagging
