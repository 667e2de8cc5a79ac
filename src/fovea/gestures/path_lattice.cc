// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_lattice.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fovea/base/log_math.h"

namespace fovea::gestures {
namespace {

constexpr auto kFirst = static_cast<std::size_t>(LetterRole::kFirst);
constexpr auto kLast = static_cast<std::size_t>(LetterRole::kLast);

/// inner_role of every [before][letter][after].
const std::vector<std::uint8_t>& all_roles() {
  static const std::vector<std::uint8_t> kRoles = [] {
    std::vector<std::uint8_t> roles;
    for (Key a = 0; a < kKeyCount; ++a)
      for (Key b = 0; b < kKeyCount; ++b)
        for (Key c = 0; c < kKeyCount; ++c) roles.push_back(static_cast<std::uint8_t>(inner_role(a, b, c)));
    return roles;
  }();
  return kRoles;
}

bool is_better(const PathCandidate& a, const PathCandidate& b) {
  return a.score != b.score ? a.score > b.score : a.word < b.word;
}

LetterRole role_in(std::span<const Key> letters, std::size_t j) {
  if (j == 0) return LetterRole::kFirst;
  return j + 1 == letters.size() ? LetterRole::kLast : inner_role(letters[j - 1], letters[j], letters[j + 1]);
}

}  // namespace

PathLattice::PathLattice(const PathWeights& weights, const WordTrie& words)
    : weights_(weights), words_(words), roles_(all_roles()), strokes_(kKeyCount), rests_(kAnyNumber + 1) {
  for (Key a = 0; a < kKeyCount; ++a)
    for (Key b = 0; b < kKeyCount; ++b) lengths_[a][b] = distance(key_centre(a), key_centre(b));
}

void PathLattice::set(const SwipePath& path) {
  path_ = path;
  for (Key a = 0; a < kKeyCount; ++a)
    for (Key b = 0; b < kKeyCount; ++b) straight_[a][b] = weights_[PathFeature::kStraightLength] * lengths_[a][b];
  internal::score_letters(path_, weights_, letters_);
  internal::score_strokes(path_, weights_, strokes_);
  set_rest();
}

/// Bounds for few letters are those of any letters, in their best roles. The dictionary is not looked at.
void PathLattice::set_rest() {
  LetterRows inner;
  for (Key c = 0; c < kKeyCount; ++c)
    for (std::size_t t = 0; t < kPoints; ++t) {
      inner[c][t] = kImpossibleF;
      for (std::size_t role = kLast + 1; role < kLetterRoles; ++role)
        inner[c][t] = std::max(inner[c][t], letters_[role][c][t]);
    }
  for (std::size_t level = 0; level < kAnyNumber; ++level)
    internal::bound_rest(letters_[kLast], inner, strokes_, straight_, level == 0 ? nullptr : &rests_[level - 1],
                         rests_[level]);
  set_rest_of_any_length(inner);
}

/// Works from the end: rest[c][t] is the score of c as the last letter, or that of its best other role and of whatever
/// letter follows, at a later point or, once, at the same point. A positive score of a letter is counted as 0: else
/// nothing would bound what many letters score.
void PathLattice::set_rest_of_any_length(const LetterRows& inner) {
  RestBounds& any = rests_[kAnyNumber];
  for (std::size_t t = kPoints; t-- > 0;) {
    std::array<float, kKeyCount> later{}, own{}, beyond{};
    for (Key c = 0; c < kKeyCount; ++c) {
      own[c] = std::min(inner[c][t], 0.F);
      float next = kImpossibleF;
      for (Key b = 0; b < kKeyCount && t + 1 < kPoints; ++b)
        next = std::max(next, any.leave[c][b][t + 1] + strokes_[c][b][t + 1] - strokes_[c][b][t]);
      beyond[c] = own[c] + next;
      later[c] = std::max(letters_[kLast][c][t], beyond[c]);
    }
    for (Key c = 0; c < kKeyCount; ++c) {
      float next = kImpossibleF;
      for (Key b = 0; b < kKeyCount; ++b) next = std::max(next, straight_[c][b] + later[b]);
      any.go_on[c][t] = std::max(beyond[c], own[c] + next);
      any.rest[c][t] = std::max(later[c], any.go_on[c][t]);
    }
    for (Key c = 0; c < kKeyCount; ++c) {
      any.next[c][t] = kImpossibleF;
      for (Key b = 0; b < kKeyCount; ++b) {
        float& leave = any.leave[c][b][t];
        leave = straight_[c][b] + any.rest[b][t];
        if (t + 1 < kPoints)
          leave = std::max(leave, any.leave[c][b][t + 1] + strokes_[c][b][t + 1] - strokes_[c][b][t]);
        any.next[c][t] = std::max(any.next[c][t], leave);
      }
    }
  }
}

/// Scores of a prefix's last letter, once the letter after it is known.
const PathLattice::Row& PathLattice::left_letter(std::uint32_t node, Key next) const {
  const WordTrie::Node& at = words_.nodes()[node];
  if (at.parent == WordTrie::kRoot) return letters_[kFirst][at.letter];
  const std::size_t before = words_.nodes()[at.parent].letter;
  return letters_[roles_[(before * kKeyCount + at.letter) * kKeyCount + next]][at.letter];
}

float PathLattice::frequency_score(float log_frequency) const {
  float score = 0;
  visit_frequency(log_frequency, [&](std::size_t feature, float value) { score += weights_[feature] * value; });
  return score;
}

/// Makes the prefix of one letter.
void PathLattice::start(std::uint32_t child, Prefix& longer) const {
  const WordTrie::Node& at = words_.nodes()[child];
  longer = {.node = child, .bound = kImpossibleF, .arrived = {}};
  const Row& own = letters_[kFirst][at.letter];
  longer.bound = std::max(internal::largest_sum(own, letters_[kLast][at.letter]),
                          internal::largest_sum(own, rests_[kAnyNumber].next[at.letter]));
  longer.bound += frequency_score(at.best_below);
}

/// Makes the prefix with one letter more; its bound is -inf if it cannot reach a total above `worst`.
void PathLattice::extend(const Prefix& prefix, std::uint32_t child, float worst, Prefix& longer) const {
  const WordTrie::Node &at = words_.nodes()[child], &last = words_.nodes()[prefix.node];
  const RestBounds& rest = rests_[std::min<std::size_t>(at.letters_below, kAnyNumber)];
  longer.node = child;
  longer.bound = internal::extend_prefix(prefix.arrived,
                                         {.own = left_letter(prefix.node, at.letter),
                                          .stroke = strokes_[last.letter][at.letter],
                                          .leave = rest.leave[last.letter][at.letter],
                                          .rest = (at.word == WordTrie::kNone ? rest.go_on : rest.rest)[at.letter],
                                          .straight = straight_[last.letter][at.letter],
                                          .frequency = frequency_score(at.best_below)},
                                         worst, longer.arrived);
}

/// Adds the word that ends at the prefix, if there is one, to the best so far (a heap with the worst on top).
void PathLattice::offer(const Prefix& prefix, std::size_t count, std::vector<PathCandidate>& best) const {
  const WordTrie::Node& at = words_.nodes()[prefix.node];
  if (at.word == WordTrie::kNone) return;
  const bool is_one_letter = at.parent == WordTrie::kRoot;
  const Row &last = letters_[kLast][at.letter], &first = letters_[kFirst][at.letter];
  const float path = internal::largest_sum(is_one_letter ? first : prefix.arrived, last);
  const PathCandidate candidate{.word = at.word, .score = path + frequency_score(words_.log_frequency(at.word))};
  if (best.size() == count && !is_better(candidate, best.front())) return;
  best.push_back(candidate);
  std::push_heap(best.begin(), best.end(), is_better);
  if (best.size() <= count) return;
  std::pop_heap(best.begin(), best.end(), is_better);
  best.pop_back();
}

std::vector<PathCandidate> PathLattice::best_words(std::size_t count) {
  std::vector<PathCandidate> best;
  const auto worst = [&] { return best.size() == count ? best.front().score : kImpossibleF; };
  std::array<Prefix, kKeyCount> longer;
  stack_.assign(1, Prefix{.arrived = {}});
  while (!stack_.empty()) {
    const Prefix prefix = stack_.back();
    stack_.pop_back();
    if (prefix.node != WordTrie::kRoot && prefix.bound <= worst()) continue;
    const WordTrie::Node& at = words_.nodes()[prefix.node];
    const std::uint32_t children = at.child_count;
    std::array<std::uint32_t, kKeyCount> order;
    std::uint32_t hopeful = 0;
    for (std::uint32_t c = 0; c < children; ++c) {
      if (prefix.node == WordTrie::kRoot) start(at.first_child + c, longer[c]);
      else extend(prefix, at.first_child + c, worst(), longer[c]);
      if (longer[c].bound == kImpossibleF) continue;
      __builtin_prefetch(&words_.nodes()[words_.nodes()[longer[c].node].first_child]);
      offer(longer[c], count, best);
      if (words_.nodes()[longer[c].node].children != 0) order[hopeful++] = c;
    }
    // The most promising prefix is followed first: good words that are found early prune the others.
    std::sort(order.begin(), order.begin() + hopeful,
              [&](auto a, auto b) { return longer[a].bound < longer[b].bound; });
    for (std::uint32_t i = 0; i < hopeful; ++i)
      if (longer[order[i]].bound > worst()) stack_.push_back(longer[order[i]]);
  }
  std::sort(best.begin(), best.end(), is_better);
  return best;
}

std::vector<std::size_t> PathLattice::align(std::span<const Key> letters) const {
  std::vector<std::array<std::size_t, kPoints>> left(letters.size());  // best point to leave the letter before
  Row arrived{};
  for (std::size_t j = 1; j < letters.size(); ++j) {
    const Row& own = letters_[static_cast<std::size_t>(role_in(letters, j - 1))][letters[j - 1]];
    const Row& stroke = strokes_[letters[j - 1]][letters[j]];
    float best = kImpossibleF;
    for (std::size_t t = 0, at = 0; t < kPoints; ++t) {
      if (const float score = arrived[t] + own[t] - stroke[t]; score > best) {
        best = score;
        at = t;
      }
      left[j][t] = at;
      arrived[t] = best + stroke[t];  // read before it is written
    }
  }
  const Row &last = letters_[kLast][letters.back()], &first = letters_[kFirst][letters.back()];
  Row whole;
  for (std::size_t t = 0; t < kPoints; ++t) whole[t] = arrived[t] + last[t] + (letters.size() == 1 ? first[t] : 0);
  std::vector<std::size_t> points(letters.size());
  points.back() = static_cast<std::size_t>(std::max_element(whole.begin(), whole.end()) - whole.begin());
  for (std::size_t j = letters.size() - 1; j > 0; --j) points[j - 1] = left[j][points[j]];
  return points;
}

std::array<float, PathFeature::kCount> PathLattice::features(std::span<const Key> letters,
                                                             std::span<const std::size_t> points,
                                                             float log_frequency) const {
  std::array<float, PathFeature::kCount> features{};
  const auto add = [&](std::size_t feature, float value) { features[feature] += value; };
  for (std::size_t j = 0; j < letters.size(); ++j) {
    visit_letter(path_, letters[j], role_in(letters, j), points[j], add);
    if (j == 0) continue;
    add(PathFeature::kStraightLength, distance(key_centre(letters[j - 1]), key_centre(letters[j])));
    for (std::size_t t = points[j - 1] + 1; t <= points[j]; ++t)
      visit_stroke(path_, letters[j - 1], letters[j], t, add);
  }
  if (letters.size() == 1) visit_letter(path_, letters[0], LetterRole::kLast, points[0], add);
  add(PathFeature::kHead, path_.step() * static_cast<float>(points.front()));
  add(PathFeature::kTail, path_.step() * static_cast<float>(kPoints - 1 - points.back()));
  visit_frequency(log_frequency, add);
  return features;
}

float PathLattice::score(std::uint32_t word) const {
  const std::vector<Key> letters = keys_of(words_.letters(word), {});
  const std::array<float, PathFeature::kCount> found = features(letters, align(letters), words_.log_frequency(word));
  return std::inner_product(found.begin(), found.end(), weights_.begin(), 0.F);
}

}  // namespace fovea::gestures
