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

/// Presence of probabilities at the end of tagged lines. kAuto looks for cells as 'fovea tag' writes them: a label, a
/// colon and a number with six digits after the point ("B-PER:0.912300"). Labels do not look like that, so that files
/// without probabilities are never misread. kYes takes any spelling of a number, and refuses files without
/// probabilities.
enum class MarginalsIn { kAuto, kYes, kNo };
constexpr auto words_of(MarginalsIn) {
  using enum MarginalsIn;
  return std::array{Word{kAuto, "auto"}, Word{kYes, "yes"}, Word{kNo, "no"}};
}

/// Probabilities of labels on one line and, for a Gaussian process, the entropy. Views into the line.
struct ItemMarginals {
  struct Share {
    std::string_view label;
    double probability = 0;  ///< in [0, 1]
  };
  std::vector<Share> shares;           ///< of all labels, or of the likeliest
  std::optional<double> entropy = {};  ///< nats; from the line, else that of all shares

  /// The first of the largest shares, or `predicted` if it is one of them: digits that were not written may have
  /// decided.
  const Share& likeliest(std::string_view predicted) const;
  /// Probability of a label; 0 for a label without a share.
  double probability_of(std::string_view label) const;
  /// Sum over labels of (probability - [is gold])^2; a gold label without a share has the probability 0.
  double squared_error(std::string_view gold) const;
};

/// Columns of a tagged file that hold probabilities, as its first line shows: after the predicted label, columns
/// `label:probability`, one for the likeliest label or one for each label, and perhaps `mean:`, `variance:` and
/// `entropy:` (see TagOptions). The last colon of a cell counts, since labels may contain colons.
class MarginalColumns {
 public:
  /// The probabilities of a line sum to 1 within this, so that two digits are enough for three labels.
  static constexpr double kSumTolerance = 0.02;

  /// No value if the line has no probabilities. Of several readings (labels may themselves look like probabilities),
  /// the one with the fewest columns counts whose labels include the predicted one and sum to 1. Throws InputError if a
  /// label has two probabilities, if a line of nothing but probabilities has no predicted label, if `kYes` finds none,
  /// and if mean, variance and entropy follow something else.
  static std::optional<MarginalColumns> find(std::span<const std::string_view> cells, MarginalsIn which,
                                             const InputLocation& line);

  std::size_t predicted_column() const { return begin_ - 1; }
  /// True if every label has a probability, rather than the likeliest one alone.
  bool has_all_labels() const { return end_ - begin_ > 1; }

  /// Reads a line with the same number of cells as the first. Throws InputError (file, line, column) if a cell is not a
  /// probability in [0, 1] or has another label than in the first line, if the probabilities do not sum to 1, and if
  /// mean, variance or entropy are not what their names say.
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
