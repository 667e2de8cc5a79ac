// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/base/dictionary.h"
#include "fovea/tagging/feature/template.h"
#include "fovea/tagging/format/conll.h"

namespace fovea::tagging {

/// Format in which labelled items are written down.
enum class TaggingFormat {
  kColumns,      ///< one item a line, its columns and last its label (tagging/format/conll.h); attributes come from a
                 ///< template
  kAttributes,   ///< CRFsuite's label<TAB>attribute:value... (tagging/format/crfsuite.h)
  kPixels,       ///< words of handwritten letters, an attribute for each black pixel (tagging/format/pixels.h)
  kPixelValues,  ///< the same with an attribute for each pixel and its value
};
constexpr bool has_pixels(TaggingFormat format) {
  return format == TaggingFormat::kPixels || format == TaggingFormat::kPixelValues;
}

/// Facts that any tagger stores about its training text: what turns items into attributes, and the labels' names.
struct TaggerVocabulary {
  std::vector<std::string> labels;                  ///< names, by label number
  TaggingFormat format = TaggingFormat::kColumns;   ///< of the items that it tags
  std::optional<FeatureTemplate> feature_template;  ///< of columns; none: items come with their attributes
  std::size_t observation_columns = 0;              ///< columns before the label in training; 0 without a template
  /// Separator of columns in training; kDetect if files differed, and in models of versions that did not store it.
  ColumnSeparator separator = ColumnSeparator::kDetect;
  FrozenDictionary attributes;          ///< their numbers
  std::string training = "{}";          ///< how the tagger was trained: a JSON object
  std::shared_ptr<const void> storage;  ///< what `attributes` refers to

  int label_count() const { return static_cast<int>(labels.size()); }

  /// Adds its sections; `dictionary` is what `attributes` reads.
  void save_vocabulary(ContainerWriter& writer, const Dictionary& dictionary) const;
  /// Throws InputError if sections are missing or do not fit each other.
  void load_vocabulary(const std::shared_ptr<const Container>& container);
};

/// The labels, one a line.
std::string join_labels(const std::vector<std::string>& labels);

}  // namespace fovea::tagging
