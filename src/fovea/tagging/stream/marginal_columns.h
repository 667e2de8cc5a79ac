// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/words.h"

namespace fovea::tagging {

/// Whether tagged lines end with probabilities. kAuto believes it of the cells that look as 'fovea tag' writes them: a
/// label, a colon and a number with six digits behind its point ("B-PER:0.912300"). Labels do not look like that, so
/// that files without probabilities are never misread. kYes takes any spelling of a number, and refuses files without.
enum class MarginalsIn { kAuto, kYes, kNo };
constexpr auto words_of(MarginalsIn) {
  using enum MarginalsIn;
  return std::array{Word{kAuto, "auto"}, Word{kYes, "yes"}, Word{kNo, "no"}};
}

/// What one line says: the probabilities of labels and, of a Gaussian process, the entropy. Views into the line.
struct ItemMarginals {
  struct Share {
    std::string_view label;
    double probability = 0;  ///< in [0, 1]
  };
  std::vector<Share> shares;           ///< of all labels, or of the likeliest
  std::optional<double> entropy = {};  ///< nats; as the line says, else that of all shares

  /// The first of the greatest shares, but `predicted` if it is one of them: digits that were not written may tell why.
  const Share& likeliest(std::string_view predicted) const;
  /// 0 of a label that has no share.
  double probability_of(std::string_view label) const;
  /// Sum over labels of (probability - [is gold])^2; a gold label without a share has the probability 0.
  double squared_error(std::string_view gold) const;
};

/// Where the lines of a tagged file hold probabilities, as its first line shows: behind the predicted label, columns
/// `label:probability`, one of the likeliest label or one of each label, and perhaps `mean:`, `variance:` and
/// `entropy:` (see TagOptions). The last colon of a cell counts, since labels may have some.
class MarginalColumns {
 public:
  /// The probabilities of a line sum to 1 within this, so that two digits do for three labels.
  static constexpr double kSumTolerance = 0.02;

  /// None where the line has no probabilities. Of several readings (labels may themselves look like probabilities) the
  /// one with fewest columns counts whose labels have the predicted one among them and sum to 1. Throws InputError if a
  /// label has two probabilities, if a line of nothing but probabilities has no predicted label, if `kYes` finds none,
  /// and if mean, variance and entropy stand behind something else.
  static std::optional<MarginalColumns> find(std::span<const std::string_view> cells, MarginalsIn which,
                                             const InputLocation& line);

  std::size_t predicted_column() const { return begin_ - 1; }
  /// Of every label, rather than of the likeliest one alone.
  bool has_all_labels() const { return end_ - begin_ > 1; }

  /// Reads a line with as many cells as the first. Throws InputError (file, line, column) where a cell is no
  /// probability in [0, 1], has another label than in the first line, where the probabilities do not sum to 1, and
  /// where mean, variance or entropy are not what their names say.
  void read(std::span<const std::string_view> cells, const InputLocation& line, ItemMarginals& item) const;

 private:
  MarginalColumns(std::span<const std::string_view> cells, std::size_t begin, std::size_t end);

  ItemMarginals::Share read_share(std::string_view cell, const InputLocation& where) const;
  void check_sum(const ItemMarginals& item, const InputLocation& line) const;
  double read_statistic(std::string_view cell, std::size_t which, const InputLocation& where) const;

  std::size_t begin_, end_;  // columns of probabilities
  bool has_statistics_;
  std::vector<std::string> labels_;  // [column - begin_]; empty if there is one column, whose label varies
};

}  // namespace fovea::tagging
