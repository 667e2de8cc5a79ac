// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/tagging/model/foreign_model.h"

namespace fovea::tagging {
namespace {

constexpr std::size_t kHeaderBytes = 48, kChunkHeaderBytes = 12, kFeatureBytes = 20, kDatabaseHeaderBytes = 24;
constexpr std::uint32_t kSupportedVersion = 100, kByteOrder = 0x62445371;

/// One call of read_crfsuite_model().
class CrfsuiteModelReader {
 public:
  CrfsuiteModelReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  TaggerModel read() {
    require(bytes_.size() >= kHeaderBytes, bytes_.size(), "the header of 48 bytes ends here");
    require(bytes_.substr(8, 4) == "FOMC", 8, "the type of the model is not FOMC, a first-order chain");
    require(number_at(12) == kSupportedVersion, 12, fmt::format("version {}, not 100", number_at(12)));
    require(number_at(4) == bytes_.size(), 4,
            fmt::format("the file should have {} bytes and has {}", number_at(4), bytes_.size()));
    model_.model().format = TaggingFormat::kAttributes;
    read_names(number_at(32), number_at(20), "label", [&](std::string_view text) { return model_.add_label(text); });
    require(model_.label_count() > 0, 20, "the model has no label");
    read_names(number_at(36), number_at(24), "attribute",
               [&](std::string_view text) { return model_.add_attribute(text); });
    read_features(number_at(28));
    return model_.finish();
  }

 private:
  void require(bool holds, std::size_t offset, std::string_view problem) const {
    if (!holds)
      throw InputError({.file = name_}, fmt::format("byte {} of a CRFsuite model: {}", offset, problem),
                       "Write the model anew with CRFsuite 0.12, or copy it whole");
  }

  /// Refuses `size` bytes at `offset` that do not lie in the file.
  void require_inside(std::size_t offset, std::size_t size, const char* what) const {
    require(offset <= bytes_.size() && size <= bytes_.size() - offset, offset,
            fmt::format("{} goes beyond the end of the file", what));
  }

  /// An unsigned integer; the caller has checked that it lies in the file.
  std::uint32_t number_at(std::size_t offset) const {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
      number |= std::uint32_t{static_cast<unsigned char>(bytes_[offset + i])} << (8 * i);
    return number;
  }

  double weight_at(std::size_t offset) const {
    return std::bit_cast<double>(std::uint64_t{number_at(offset + 4)} << 32 | number_at(offset));
  }

  /// Calls add(text) for each name of a database, by number; add() returns a complaint or "".
  template <class Add>
  void read_names(std::size_t chunk, std::size_t count, const char* what, const Add& add) {
    require_inside(chunk, kDatabaseHeaderBytes, fmt::format("the table of {}s", what).c_str());
    require(bytes_.substr(chunk, 4) == "CQDB", chunk, fmt::format("no table of {}s begins here", what));
    require(number_at(chunk + 12) == kByteOrder, chunk + 12, "the byte order is not little-endian");
    require(number_at(chunk + 16) >= count, chunk + 16,
            fmt::format("{} {}s, but the header says {}", number_at(chunk + 16), what, count));
    const std::size_t array = chunk + number_at(chunk + 20);
    if (count > 0) require_inside(array, 4 * count, fmt::format("the array of {}s", what).c_str());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t record = chunk + number_at(array + 4 * i);
      require(record != chunk, array + 4 * i, fmt::format("{} {} has no name", what, i));
      require_inside(record, 8, what);
      const std::size_t length = number_at(record + 4);
      require_inside(record + 8, length, what);
      require(number_at(record) == i, record, fmt::format("the record of {} {} has another number", what, i));
      const std::string_view text = bytes_.substr(record + 8, length);
      require(!text.empty() && text.find('\0') == length - 1, record + 8,
              fmt::format("the name of {} {} does not end in a zero byte", what, i));
      const std::string complaint = add(text.substr(0, length - 1));
      require(complaint.empty(), record + 8, complaint);
    }
  }

  void read_features(std::size_t chunk) {
    require_inside(chunk, kChunkHeaderBytes, "the table of features");
    require(bytes_.substr(chunk, 4) == "FEAT", chunk, "no table of features begins here");
    const std::size_t count = number_at(chunk + 8);
    require_inside(chunk + kChunkHeaderBytes, count * kFeatureBytes, "the table of features");
    for (std::size_t i = 0; i < count; ++i) read_feature(chunk + kChunkHeaderBytes + i * kFeatureBytes);
  }

  void read_feature(std::size_t at) {
    const std::uint32_t kind = number_at(at), source = number_at(at + 4), label = number_at(at + 8);
    const double weight = weight_at(at + 12);
    require(kind <= 1, at, fmt::format("a feature of kind {}, not 0 or 1", kind));
    const std::size_t sources = kind == 0 ? model_.attribute_count() : model_.label_count();
    require(source < sources, at + 4, fmt::format("a feature of number {} among {}", source, sources));
    require(label < model_.label_count(), at + 8, fmt::format("label {} of {}", label, model_.label_count()));
    require(std::abs(weight) <= std::numeric_limits<float>::max(), at + 12, "a weight that is not a finite number");
    if (kind == 0) model_.add_attribute_weight(source, static_cast<Value>(label), weight);
    else model_.add_pair_weight(static_cast<Value>(source), static_cast<Value>(label), weight);
  }

  std::string_view bytes_;
  const std::string& name_;
  internal::ForeignModelBuilder model_ = internal::ForeignModelBuilder("CRFsuite");
};

}  // namespace

TaggerModel read_crfsuite_model(std::string_view bytes, const std::string& name) {
  return CrfsuiteModelReader(bytes, name).read();
}

}  // namespace fovea::tagging
