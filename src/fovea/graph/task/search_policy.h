// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/container.h"

namespace fovea::graph {

/// Record of one searcher of a portfolio.
struct SearcherRecord {
  /// A round in which the searcher ended above the best score that all had before it.
  struct Rise {
    double from = 0, to = 0;  ///< natural logarithms; from may be -inf
  };
  std::string name = "";
  bool is_for_bounds = false;  ///< it bounds the score, and is worth its time where the answer is proved
  double seconds = 0;          ///< wall time in which it ran
  std::vector<Rise> rises = {};
};

/// Shares of time for the searchers of a portfolio, learned from models like the one that is asked about. The value of
/// a searcher is how fast it closes the gap to the best score in the end,
///
///   log((S - s_0 + d) / (S - s_1 + d)) per second, S: that score, s_0 and s_1: scores before and after it ran,
///
/// relative to the best searcher of the portfolio: a reward per cost, on a scale on which late small gains count as
/// much as early large ones (d: 1e-4 of all that was gained).
struct SearchPolicy {
  struct Searcher {
    std::string name = "";
    double share = 1;  ///< of the time that the best searcher has, in (0, 1]
  };
  std::vector<Searcher> searchers = {};
  std::vector<std::string> sources = {};  ///< the models it was learned from
  /// Searchers that find better scores get more time. Without that, and without learned shares, all have the same time:
  /// so portfolios are observed.
  bool adapts = true;

  /// The share of a searcher; of one that is not known, 1.
  double share(std::string_view name) const;
  static constexpr double kLeastShare = .1;  ///< of what is learned: no searcher is given up

  static constexpr const char* kKind = "search policy";  ///< of its file

  /// Writes a container (base/container.h). Throws InputError if it cannot.
  void save(const ContainerTarget& target) const;
  /// Reads a file that save() wrote. Throws InputError for any other file.
  static SearchPolicy load(const ContainerSource& source);

  /// Text for people.
  std::string describe() const;
  /// {"kind": "search policy", "shares": {searcher: share}, "sources": [model]}
  std::string to_json() const;
};

/// Observation of a portfolio on one model, all searchers with the same time.
struct SearchTrial {
  std::vector<SearcherRecord> searchers = {};  ///< empty if no search was needed
  double best = 0;                             ///< the score in the end
  bool is_proved = false;                      ///< so that the searchers that bound scores were worth their time
  std::string source = "";
};

/// The geometric mean over trials of each searcher's value. Passes over trials without searchers, and throws UsageError
/// if all are such.
SearchPolicy learn_search_policy(std::span<const SearchTrial> trials);

}  // namespace fovea::graph
