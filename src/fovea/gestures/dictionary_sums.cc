// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/dictionary_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace fovea::gestures {
namespace {

/// Sums over the labels that start no letter, between possible starts. All factors of an observation are divided by the
/// same scale, by which the sum over such labels grows, so that the numbers of long gestures stay within range.
class StartTable {
 public:
  StartTable(const AlignmentLattice& lattice, AlignmentLaw law)
      : lattice_(lattice), offset_(law == AlignmentLaw::kChain ? lattice.chain_offset() : 0) {
    for (Key letter = 0; letter < kKeyCount; ++letter) {
      first_of_[letter] = starts_.size();
      for (std::size_t i = 0; i < lattice.size(); ++i)
        if (const std::size_t k = lattice.place(i, start_label(letter)); k < lattice.label_count(i))
          starts_.push_back({.site = i, .place = k});
    }
    first_of_[kKeyCount] = starts_.size();
    from_begin_.resize(starts_.size());
    to_end_.resize(starts_.size());
    between_.resize(starts_.size() * starts_.size());
    set_scales();
    sum_from_begin();
    for (std::size_t p = 0; p < starts_.size(); ++p) sum_from(p);
  }

  double log_scale() const { return log_scale_; }
  std::size_t begin(Key letter) const { return first_of_[letter]; }
  std::size_t end(Key letter) const { return first_of_[letter + 1]; }
  std::size_t site(std::size_t p) const { return starts_[p].site; }
  std::size_t place(std::size_t p) const { return starts_[p].place; }
  /// Sum of what comes before start p, and p's own label, if p is the first.
  double from_begin(std::size_t p) const { return from_begin_[p]; }
  /// Sum of what follows start p, if p is the last.
  double to_end(std::size_t p) const { return to_end_[p]; }
  /// [q] sum of what lies between p and the next start q, and q's own label; 0 unless q is later.
  std::span<const double> between(std::size_t p) const {
    return std::span(between_).subspan(p * starts_.size(), starts_.size());
  }

 private:
  struct Start {
    std::size_t site = 0, place = 0;
  };

  double factor(std::size_t i, std::size_t k) const {
    return std::exp(double{lattice_.scores()[offset_ + lattice_.label_slot(i, k)]}) / scales_[i];
  }
  double factor(std::size_t i, std::size_t j, std::size_t k) const {
    return std::exp(double{lattice_.scores()[offset_ + lattice_.pair_slot(i, j, k)]});
  }

  void set_scales() {
    scales_.assign(lattice_.size(), 1);
    steps_.resize(lattice_.size());
    std::vector<double> before;
    for (std::size_t i = 0; i < lattice_.size(); ++i) {
      const std::size_t labels = lattice_.label_count(i);
      std::vector<double> now(labels);
      steps_[i].resize(before.size() * labels);
      double sum = 0;
      for (std::size_t k = 0; k < labels; ++k) {
        const double own = factor(i, k);
        if (i == 0) now[k] = own;
        for (std::size_t j = 0; j < before.size(); ++j) {
          steps_[i][j * labels + k] = own * factor(i, j, k);
          if (!lattice_.starts(i - 1, j)) now[k] += before[j] * steps_[i][j * labels + k];
        }
        if (!lattice_.starts(i, k)) sum += now[k];
      }
      scales_[i] = sum;
      log_scale_ += std::log(sum);
      for (double& value : now) value /= sum;
      for (double& value : steps_[i]) value /= sum;
      before = std::move(now);
    }
  }

  /// Goes on from the labels of observation i, of which only those that start nothing are given a sum: calls
  /// visit(site, place, sum) for each start that may come next, and returns the sum of what reaches the end.
  template <class Visit>
  double follow(std::size_t i, std::vector<double> sums, Visit&& visit) const {
    for (++i; i < lattice_.size(); ++i) {
      const std::size_t labels = lattice_.label_count(i);
      std::vector<double> next(labels);
      for (std::size_t j = 0; j < sums.size(); ++j) {
        if (sums[j] == 0) continue;
        for (std::size_t k = 0; k < labels; ++k) next[k] += sums[j] * steps_[i][j * labels + k];
      }
      for (std::size_t k = 1; k <= lattice_.near_count(i); ++k) visit(i, k, std::exchange(next[k], 0));
      sums = std::move(next);
    }
    double sum = 0;
    for (const double value : sums) sum += value;
    return sum;
  }

  std::size_t number(std::size_t site, std::size_t place) const { return numbers_[site][place]; }

  void sum_from_begin() {
    numbers_.resize(lattice_.size());
    for (std::size_t i = 0; i < lattice_.size(); ++i) numbers_[i].resize(lattice_.label_count(i));
    for (std::size_t p = 0; p < starts_.size(); ++p) numbers_[site(p)][place(p)] = p;
    std::vector<double> first(lattice_.label_count(0));
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (lattice_.starts(0, k)) from_begin_[number(0, k)] = factor(0, k);
      else first[k] = factor(0, k);
    }
    follow(0, std::move(first), [&](std::size_t i, std::size_t k, double sum) { from_begin_[number(i, k)] = sum; });
  }

