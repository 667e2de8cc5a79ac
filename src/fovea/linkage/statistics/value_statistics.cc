// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/statistics/value_statistics.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// Otherwise all words of a few texts would count as frequent.
constexpr double kNeverFrequent = 2;

void append_texts(const ValueStatistics& statistics, TextList& texts) {
  std::vector<std::uint64_t> tokens;
  for (std::size_t text = 0; text < statistics.text_rows.size(); ++text) {
    tokens.clear();
    if (statistics.has_tokens)
      for (std::uint64_t i = statistics.begin[text]; i < statistics.begin[text + 1]; ++i)
        tokens.push_back(statistics.token_texts.hashes[statistics.tokens[i]]);
    texts.add(statistics.text_rows.hashes[text], statistics.text_rows.counts[text], tokens);
  }
}

std::vector<std::uint64_t> ascending_once(std::vector<std::uint64_t> hashes) {
  std::ranges::sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

}  // namespace

void TextList::add(std::uint64_t hash, std::uint64_t row_count, std::span<const std::uint64_t> its_tokens) {
  hashes.push_back(hash);
  rows.push_back(row_count);
  tokens.insert(tokens.end(), its_tokens.begin(), its_tokens.end());
  begin.push_back(tokens.size());
}

double ValueStatistics::most_texts() const {
  return std::max(kNeverFrequent, frequent_share * static_cast<double>(texts));
}

void ValueStatistics::count_totals() {
  texts = text_rows.size();
  values = rows = 0;
  const double most = most_texts();
  const auto counts = [&](std::uint32_t token) { return static_cast<double>(token_texts.counts[token]) <= most; };
  for (std::size_t text = 0; text < texts; ++text) {
    if (has_tokens) {
      const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(begin[text]);
      if (std::none_of(first, tokens.begin() + static_cast<std::ptrdiff_t>(begin[text + 1]), counts)) continue;
    }
    ++values;
    rows += text_rows.counts[text];
  }
}

ValueStatistics ValueStatistics::reduced() const {
  ValueStatistics small = *this;
  small.text_rows = text_rows.repeated();
  small.token_texts = token_texts.repeated();
  small.tokens.clear();
  small.begin.clear();
  return small;
}

std::uint64_t ValueStatistics::fingerprint() const {
  const std::array totals = {texts, values, rows};
  std::uint64_t hash = hash_numbers(totals, static_cast<std::uint64_t>(1e6 * frequent_share));
  for (const CountTable* table : {&text_rows, &token_texts})
    hash = hash_numbers(table->counts, hash_numbers(table->hashes, hash));
  return hash;
}

ValueStatistics count_texts(const TextList& texts, bool has_tokens, double frequent_share) {
  ValueStatistics counted{.has_tokens = has_tokens, .frequent_share = frequent_share};
  std::vector<std::size_t> order(texts.hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return texts.hashes[i]; });
  counted.token_texts.hashes = ascending_once(texts.tokens);
  counted.token_texts.counts.resize(counted.token_texts.size());
  if (has_tokens) counted.begin = {0};
  for (const std::size_t i : order) {
    CountTable& rows = counted.text_rows;
    if (rows.size() > 0 && rows.hashes.back() == texts.hashes[i]) {
      rows.counts.back() += texts.rows[i];
      continue;
    }
    rows.add(texts.hashes[i], texts.rows[i]);
    if (!has_tokens) continue;
    const std::vector<std::uint64_t> tokens =
        ascending_once({texts.tokens.begin() + static_cast<std::ptrdiff_t>(texts.begin[i]),
                        texts.tokens.begin() + static_cast<std::ptrdiff_t>(texts.begin[i + 1])});
    for (const std::uint64_t token : tokens) {
      const std::size_t place = counted.token_texts.find(token);
      counted.tokens.push_back(static_cast<std::uint32_t>(place));
      ++counted.token_texts.counts[place];
    }
    counted.begin.push_back(counted.tokens.size());
  }
  counted.count_totals();
  return counted;
}

ValueStatistics merged(const ValueStatistics& a, const ValueStatistics& b) {
  FOVEA_CHECK(a.has_tokens == b.has_tokens && a.frequent_share == b.frequent_share);
  TextList texts;
  append_texts(a, texts);
  append_texts(b, texts);
  return count_texts(texts, a.has_tokens, a.frequent_share);
}

std::uint64_t hash_numbers(std::span<const std::uint64_t> numbers, std::uint64_t seed) {
  return hash_text({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()}, seed);
}

}  // namespace fovea::linkage
