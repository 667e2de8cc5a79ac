// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/alignment_chain.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::gestures {
namespace {

/// Number of letters that both begin with or, with reverse iterators, both end with.
template <class Iterator>
std::size_t shared_letters(Iterator a, Iterator a_end, Iterator b, Iterator b_end) {
  return static_cast<std::size_t>(std::mismatch(a, a_end, b, b_end).first - a);
}

}  // namespace

AlignmentChain::AlignmentChain(const AlignmentLattice& lattice, const WordTrie& words)
    : lattice_(lattice), words_(words), all_(lattice), expected_(all_.expected_slots()) {}

Alignment AlignmentChain::every_key_starts() const {
  Alignment z;
  for (std::size_t i = 0; i < lattice_.size(); ++i)
    z.push_back(static_cast<std::uint16_t>(lattice_.place(i, start_label(lattice_.keys()[i]))));
  return z;
}

const AlignmentSums& AlignmentChain::sums(const Word& y) const {
  if (!last_sums_ || last_word_ != y) {
    last_sums_.emplace(lattice_, y);
    last_word_ = y;
  }
  return *last_sums_;
}

double AlignmentChain::log_start(const Alignment& z) const {
  double score = -all_.log_sum();
  for (std::size_t i = 0; i < z.size(); ++i) {
    score += double{lattice_.scores()[lattice_.label_slot(i, z[i])]};
    if (i > 0) score += double{lattice_.scores()[lattice_.pair_slot(i, z[i - 1], z[i])]};
  }
  return score;
}

void AlignmentChain::add_start_gradient(const Word& y, double scale, std::span<double> gradient) const {
  const std::vector<double> expected = sums(y).expected_slots();
  for (std::size_t slot = 0; slot < expected_.size(); ++slot)
    gradient[slot] += scale * (expected[slot] - expected_[slot]);
}

void AlignmentChain::add_start_gradient(const Alignment& z, double scale, std::span<double> gradient) const {
  for (std::size_t slot = 0; slot < expected_.size(); ++slot) gradient[slot] -= scale * expected_[slot];
  for (std::size_t i = 0; i < z.size(); ++i) {
    gradient[lattice_.label_slot(i, z[i])] += scale;
    if (i > 0) gradient[lattice_.pair_slot(i, z[i - 1], z[i])] += scale;
  }
}

AlignmentChain::Spelling AlignmentChain::spell(const Alignment& z) const {
  Spelling spelling{.word = {}, .nodes = {WordTrie::kRoot}, .started = {}, .next_start = {}};
  spelling.started.resize(z.size());
  spelling.next_start.resize(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    spelling.started[i] = static_cast<std::uint16_t>(spelling.word.size());
    if (!lattice_.starts(i, z[i])) continue;
    spelling.word.push_back(started_letter(lattice_.label(i, z[i])));
    spelling.nodes.push_back(words_.child(spelling.nodes.back(), spelling.word.back()));
  }
  std::size_t next = z.size();
  for (std::size_t i = z.size(); i-- > 0;) {
    spelling.next_start[i] = next;
    if (lattice_.starts(i, z[i])) next = i;
  }
  return spelling;
}

/// Features of the word that consists of the first `before` letters, `letter`, if any, and the letters from `rest` on.
AlignmentChain::WordFeatures AlignmentChain::word_features(const Spelling& spelling, std::size_t before,
                                                           std::optional<Key> letter, std::size_t rest) const {
  WordFeatures features;
  std::size_t known = before;  // number of prefixes that are in the dictionary
  while (spelling.nodes[known] == WordTrie::kNone) --known;
  features.prefixes = static_cast<double>(known);
  std::uint32_t node = spelling.nodes[before];
  const auto take = [&](Key next) {
    node = words_.child(node, next);
    if (node != WordTrie::kNone) ++features.prefixes;
  };
  if (letter) take(*letter);
  for (; rest < spelling.word.size() && node != WordTrie::kNone; ++rest) take(spelling.word[rest]);
  if (node == WordTrie::kNone || words_.nodes()[node].word == WordTrie::kNone) return features;
  features.in_dictionary = 1;
  features.log_frequency = double{words_.log_frequency(words_.nodes()[node].word)};
  return features;
}

double AlignmentChain::score_of(const WordFeatures& features) const {
  const std::span<const float> weights = lattice_.scores().subspan(lattice_.word_slot());
  return double{weights[0]} * features.in_dictionary + double{weights[1]} * features.log_frequency +
         double{weights[2]} * features.prefixes;
}

void AlignmentChain::add_word_features(const WordFeatures& features, double scale, std::span<double> gradient) const {
  const std::size_t first = lattice_.word_slot();
  gradient[first] += scale * features.in_dictionary;
  gradient[first + 1] += scale * features.log_frequency;
  gradient[first + 2] += scale * features.prefixes;
}

template <class Visit>
void AlignmentChain::for_slots(const Spelling& spelling, const Alignment& z, std::size_t i, std::size_t k,
                               Visit&& visit) const {
  const std::size_t offset = lattice_.chain_offset();
  visit(offset + lattice_.label_slot(i, k));
  if (i > 0) visit(offset + lattice_.pair_slot(i, z[i - 1], k));
  if (i + 1 < z.size()) visit(offset + lattice_.pair_slot(i + 1, k, z[i + 1]));
  Key before = letter_before(spelling, i);
  if (lattice_.starts(i, k)) {
    visit(lattice_.letters_slot(i, before, k));
    before = started_letter(lattice_.label(i, k));
  }
  const std::size_t next = spelling.next_start[i];
  if (next < z.size()) visit(lattice_.letters_slot(next, before, z[next]));
}

