// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fovea/gestures/alignment_lattice.h"
#include "fovea/gestures/alignment_sums.h"
#include "fovea/gestures/word_trie.h"

namespace fovea::gestures {

/// The two chains of one gesture, in the form for DoeblinRuns: a state is an alignment z, its output is the word y(z)
/// that it spells, and the weights are the slots of the lattice. Steinhardt and Liang (2015), section 5.
///
///   u            an exact chain: AlignmentSums
///   A(z | z')    Gibbs: a site i is drawn uniformly, then z_i from its conditional in the model with all features,
///                including those of the word. One transition is one such update, so y changes by at most one letter.
///
/// The features of the word are computed along a trie: the node of each prefix of y(z) is known, so a change costs only
/// as many steps as there are letters after it that still match some word. Log domain.
class AlignmentChain {
 public:
  using State = Alignment;
  using Word = std::vector<Key>;

  /// Both must outlive the chain.
  AlignmentChain(const AlignmentLattice& lattice, const WordTrie& words);

  std::size_t weight_count() const { return lattice_.slot_count(); }
  const AlignmentLattice& lattice() const { return lattice_; }

  /// The start of basic Gibbs: each observation starts the letter of its own key.
  Alignment every_key_starts() const;

  template <class Random>
  Alignment draw_start(Random& random) const {
    return all_.draw(random);
  }
  template <class Random>
  Alignment draw_step(Alignment z, Random& random) const {
    step(z, random);
    return z;
  }
  /// One transition of A, in place.
  template <class Random>
  void step(Alignment& z, Random& random) const {
    const std::size_t i = random.uniform_index(static_cast<std::uint32_t>(z.size()));
    const Choice choice = conditional(spell(z), z, i);
    z[i] = static_cast<std::uint16_t>(random.categorical(std::span<const double>(choice.probability)));
  }

  double log_start(const Word& y) const { return sums(y).log_sum() - all_.log_sum(); }
  double log_start(const Alignment& z) const;
  double log_step(const Word& y, const Alignment& from) const { return log_of(ways(y, from), from); }
  double log_step(const Alignment& z, const Alignment& from) const { return log_of(ways(z, from), from); }
  void add_start_gradient(const Word& y, double scale, std::span<double> gradient) const;
  void add_start_gradient(const Alignment& z, double scale, std::span<double> gradient) const;
  void add_step_gradient(const Word& y, const Alignment& from, double scale, std::span<double> gradient) const {
    add_ways_gradient(ways(y, from), from, scale, gradient);
  }
  void add_step_gradient(const Alignment& z, const Alignment& from, double scale, std::span<double> gradient) const {
    add_ways_gradient(ways(z, from), from, scale, gradient);
  }

  /// gradient += scale * (number of times that z uses each slot of A).
  void add_features(const Alignment& z, double scale, std::span<double> gradient) const;
  /// log of A's unnormalised law, which A leaves invariant.
  double log_score(const Alignment& z) const;

 private:
  /// The word that an alignment spells, with the data needed to change one site.
  struct Spelling {
    Word word;
    std::vector<std::uint32_t> nodes;     // [letters + 1] node of the trie for each prefix
    std::vector<std::uint16_t> started;   // [site] number of letters started before it
    std::vector<std::size_t> next_start;  // [site] the next site after it that starts a letter; size() if none
  };
  struct WordFeatures {
    double in_dictionary = 0, log_frequency = 0, prefixes = 0;
  };
  /// The law of one site given the others.
  struct Choice {
    std::vector<double> probability;     // [label]
    std::vector<WordFeatures> features;  // [label]
  };
  /// The labels of one site with which a transition ends in the wanted place: all labels that start no letter, one
  /// given label, or both.
  struct Way {
    std::size_t site = 0;
    bool any_without_start = false;
    std::optional<std::size_t> label = {};  // place
  };

  const AlignmentSums& sums(const Word& y) const;
  Spelling spell(const Alignment& z) const;
  WordFeatures word_features(const Spelling& spelling, std::size_t before, std::optional<Key> letter,
                             std::size_t rest) const;
  Choice conditional(const Spelling& spelling, const Alignment& z, std::size_t i) const;
  bool leads_there(const Way& way, std::size_t k) const {
    return way.label == k || (way.any_without_start && !lattice_.starts(way.site, k));
  }
  std::vector<Way> ways(const Word& y, const Alignment& from) const;
  std::vector<Way> ways(const Alignment& z, const Alignment& from) const;
  double log_of(const std::vector<Way>& ways, const Alignment& from) const;
  void add_ways_gradient(const std::vector<Way>& ways, const Alignment& from, double scale,
                         std::span<double> gradient) const;
  /// Calls visit(slot) for each slot of A that depends on z_i, with z_i = k.
  template <class Visit>
  void for_slots(const Spelling& spelling, const Alignment& z, std::size_t i, std::size_t k, Visit&& visit) const;
  Key letter_before(const Spelling& spelling, std::size_t i) const {
    const std::size_t before = spelling.started[i];
    return before == 0 ? AlignmentWeightIndex::kNoLetter : spelling.word[before - 1];
  }
  void add_word_features(const WordFeatures& features, double scale, std::span<double> gradient) const;
  double score_of(const WordFeatures& features) const;

  const AlignmentLattice& lattice_;
  const WordTrie& words_;
  AlignmentSums all_;
  std::vector<double> expected_;  // slots of u, over all alignments
  mutable Word last_word_;        // the last word asked for, and its sums: a chain belongs to one thread
  mutable std::optional<AlignmentSums> last_sums_;
};

}  // namespace fovea::gestures
