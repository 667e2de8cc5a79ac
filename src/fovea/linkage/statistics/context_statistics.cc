// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/statistics/context_statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/statistics/value_statistics.h"

namespace fovea::linkage {
namespace {

constexpr std::array kRangeBounds = {1.1, 2.0, 4.0, 10.0, 50.0, 250.0};
constexpr std::array kRangeNames = {"1", "below 2", "2 to 4", "4 to 10", "10 to 50", "50 to 250", "250 or more"};

double variety(std::span<const double> counts) {
  double total = 0, sum = 0;
  for (const double count : counts) {
    total += count;
    sum += count * std::log(count);
  }
  return total > 0 ? total * std::exp(-sum / total) : 0;
}

}  // namespace

double context_number(ContextNumber number, std::span<const double> counts) {
  double sum = 0;
  switch (number) {
    case ContextNumber::kSize:
      for (const double count : counts) sum += count;
      return sum;
    case ContextNumber::kDistinct:
      return static_cast<double>(counts.size());
    case ContextNumber::kVariety:
      return variety(counts);
  }
  return 0;
}

std::uint8_t context_range(double number) {
  // A number computed from logarithms must not fall below its bound through rounding.
  return static_cast<std::uint8_t>(
      std::ranges::count_if(kRangeBounds, [&](double bound) { return number >= bound * (1 - 1e-9); }));
}

std::span<const char* const> context_ranges() {
  static_assert(kRangeNames.size() == kRangeBounds.size() + 1);
  return kRangeNames;
}

ContextStatistics ContextStatistics::reduced() const {
  ContextStatistics small{.number = number, .counts = {}, .keys = keys};
  std::vector<double> of_values;
  for (std::size_t i = 0; i < counts.size();) {
    Key key{.key = counts[i].key};
    of_values.clear();
    for (; i < counts.size() && counts[i].key == key.key; ++i) {
      key.rows += counts[i].rows;
      if (number == ContextNumber::kSize || counts[i].value != 0)
        of_values.push_back(static_cast<double>(counts[i].rows));
    }
    key.range = context_range(context_number(number, of_values));
    if (key.rows > 1) small.keys.push_back(key);
  }
  return small;
}

std::uint64_t ContextStatistics::fingerprint() const {
  std::uint64_t hash = static_cast<std::uint64_t>(number);
  for (const Key& key : keys) hash = hash_numbers(std::array{key.key, key.rows, std::uint64_t{key.range}}, hash);
  return hash;
}

const ContextStatistics::Key* ContextStatistics::find(std::uint64_t key) const {
  const auto at = std::ranges::lower_bound(keys, key, {}, &Key::key);
  return at != keys.end() && at->key == key ? &*at : nullptr;
}

ContextStatistics larger(const ContextStatistics& a, const ContextStatistics& b) {
  FOVEA_CHECK(a.number == b.number);
  ContextStatistics both{.number = a.number};
  std::ranges::merge(a.keys, b.keys, std::back_inserter(both.keys), {}, &ContextStatistics::Key::key,
                     &ContextStatistics::Key::key);
  std::size_t kept = 0;
  for (const ContextStatistics::Key& key : both.keys) {
    if (kept == 0 || both.keys[kept - 1].key != key.key) both.keys[kept++] = key;
    else if (key.rows > both.keys[kept - 1].rows) both.keys[kept - 1] = key;
  }
  both.keys.resize(kept);
  return both;
}

ContextStatistics count_contexts(ContextNumber number, std::vector<KeyedValue> rows) {
  const auto place = [](const KeyedValue& counted) { return std::pair(counted.key, counted.value); };
  std::ranges::sort(rows, {}, place);
  ContextStatistics statistics{.number = number};
  for (const KeyedValue& row : rows) {
    if (!statistics.counts.empty() && place(statistics.counts.back()) == place(row))
      statistics.counts.back().rows += row.rows;
    else statistics.counts.push_back(row);
  }
  return statistics;
}

ContextStatistics merged(const ContextStatistics& a, const ContextStatistics& b) {
  FOVEA_CHECK(a.number == b.number);
  std::vector<KeyedValue> rows = a.counts;
  rows.insert(rows.end(), b.counts.begin(), b.counts.end());
  return count_contexts(a.number, std::move(rows));
}

}  // namespace fovea::linkage