AlignmentChain::Choice AlignmentChain::conditional(const Spelling& spelling, const Alignment& z, std::size_t i) const {
  const std::size_t labels = lattice_.label_count(i), before = spelling.started[i];
  const std::size_t rest = before + (lattice_.starts(i, z[i]) ? 1 : 0);
  Choice choice{.probability = std::vector<double>(labels), .features = std::vector<WordFeatures>(labels)};
  const WordFeatures without = word_features(spelling, before, std::nullopt, rest);
  double largest = kImpossible;
  for (std::size_t k = 0; k < labels; ++k) {
    choice.features[k] =
        lattice_.starts(i, k) ? word_features(spelling, before, started_letter(lattice_.label(i, k)), rest) : without;
    double score = score_of(choice.features[k]);
    for_slots(spelling, z, i, k, [&](std::size_t slot) { score += double{lattice_.scores()[slot]}; });
    choice.probability[k] = score;
    largest = std::max(largest, score);
  }
  double sum = 0;
  for (double& p : choice.probability) sum += p = std::exp(p - largest);
  for (double& p : choice.probability) p /= sum;
  return choice;
}

/// Finds the updates that lead to y. With w = y(from), a letter may be replaced, added or removed where the rest of w
/// equals the rest of y.
std::vector<AlignmentChain::Way> AlignmentChain::ways(const Word& y, const Alignment& from) const {
  const Spelling spelling = spell(from);
  const Word& w = spelling.word;
  std::vector<Way> ways;
  if (w.size() > y.size() + 1 || y.size() > w.size() + 1) return ways;
  const std::size_t front = shared_letters(w.begin(), w.end(), y.begin(), y.end());
  const std::size_t back = shared_letters(w.rbegin(), w.rend(), y.rbegin(), y.rend());
  if (front + back + 1 < std::max(w.size(), y.size())) return ways;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t before = spelling.started[i], kept = before + (lattice_.starts(i, from[i]) ? 1 : 0);
    const auto fits = [&](std::size_t letters) {  // w without the site's own letter, with `letters` in its place
      const std::size_t behind = w.size() - kept;
      return before + letters + behind == y.size() && front >= before && back >= behind;
    };
    Way way{.site = i, .any_without_start = fits(0)};
    if (fits(1)) {
      const std::size_t place = lattice_.place(i, start_label(y[before]));
      if (place < lattice_.label_count(i)) way.label = place;
    }
    if (way.any_without_start || way.label) ways.push_back(way);
  }
  return ways;
}

std::vector<AlignmentChain::Way> AlignmentChain::ways(const Alignment& z, const Alignment& from) const {
  std::vector<Way> all, changed;
  for (std::size_t i = 0; i < z.size(); ++i) {
    all.push_back({.site = i, .label = z[i]});
    if (z[i] != from[i]) changed.push_back(all.back());
  }
  if (changed.empty()) return all;
  if (changed.size() > 1) changed.clear();
  return changed;
}

double AlignmentChain::log_of(const std::vector<Way>& ways, const Alignment& from) const {
  if (ways.empty()) return kImpossible;
  const Spelling spelling = spell(from);
  double sum = 0;
  for (const Way& way : ways) {
    const Choice choice = conditional(spelling, from, way.site);
    for (std::size_t k = 0; k < choice.probability.size(); ++k)
      if (leads_there(way, k)) sum += choice.probability[k];
  }
  return std::log(sum / static_cast<double>(from.size()));
}

/// Adds d log(sum over ways of p_i(k) / n) = (sum over ways of p_i(k) (phi_i(k) - E_i phi_i)) / sum.
void AlignmentChain::add_ways_gradient(const std::vector<Way>& ways, const Alignment& from, double scale,
                                       std::span<double> gradient) const {
  const Spelling spelling = spell(from);
  std::vector<Choice> choices;
  double sum = 0;
  for (const Way& way : ways) {
    choices.push_back(conditional(spelling, from, way.site));
    for (std::size_t k = 0; k < choices.back().probability.size(); ++k)
      if (leads_there(way, k)) sum += choices.back().probability[k];
  }
  for (std::size_t n = 0; n < ways.size(); ++n) {
    const Choice& choice = choices[n];
    double there = 0;
    for (std::size_t k = 0; k < choice.probability.size(); ++k)
      if (leads_there(ways[n], k)) there += choice.probability[k];
    for (std::size_t k = 0; k < choice.probability.size(); ++k) {
      const double amount = scale * choice.probability[k] * ((leads_there(ways[n], k) ? 1 : 0) - there) / sum;
      for_slots(spelling, from, ways[n].site, k, [&](std::size_t slot) { gradient[slot] += amount; });
      add_word_features(choice.features[k], amount, gradient);
    }
  }
}

void AlignmentChain::add_features(const Alignment& z, double scale, std::span<double> gradient) const {
  const Spelling spelling = spell(z);
  const std::size_t offset = lattice_.chain_offset();
  for (std::size_t i = 0; i < z.size(); ++i) {
    gradient[offset + lattice_.label_slot(i, z[i])] += scale;
    if (i > 0) gradient[offset + lattice_.pair_slot(i, z[i - 1], z[i])] += scale;
    if (lattice_.starts(i, z[i])) gradient[lattice_.letters_slot(i, letter_before(spelling, i), z[i])] += scale;
  }
  add_word_features(word_features(spelling, spelling.word.size(), std::nullopt, spelling.word.size()), scale, gradient);
}

double AlignmentChain::log_score(const Alignment& z) const {
  std::vector<double> features(lattice_.slot_count());
  add_features(z, 1, features);
  double score = 0;
  for (std::size_t slot = 0; slot < features.size(); ++slot) score += features[slot] * double{lattice_.scores()[slot]};
  return score;
}

}  // namespace fovea::gestures
