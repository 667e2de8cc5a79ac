// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "fovea/base/container.h"
#include "fovea/linkage/statistics/context_statistics.h"
#include "fovea/linkage/statistics/value_statistics.h"

namespace fovea::linkage {

/// Everything that the score of a pair takes from the table around it: how often values occur, in how many of them each
/// word, and how many namesakes a record has. With the statistics of a whole table, a part of it is scored as the whole
/// is. collect_statistics() (collect_statistics.h) makes them.
///
/// Texts are known by 64-bit hashes alone. That does not keep them secret: whoever guesses a text can see how often it
/// occurs.
struct MatchStatistics {
  std::string name = "";  ///< of their file, for messages
  /// True if they can be merged. Reduced statistics, those of a model, hold only what scores can tell apart.
  bool is_complete = true;
  std::uint64_t records = 0;                               ///< rows that were counted
  std::map<std::string, ValueStatistics> values = {};      ///< of each compared value, as in "title:words"
  std::map<std::string, ContextStatistics> contexts = {};  ///< of each context, as in "size(surname)"

  /// Throws InputError, naming the file, if nothing is known of that comparison or context.
  const ValueStatistics& of_values(const std::string& compared) const;
  const ContextStatistics& of_context(const std::string& context) const;

  /// Adds the rows of another table, in any order with the same result. Throws InputError unless both are complete and
  /// of the same comparisons.
  void merge(const MatchStatistics& other);

  /// The part that scores can tell apart: counts of two and more, since what is never seen counts as one.
  MatchStatistics reduced() const;

  /// Leaves out how often each value occurs, for comparisons that weigh all values alike.
  void forget_counts(const std::string& compared);

  /// Writes the statistics; equal ones give equal bytes. Throws InputError.
  void save(const ContainerTarget& target) const;
  /// Reads what save() wrote. Throws InputError for a file that is damaged or of another kind.
  static MatchStatistics load(const ContainerSource& source);
};

}  // namespace fovea::linkage
