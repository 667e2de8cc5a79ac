// Nanoseconds per pair of the string similarities on generated surnames; first the distances are checked against those
// of the textbook.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/string_distance.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kNames = 4096;

/// Names of 2 to 4 syllables, 4 to 14 letters and about 8; every other one is its predecessor with a letter changed.
/// `vowels` may hold characters beyond ASCII.
std::vector<std::string> surnames(const std::vector<std::string>& vowels) {
  const std::vector<std::string> onsets = {"b", "br", "d", "f", "g",   "h", "k", "l",
                                           "m", "n",  "r", "s", "sch", "t", "w"};
  std::mt19937 engine(1);
  const auto draw = [&](const std::vector<std::string>& from) { return from[engine() % from.size()]; };
  std::vector<std::string> names;
  while (names.size() < kNames) {
    std::string name;
    for (std::size_t syllables = 2 + engine() % 3; syllables > 0; --syllables) name += draw(onsets) + draw(vowels);
    names.push_back(name + draw({"", "n", "r", "s", "tz"}));
    name[engine() % 2] = 'p';
    names.push_back(name);
  }
  return names;
}

const std::vector<std::string> kAscii = {"a", "e", "i", "o", "u", "ei"};
const std::vector<std::string> kAccented = {"a", "e", "i", "ö", "ü", "ei"};
const std::vector<std::string> kHan = {"林", "王", "张", "陈", "李", "刘"};

/// Computes one row of the table at a time, on bytes.
std::size_t textbook_levenshtein(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = std::exchange(row[j], cost);
    }
  }
  return row[b.size()];
}

/// Compares neighbours, which differ little, and distant pairs in turn.
template <class Similarity>
void run(benchmark::State& state, const std::vector<std::string>& vowels, Similarity similarity) {
  const std::vector<std::string> names = surnames(vowels);
  std::size_t i = 0;
  for (auto _ : state) {
    const std::size_t distance = i % 2 == 0 ? 1 : 1000;
    benchmark::DoNotOptimize(similarity(names[i], names[(i + distance) % kNames]));
    i = (i + 1) % kNames;
  }
}

void jaro_winkler_pair(benchmark::State& state, const std::vector<std::string>& vowels) {
  if (std::abs(jaro_winkler("DWAYNE", "DUANE") - .84) > 1e-9) return state.SkipWithError("not the published value");
  run(state, vowels, [](const std::string& a, const std::string& b) { return jaro_winkler(a, b); });
}

void levenshtein_pair(benchmark::State& state, const std::vector<std::string>& vowels) {
  const std::vector<std::string> names = surnames(kAscii);
  for (const std::string& name : names)
    if (levenshtein(name, names[0]) != textbook_levenshtein(name, names[0]))
      return state.SkipWithError("not the distance of the textbook");
  run(state, vowels, [](const std::string& a, const std::string& b) { return levenshtein(a, b); });
}

void damerau_at_most_2(benchmark::State& state, const std::vector<std::string>& vowels) {
  run(state, vowels, [](const std::string& a, const std::string& b) { return damerau(a, b, 2); });
}

void textbook_pair(benchmark::State& state) { run(state, kAscii, textbook_levenshtein); }

BENCHMARK_CAPTURE(jaro_winkler_pair, ascii, kAscii);
BENCHMARK_CAPTURE(jaro_winkler_pair, accented, kAccented);
BENCHMARK_CAPTURE(levenshtein_pair, ascii, kAscii);
BENCHMARK_CAPTURE(levenshtein_pair, accented, kAccented);
BENCHMARK_CAPTURE(levenshtein_pair, han, kHan);
BENCHMARK_CAPTURE(damerau_at_most_2, ascii, kAscii);
BENCHMARK(textbook_pair);

}  // namespace
}  // namespace fovea::linkage
