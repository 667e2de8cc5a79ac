// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/model/tagger_vocabulary.h"

namespace fovea::tagging {

/// A reader of text that the model is to tag: columns are separated as where it was trained.
template <class Reader>
Reader make_input_reader(const TaggerVocabulary& model, io::ByteSource source) {
  if constexpr (std::is_same_v<Reader, ConllReader>) return Reader(std::move(source), model.separator);
  else return Reader(std::move(source));
}

/// What the first sequence of `file` shows to be unlike the text that the model was trained on: its number of columns,
/// with or without a label, and its separator. Throws InputError where the template reads columns that are not there.
std::vector<std::string> input_warnings(const TaggerVocabulary& model, const ItemSequence& first,
                                        const std::string& file);

}  // namespace fovea::tagging