  void sum_from(std::size_t p) {
    std::vector<double> only(lattice_.label_count(site(p)));
    only[place(p)] = 1;
    to_end_[p] = follow(site(p), std::move(only), [&](std::size_t i, std::size_t k, double sum) {
      between_[p * starts_.size() + number(i, k)] = sum;
    });
  }

  const AlignmentLattice& lattice_;
  std::size_t offset_;
  std::vector<Start> starts_;                        // by letter, then by observation
  std::array<std::size_t, kKeyCount + 1> first_of_;  // [letter]
  std::vector<std::vector<std::size_t>> numbers_;    // [observation][label] of starts
  std::vector<double> scales_;                       // [observation]
  std::vector<std::vector<double>> steps_;           // [observation][label before, label] factor of a step, scaled
  double log_scale_ = 0;
  std::vector<double> from_begin_, to_end_, between_;
};

/// Walks down the trie with the sums of each prefix over the place of its last letter's start.
class DictionaryWalk {
 public:
  DictionaryWalk(const AlignmentLattice& lattice, const WordTrie& words, AlignmentLaw law)
      : lattice_(lattice), words_(words), law_(law), table_(lattice, law) {}

  std::vector<WordSum> sums() {
    visit_children(WordTrie::kRoot, {.arrived = {}, .log_scale = table_.log_scale(), .length = 0});
    return std::move(sums_);
  }

 private:
  struct Prefix {
    std::vector<double> arrived;  ///< sums, one for each possible start of the last letter, divided by a scale
    double log_scale = 0;
    std::size_t length = 0;  ///< letters
  };

  void visit_children(std::uint32_t node, const Prefix& prefix) {
    const WordTrie::Node& at = words_.nodes()[node];
    for (std::uint32_t child = at.first_child; child < at.first_child + at.child_count; ++child) {
      const Prefix longer = extend(node, prefix, child);
      if (longer.arrived.empty()) continue;
      offer(child, longer);
      if (words_.nodes()[child].child_count > 0) visit_children(child, longer);
    }
  }

  /// Makes the prefix with one letter more; its sums are empty if no alignment spells it.
  Prefix extend(std::uint32_t node, const Prefix& prefix, std::uint32_t child) const {
    const bool is_first = node == WordTrie::kRoot;
    const Key before = words_.nodes()[node].letter, letter = words_.nodes()[child].letter;
    const std::size_t begin = table_.begin(letter), end = table_.end(letter);
    Prefix longer{
        .arrived = std::vector<double>(end - begin), .log_scale = prefix.log_scale, .length = prefix.length + 1};
    if (is_first)
      for (std::size_t q = begin; q < end; ++q) longer.arrived[q - begin] = table_.from_begin(q);
    for (std::size_t p = 0; p < prefix.arrived.size(); ++p) {
      if (prefix.arrived[p] == 0) continue;
      const std::span<const double> between = table_.between(table_.begin(before) + p);
      for (std::size_t q = begin; q < end; ++q) longer.arrived[q - begin] += prefix.arrived[p] * between[q];
    }
    double largest = 0;
    for (std::size_t q = begin; q < end; ++q) {
      double& sum = longer.arrived[q - begin];
      if (law_ == AlignmentLaw::kChain && sum > 0)
        sum *= letter_factor(q, is_first ? AlignmentWeightIndex::kNoLetter : before);
      largest = std::max(largest, sum);
    }
    if (!(largest > 0)) return {};
    for (double& sum : longer.arrived) sum /= largest;
    longer.log_scale += std::log(largest);
    return longer;
  }

  double letter_factor(std::size_t q, Key before) const {
    return std::exp(double{lattice_.scores()[lattice_.letters_slot(table_.site(q), before, table_.place(q))]});
  }

  /// Adds the word that ends at the node, if there is one.
  void offer(std::uint32_t node, const Prefix& prefix) {
    const WordTrie::Node& at = words_.nodes()[node];
    if (at.word == WordTrie::kNone) return;
    double sum = 0;
    for (std::size_t p = 0; p < prefix.arrived.size(); ++p)
      sum += prefix.arrived[p] * table_.to_end(table_.begin(at.letter) + p);
    if (!(sum > 0)) return;
    double log_sum = prefix.log_scale + std::log(sum);
    if (law_ == AlignmentLaw::kChain) {
      const std::span<const float> weights = lattice_.scores().subspan(lattice_.word_slot());
      log_sum += double{weights[0]} + double{weights[1]} * double{words_.log_frequency(at.word)} +
                 double{weights[2]} * static_cast<double>(prefix.length);
    }
    sums_.push_back({.word = at.word, .log_sum = log_sum});
  }

  const AlignmentLattice& lattice_;
  const WordTrie& words_;
  AlignmentLaw law_;
  StartTable table_;
  std::vector<WordSum> sums_;
};

}  // namespace

std::vector<WordSum> word_sums(const AlignmentLattice& lattice, const WordTrie& words, AlignmentLaw law) {
  return lattice.size() == 0 ? std::vector<WordSum>() : DictionaryWalk(lattice, words, law).sums();
}

}  // namespace fovea::gestures
