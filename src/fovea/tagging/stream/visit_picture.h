// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/tagging/stream/tag_output.h"

namespace fovea::tagging {

/// Shows where the visits went, token by token (Figure 1 of Shi, Steinhardt and Liang 2015, on text). On a terminal,
/// darker backgrounds mean more visits; in plain text, each token is followed by a slash and its count. The token is
/// the first column, or the first attribute.
template <class Sequence>
class VisitPicture : public TagSink<Sequence> {
 public:
  /// `output` takes the text, a line for each sequence. `svg`, if not null, gets the same picture as the body of an SVG
  /// document (see svg_document).
  VisitPicture(io::OutputFile& output, bool color, std::string* svg) : output_(output), color_(color), svg_(svg) {}

  void write(const TaggedSequences<Sequence>& tagged, std::string& text) override;

 private:
  void add_token(std::string_view token, std::uint32_t visits, std::string& text) const;
  void add_svg_token(std::string_view token, std::uint32_t visits);

  io::OutputFile& output_;
  bool color_;
  std::string* svg_;
  std::size_t svg_row_ = 0, svg_column_ = 0;
};

/// Wraps what pictures appended into a whole SVG document.
std::string svg_document(const std::string& body);

}  // namespace fovea::tagging
