// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/visit_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fovea::tagging {
namespace {

constexpr std::uint32_t kDarkest = 8;  // number of visits from which a token is darkest
constexpr std::size_t kColumnWidth = 8, kRowHeight = 20, kColumns = 110;  // pixels, pixels, characters

/// Escapes a text for SVG; bytes that an SVG may not hold become question marks.
std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    if (c == '<') escaped += "&lt;";
    else if (c == '&') escaped += "&amp;";
    else escaped += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E ? '?' : c;
  return escaped;
}

}  // namespace

template <class Sequence>
void VisitPicture<Sequence>::write(const TaggedSequences<Sequence>& tagged, std::string& text) {
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s) {
    const std::span<const std::uint32_t> visited = tagged.tags.visits(s);
    for (std::size_t t = 0; t < tagged.sequences[s].size(); ++t) {
      const std::uint32_t visits = visited[t];
      if (t > 0) text += ' ';
      add_token(token_of(tagged.sequences[s], t), visits, text);
      if (svg_) add_svg_token(token_of(tagged.sequences[s], t), visits);
    }
    text += '\n';
    ++svg_row_;
    svg_column_ = 0;
  }
  output_.write_and_clear(text);
}

template <class Sequence>
void VisitPicture<Sequence>::add_token(std::string_view token, std::uint32_t visits, std::string& text) const {
  if (!color_) {
    fmt::format_to(std::back_inserter(text), "{}/{}", token, visits);
  } else if (visits == 0) {
    text += token;
  } else {
    // Greys of the 256-colour palette, 255 (light) to 232 (black); white letters on the darker half.
    const std::uint32_t grey = 255 - 2 * std::min(visits, kDarkest);
    fmt::format_to(std::back_inserter(text), "\x1b[48;5;{};38;5;{}m{}\x1b[0m", grey, visits > kDarkest / 2 ? 231 : 16,
                   token);
  }
}

template <class Sequence>
void VisitPicture<Sequence>::add_svg_token(std::string_view token, std::uint32_t visits) {
  if (svg_column_ > 0 && svg_column_ + token.size() > kColumns) {
    ++svg_row_;
    svg_column_ = 0;
  }
  const std::size_t x = svg_column_ * kColumnWidth, y = svg_row_ * kRowHeight, width = token.size() * kColumnWidth;
  const double shade = 0.9 * std::min(visits, kDarkest) / kDarkest;
  fmt::format_to(std::back_inserter(*svg_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.2f}\"/>"
                 "<text x=\"{}\" y=\"{}\" fill=\"{}\"><title>{} visits</title>{}</text>\n",
                 x, y, width, kRowHeight - 2, shade, x, y + 14, shade > 0.45 ? "white" : "black", visits,
                 escape(token));
  svg_column_ += token.size() + 1;
}

template class VisitPicture<ItemSequence>;
template class VisitPicture<AttributeSequence>;

std::string svg_document(const std::string& body) {
  std::size_t bottom = 0;
  for (std::size_t at = body.find("\" y=\""); at != std::string::npos; at = body.find("\" y=\"", at + 1))
    bottom = std::max<std::size_t>(bottom, std::stoul(body.substr(at + 5, 12)));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"monospace\" "
      "font-size=\"13\">\n{}</svg>\n",
      kColumns * kColumnWidth, bottom + kRowHeight, body);
}

}  // namespace fovea::tagging
