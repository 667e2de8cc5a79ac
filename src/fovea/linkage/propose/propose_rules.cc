// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/propose/propose_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/pair_hash.h"
#include "fovea/base/random.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/blocking/candidate_pairs.h"

namespace fovea::linkage {
namespace {

constexpr double kMostPairs = 10;        // of a rule, for each record
constexpr double kMostPairsOfAll = 25;   // of all rules
constexpr std::size_t kMostRows = 4000;  // of a block
constexpr std::size_t kMostRules = 8;
constexpr std::size_t kMostLikely = 1000;  // likely matches to choose rules by

/// A part of a rule.
struct Key {
  std::string text;
  std::size_t column;
  bool is_part;                       // of what the column holds
  std::vector<std::uint32_t> values;  // [row] of the sample, kNoId without a key
};

/// One or two keys.
struct Rule {
  std::string text;
  std::vector<std::size_t> keys;
  double pairs = 0;  // candidate pairs for each record of the whole table ...
  double cost = 0;   // ... without the share of likely matches
};

/// The parts of a column that may serve as keys.
std::vector<std::string> key_texts(const ColumnProfile& column) {
  const std::string& name = column.name;
  switch (column.form) {
    case ColumnForm::kUseless:
      return {};
    case ColumnForm::kDate:
      return {name, fmt::format("year({})", name)};
    case ColumnForm::kEmail:
    case ColumnForm::kDigits:
    case ColumnForm::kCategory:
      return {name};
    case ColumnForm::kElements:
      return {fmt::format("prefix({}, 8)", name)};
    case ColumnForm::kText:
      return {name, fmt::format("prefix({}, 12)", name), fmt::format("prefix({}, 6)", name)};
    case ColumnForm::kInitials:
    case ColumnForm::kName:
      return {name, fmt::format("soundex({})", name), fmt::format("initial({})", name)};
  }
  return {};
}

class RuleSearch {
 public:
  RuleSearch(const io::Table& sample, std::span<const ColumnProfile> columns, std::size_t row_count, Random random)
      : columns_(columns),
        rows_(sample.row_count()),
        row_count_(static_cast<double>(row_count)),
        random_(std::move(random)),
        has_persons_(std::ranges::count(columns, false, &ColumnProfile::is_of_household) > 1) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::string& text : key_texts(columns[c])) {
        std::vector<std::uint32_t> values = BlockingRule(text, sample).key_numbers(sample);
        const bool is_part = text != columns[c].name;
        keys_.push_back({std::move(text), c, is_part, std::move(values)});
      }
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      add_rule({k});
      for (std::size_t other = 0; other < k; ++other)
        if (keys_[other].column != keys_[k].column) add_rule({other, k});
    }
  }

  /// Texts of rules.
  std::vector<std::string> run() {
    find_likely_matches();
    constexpr std::size_t kFewLikely = 20;
    const std::vector<std::size_t> chosen = likely_.size() < kFewLikely ? choose_by_columns() : choose_by_matches();
    std::vector<std::string> texts;
    for (const std::size_t rule : chosen) texts.push_back(rules_[rule].text);
    return texts;
  }

  /// Rules on columns that a household shares, the one with most pairs that agree, but not in enough to be likely
  /// matches, first; no two read the same column.
  std::vector<std::string> household_rules() const {
    constexpr std::size_t kMostHouseholdRules = 2;
    std::vector<std::pair<double, const Rule*>> found;  // related pairs
    for (const Rule& rule : household_rules_) {
      const PairCounts counts = count_pairs(rule, [](RowPair) {});
      found.emplace_back(rule.pairs * counts.share(counts.related), &rule);
    }
    std::ranges::stable_sort(found, std::greater<>(), [](const auto& entry) { return entry.first; });
    std::vector<std::string> texts;
    std::set<std::size_t> used;
    for (const auto& [related, rule] : found) {
      const auto is_used = [&](std::size_t k) { return used.contains(keys_[k].column); };
      if (texts.size() == kMostHouseholdRules || related == 0) break;
      if (std::ranges::any_of(rule->keys, is_used)) continue;
      texts.push_back(rule->text);
      for (const std::size_t k : rule->keys) used.insert(keys_[k].column);
    }
    return texts;
  }

 private:
  /// [row] number of the rule's key.
  std::vector<std::uint32_t> numbers_of(const Rule& rule) const {
    if (rule.keys.size() == 1) return keys_[rule.keys[0]].values;
    tsl::robin_map<std::uint64_t, std::uint32_t, PairHash> known;
    std::vector<std::uint32_t> numbers(rows_, kNoId);
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::uint32_t a = keys_[rule.keys[0]].values[row], b = keys_[rule.keys[1]].values[row];
      if (a == kNoId || b == kNoId) continue;
      numbers[row] = known.try_emplace(pair_key(a, b), static_cast<std::uint32_t>(known.size())).first->second;
    }
    return numbers;
  }

  /// Adds a rule unless it brings together too many pairs, or none.
  void add_rule(std::vector<std::size_t> keys) {
    const auto is_of_household = [&](std::size_t k) {
      const ColumnProfile& column = columns_[keys_[k].column];
      return column.is_of_household || column.form == ColumnForm::kCategory;
    };
    const bool is_of_households = has_persons_ && std::ranges::all_of(keys, is_of_household);
    Rule rule{.text = keys_[keys[0]].text, .keys = std::move(keys)};
    if (rule.keys.size() == 2) rule.text += "+" + keys_[rule.keys[1]].text;
    std::vector<std::uint32_t> counts;
    for (const std::uint32_t number : numbers_of(rule)) {
      if (number == kNoId) continue;
      if (number >= counts.size()) counts.resize(number + 1);
      ++counts[number];
    }
    double pairs = 0, largest = 0;
    for (const std::uint32_t count : counts) {
      pairs += count * (count - 1.) / 2;
      largest = std::max(largest, static_cast<double>(count));
    }
    const double scale = row_count_ / static_cast<double>(rows_);
    rule.pairs = pairs * scale / static_cast<double>(rows_);
    if (pairs > 0 && rule.pairs <= most_pairs(kMostPairs) && largest * scale <= kMostRows)
      (is_of_households ? household_rules_ : rules_).push_back(std::move(rule));
  }

  /// A limit on pairs for each record, which does not matter to a small table.
  double most_pairs(double for_each_record) const {
    constexpr double kFewPairs = 1e5;
    return std::max(for_each_record, kFewPairs / row_count_);
  }

  enum class Agreement { kChance, kRelated, kLikely };

  /// Likely matches agree in values too rare for chance, and in most of what tells records apart: people of one
  /// household, which are related, agree in half of it.
  Agreement agreement(RowPair pair) const {
    constexpr double kSure = 3, kMost = .7;
    double agreed = 0, all = 0;
    for (const ColumnProfile& column : columns_) {
      const std::uint32_t value = column.values[pair.first], other = column.values[pair.second];
      if (value == kNoId || other == kNoId) continue;
      const double rarity =
          std::log(static_cast<double>(rows_) / std::sqrt(double(column.counts[value]) * double(column.counts[other])));
      all += rarity;
      if (value == other) agreed += rarity;
    }
    if (agreed <= std::log(static_cast<double>(rows_)) + kSure) return Agreement::kChance;
    return agreed > kMost * all ? Agreement::kLikely : Agreement::kRelated;
  }

  /// Numbers of the first pairs of a rule, and of those that agree.
  struct PairCounts {
    std::size_t taken = 0, likely = 0, related = 0;
    double share(std::size_t count) const {
      return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(taken, 1));
    }
  };

  /// Calls visit_likely(pair) for likely matches.
  template <class Visit>
  PairCounts count_pairs(const Rule& rule, Visit&& visit_likely) const {
    constexpr std::size_t kMostOfARule = 300;
    PairCounts counts;
    const Blocks blocks = group_by_number(numbers_of(rule));
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (std::size_t j = 1; j < blocks[b].size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
          if (counts.taken == kMostOfARule) return counts;
          ++counts.taken;
          const RowPair pair{blocks[b][i], blocks[b][j]};
          const Agreement found = agreement(pair);
          counts.related += found == Agreement::kRelated;
          if (found != Agreement::kLikely) continue;
          ++counts.likely;
          visit_likely(pair);
        }
    return counts;
  }

  void find_likely_matches() {
    tsl::robin_map<std::uint64_t, bool, PairHash> seen;
    std::vector<std::size_t> order(rules_.size());
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = r;
    std::ranges::stable_sort(order, {}, [&](std::size_t r) { return rules_[r].pairs; });
    for (const std::size_t r : order) {
      const PairCounts counts = count_pairs(rules_[r], [&](RowPair pair) {
        if (seen.try_emplace(pair_key(pair.first, pair.second), true).second) likely_.push_back(pair);
      });
      rules_[r].cost = rules_[r].pairs * (1 - counts.share(counts.likely));
    }
    if (likely_.size() > kMostLikely) {
      shuffle(std::span(likely_), random_);
      likely_.resize(kMostLikely);
    }
  }

  bool agree(const Rule& rule, RowPair pair) const {
    return std::ranges::all_of(rule.keys, [&](std::size_t k) {
      const std::uint32_t value = keys_[k].values[pair.first];
      return value != kNoId && value == keys_[k].values[pair.second];
    });
  }

  /// Columns that may be wrong, or different, in two records of one entity, with weights that sum to 1: one or two
  /// columns; and where there are columns that a household shares, all of these, because people move and marry.
  struct Mistake {
    std::vector<bool> is_wrong;  // [column]
    double weight;
  };

  std::vector<Mistake> possible_mistakes() const {
    const std::size_t count = columns_.size();
    std::vector<Mistake> mistakes;
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t other = 0; other <= c; ++other) {
        mistakes.push_back({std::vector<bool>(count), 0});
        mistakes.back().is_wrong[c] = mistakes.back().is_wrong[other] = true;
      }
    std::vector<bool> household;
    for (const ColumnProfile& column : columns_) household.push_back(column.is_of_household);
    const bool may_move = std::ranges::count(household, true) > 1 && has_persons_;
    const double others = may_move ? .5 : 1;
    for (Mistake& mistake : mistakes) mistake.weight = others / static_cast<double>(mistakes.size());
    if (may_move) mistakes.push_back({std::move(household), 1 - others});
    return mistakes;
  }

  /// Takes the rule that reaches most for its cost, again and again: of likely matches with a mistake.
  std::vector<std::size_t> choose_by_matches() const {
    constexpr std::size_t kMostUses = 2;              // of a column, so that no kind of agreement rules
    constexpr double kLeastGain = .01, kOwnCost = 2;  // as if each rule had half a pair a record more
    const std::vector<Mistake> mistakes = possible_mistakes();
    std::vector<std::vector<bool>> reached;  // [rule][match]
    for (const Rule& rule : rules_) {
      reached.emplace_back();
      for (const RowPair pair : likely_) reached.back().push_back(agree(rule, pair));
    }
    // [mistake][match] probability that a chosen rule reaches it
    std::vector<std::vector<float>> is_reached(mistakes.size(), std::vector<float>(likely_.size()));
    std::vector<bool> is_used(keys_.size());  // in a chosen rule
    const auto survival = [&](std::size_t rule, const Mistake& mistake) {
      // That a mistake leaves a part of the column, such as its beginning, as it was; parts that other rules have tried
      // already show nothing new.
      constexpr float kOfPart = .25;
      float probability = 1;
      for (const std::size_t k : rules_[rule].keys)
        if (mistake.is_wrong[keys_[k].column]) probability *= keys_[k].is_part && !is_used[k] ? kOfPart : 0;
      return probability;
    };
    const auto gain_of = [&](std::size_t rule) {
      double gain = 0;
      for (std::size_t e = 0; e < mistakes.size(); ++e) {
        const float survives = survival(rule, mistakes[e]);
        if (survives == 0) continue;
        double newly = 0;
        for (std::size_t m = 0; m < likely_.size(); ++m)
          if (reached[rule][m]) newly += double{survives * (1 - is_reached[e][m])};
        gain += mistakes[e].weight * newly;
      }
      return gain / static_cast<double>(likely_.size());
    };
    std::vector<std::size_t> chosen, uses(columns_.size());
    double pairs = 0;
    while (chosen.size() < kMostRules) {
      double best = 0;
      std::size_t next = rules_.size();
      for (std::size_t r = 0; r < rules_.size(); ++r) {
        const bool is_overused =
            std::ranges::any_of(rules_[r].keys, [&](std::size_t k) { return uses[keys_[k].column] >= kMostUses; });
        if (is_overused || pairs + rules_[r].pairs > most_pairs(kMostPairsOfAll)) continue;
        const double gain = gain_of(r), worth = gain / (rules_[r].cost + kOwnCost);
        if (gain < kLeastGain || worth <= best) continue;
        best = worth;
        next = r;
      }
      if (next == rules_.size()) break;
      chosen.push_back(next);
      pairs += rules_[next].pairs;
      for (std::size_t e = 0; e < mistakes.size(); ++e)
        for (std::size_t m = 0; m < likely_.size(); ++m)
          if (reached[next][m]) is_reached[e][m] += survival(next, mistakes[e]) * (1 - is_reached[e][m]);
      for (const std::size_t k : rules_[next].keys) {
        ++uses[keys_[k].column];
        is_used[k] = true;
      }
    }
    return chosen;
  }

  /// Without matches to go by: for each column the rule that takes most pairs.
  std::vector<std::size_t> choose_by_columns() const {
    std::vector<std::size_t> chosen;
    double pairs = 0;
    for (std::size_t c = 0; c < columns_.size() && chosen.size() < kMostRules; ++c) {
      std::size_t next = rules_.size();
      for (std::size_t r = 0; r < rules_.size(); ++r) {
        const bool is_of_column = keys_[rules_[r].keys[0]].column == c;
        if (!is_of_column || pairs + rules_[r].pairs > most_pairs(kMostPairsOfAll)) continue;
        if (next == rules_.size() || rules_[r].pairs > rules_[next].pairs) next = r;
      }
      if (next == rules_.size()) continue;
      chosen.push_back(next);
      pairs += rules_[next].pairs;
    }
    return chosen;
  }

  std::span<const ColumnProfile> columns_;
  std::size_t rows_;
  double row_count_;
  Random random_;
  bool has_persons_;  // some columns are not of places
  std::vector<Key> keys_;
  std::vector<Rule> rules_, household_rules_;  // the latter on columns that a household shares alone
  std::vector<RowPair> likely_;
};

}  // namespace

std::string propose_rules(const io::Table& sample, std::span<const ColumnProfile> columns, std::size_t row_count,
                          Random random) {
  return fmt::format("{}", fmt::join(RuleSearch(sample, columns, row_count, std::move(random)).run(), ", "));
}

std::string propose_rules_to_learn_from(const io::Table& sample, std::span<const ColumnProfile> columns,
                                        std::size_t row_count, Random random) {
  RuleSearch search(sample, columns, row_count, std::move(random));
  std::vector<std::string> rules = search.run();
  if (!rules.empty()) std::ranges::move(search.household_rules(), std::back_inserter(rules));
  return fmt::format("{}", fmt::join(rules, ", "));
}

}  // namespace fovea::linkage
