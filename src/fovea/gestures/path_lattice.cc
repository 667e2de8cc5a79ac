// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_lattice.h"

#include <algorithm>
#include <limits>

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
    : weights_(weights), words_(words), roles_(all_roles()), strokes_(kKeyCount), follow_(kKeyCount) {
  for (Key a = 0; a < kKeyCount; ++a)
    for (Key b = 0; b < kKeyCount; ++b)
      straight_[a][b] = weights[PathFeature::kStraightLength] * distance(key_centre(a), key_centre(b));
}

void PathLattice::set(const SwipePath& path) {
  path_ = path;
  set_letters();
  set_strokes();
  set_rest();
}

void PathLattice::set_letters() {
  for (std::size_t role = 0; role < kLetterRoles; ++role)
    for (Key letter = 0; letter < kKeyCount; ++letter)
      for (std::size_t t = 0; t < kPoints; ++t) {
        float score = 0;
        visit_letter(path_, letter, static_cast<LetterRole>(role), t,
                     [&](std::size_t feature, float value) { score += weights_[feature] * value; });
        letters_[role][letter][t] = score;
      }
  for (Key letter = 0; letter < kKeyCount; ++letter)
    for (std::size_t t = 0; t < kPoints; ++t) {
      letters_[kFirst][letter][t] += weights_[PathFeature::kHead] * path_.step() * static_cast<float>(t);
      letters_[kLast][letter][t] += weights_[PathFeature::kTail] * path_.step() * static_cast<float>(kPoints - 1 - t);
    }
}

void PathLattice::set_strokes() {
  const std::span<const float> weights(weights_);
  const KnotTable away(kDistanceKnots, weights.subspan(PathFeature::kStrokeDistance, kDistanceKnots.size()));
  const KnotTable along(kDirectionKnots, weights.subspan(PathFeature::kStrokeDirection, kDirectionKnots.size()));
  const float step = path_.step();
  for (Key from = 0; from < kKeyCount; ++from)
    for (Key to = 0; to < kKeyCount; ++to) {
      Row& sums = strokes_[from][to];
      sums[0] = 0;
      for (std::size_t t = 1; t < kPoints; ++t) {
        const StrokeStep stroke = stroke_step(path_, from, to, t);
        const float score = step * (away(stroke.away) + along(stroke.cosine));
        sums[t] = sums[t - 1] + score;
      }
    }
}

/// Works from the end, without the dictionary: rest[c][t] is the score of c as the last letter, or that of its best
/// other role and of whatever letter follows, at a later point or, once, at the same point. A positive score of a
/// letter is counted as 0: of 800 swipes this costs three their place among the best 20, and none its place among the
/// best 4, and it saves two thirds of the time.
void PathLattice::set_rest() {
  for (std::size_t t = kPoints; t-- > 0;) {
    std::array<float, kKeyCount> later{}, inner{};
    for (Key c = 0; c < kKeyCount; ++c) {
      float most = kImpossibleF;
      for (std::size_t role = kLast + 1; role < kLetterRoles; ++role) most = std::max(most, letters_[role][c][t]);
      inner[c] = std::min(most, 0.F);
      float next = kImpossibleF;
      for (Key b = 0; b < kKeyCount && t + 1 < kPoints; ++b)
        next = std::max(next, straight_[c][b] + follow_[c][b][t + 1] - strokes_[c][b][t]);
      later[c] = std::max(letters_[kLast][c][t], inner[c] + next);
    }
    for (Key c = 0; c < kKeyCount; ++c) {
      float next = kImpossibleF;
      for (Key b = 0; b < kKeyCount; ++b) next = std::max(next, straight_[c][b] + later[b]);
      rest_[c][t] = std::max(later[c], inner[c] + next);
    }
    for (Key c = 0; c < kKeyCount; ++c)
      for (Key b = 0; b < kKeyCount; ++b) {
        const float here = strokes_[c][b][t] + rest_[b][t];
        follow_[c][b][t] = t + 1 < kPoints ? std::max(here, follow_[c][b][t + 1]) : here;
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
  const Row &own = letters_[kFirst][at.letter], &last = letters_[kLast][at.letter];
  for (std::size_t t = 0; t < kPoints; ++t) {
    longer.bound = std::max(longer.bound, own[t] + last[t]);
    for (Key next = 0; next < kKeyCount; ++next)
      longer.bound = std::max(longer.bound, own[t] + straight_[at.letter][next] + follow_[at.letter][next][t] -
                                                strokes_[at.letter][next][t]);
  }
  longer.bound += frequency_score(at.best_below);
}

/// Makes the prefix with one letter more; its bound is -inf if it cannot reach a total above `worst`.
void PathLattice::extend(const Prefix& prefix, std::uint32_t child, float worst, Prefix& longer) const {
  const WordTrie::Node &at = words_.nodes()[child], &last = words_.nodes()[prefix.node];
  const Row &stroke = strokes_[last.letter][at.letter], &follow = follow_[last.letter][at.letter];
  const Row &own = left_letter(prefix.node, at.letter), &rest = rest_[at.letter];
  const float straight = straight_[last.letter][at.letter];
  const float base = frequency_score(at.best_below) + straight;
  longer.node = child;
  longer.bound = kImpossibleF;
  float best = kImpossibleF;  // best score of having left the last letter so far, minus the stroke up to there
  std::uint32_t begin = kPoints, end = kPoints;
  for (std::uint32_t t = prefix.begin; t < kPoints; ++t) {
    if (t < prefix.end) best = std::max(best, prefix.arrived[t] + own[t] - stroke[t]);
    else if (best + follow[t] + base <= worst) break;  // nor at any later point
    longer.arrived[t] = best + stroke[t] + straight;
    const float total = best + stroke[t] + rest[t] + base;
    if (total <= worst) continue;
    longer.bound = std::max(longer.bound, total);
    begin = std::min(begin, t);
    end = t + 1;
  }
  longer.begin = begin;
  longer.end = end;
}

/// Adds the word that ends at the prefix, if there is one, to the best so far (a heap with the worst on top).
void PathLattice::offer(const Prefix& prefix, std::size_t count, std::vector<PathCandidate>& best) const {
  const WordTrie::Node& at = words_.nodes()[prefix.node];
  if (at.word == WordTrie::kNone) return;
  const bool is_one_letter = at.parent == WordTrie::kRoot;
  PathCandidate candidate{.word = at.word, .score = kImpossibleF};
  for (std::size_t t = prefix.begin; t < prefix.end; ++t)
    candidate.score = std::max(candidate.score, prefix.arrived[t] + letters_[kLast][at.letter][t] +
                                                    (is_one_letter ? letters_[kFirst][at.letter][t] : 0));
  candidate.score += frequency_score(words_.log_frequency(at.word));
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
    const auto children = static_cast<std::uint32_t>(std::popcount(at.children));
    std::array<std::uint32_t, kKeyCount> order;
    std::uint32_t hopeful = 0;
    for (std::uint32_t c = 0; c < children; ++c) {
      if (prefix.node == WordTrie::kRoot) start(at.first_child + c, longer[c]);
      else extend(prefix, at.first_child + c, worst(), longer[c]);
      if (longer[c].bound == kImpossibleF) continue;
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

}  // namespace fovea::gestures
