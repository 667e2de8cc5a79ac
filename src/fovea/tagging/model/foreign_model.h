// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/base/dictionary.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {

/// True if the bytes or the file begin as a model of another program does that load_foreign_model reads. False for a
/// file that cannot be opened.
bool is_foreign_model(const ContainerSource& source);

/// Reads a chain model of CRFsuite (binary, magic "lCRF", type "FOMC") or of CRF++ (text, as `crf_learn -t` writes it).
/// Its items are CRFsuite's attributes, or columns by CRF++'s template. Weights become single precision. Throws
/// InputError with the place in the file (a byte offset, or a line) for damaged files, and for what Fovea's taggers do
/// not have: CRF++'s label pairs by observations.
TaggerModel load_foreign_model(const ContainerSource& source);

/// A model of CRFsuite 0.12. Integers are little-endian; offsets are in bytes from the start of the file.
///
///   0  "lCRF"       12 version, 100     28 offset of the features        40 offset of references by label
///   4  file size    16 0                32 offset of the labels          44 offset of references by attribute
///   8  "FOMC"       20 labels           36 offset of the attributes
///                   24 attributes
///
/// A feature chunk is "FEAT", size, count, then for each feature its kind (0: attribute and label, 1: label pair), its
/// source, its target label (u32 each) and its weight (f64). Labels and attributes are each a constant database:
/// "CQDB", size, flags, byte order (0x62445371), the number of names and the offset, from the chunk's start, of an
/// array with the offset of each name's record: number, length with a zero byte at the end (u32 each), text. The
/// references only speed up look-ups by source; they are not read.
TaggerModel read_crfsuite_model(std::string_view bytes, const std::string& name);

/// A model of CRF++ as text: lines "version: ", "cost-factor: ", "maxid: ", "xsize: ", then blocks between blank lines:
/// the labels; the template; the first number and the text of each feature; the weights, as many as maxid says. A U
/// feature has a weight for each label, a B feature one for each pair (previous label first); all are multiplied by the
/// cost factor.
TaggerModel read_crfpp_model(std::string_view text, const std::string& name);

namespace internal {

/// Collects the weights of a foreign model; labels and attributes are numbered as they are added.
class ForeignModelBuilder {
 public:
  explicit ForeignModelBuilder(std::string_view program);

  /// The complaint about a name that cannot be added, or "".
  std::string add_label(std::string_view label);
  std::string add_attribute(std::string_view attribute);
  std::size_t label_count() const { return model_.labels.size(); }
  std::size_t attribute_count() const { return attributes_->size(); }

  void add_attribute_weight(std::uint32_t attribute, Value label, double weight);
  void add_pair_weight(Value label, Value next, double weight);
  TaggerModel& model() { return model_; }

  /// The finished model; the builder must not be used again.
  TaggerModel finish();

 private:
  struct Weight {
    std::uint32_t attribute;
    Value label;
    double weight;
  };

  TaggerModel model_;
  std::shared_ptr<Dictionary> attributes_;
  std::vector<Weight> weights_;
  std::map<std::pair<Value, Value>, double> pairs_;
};

}  // namespace internal
}  // namespace fovea::tagging
