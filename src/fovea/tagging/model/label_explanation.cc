// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/label_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

using sequence::LabelNgram;

/// The attributes of an item that the model has, with their values added up, by number.
using ItemAttributes = std::map<std::uint32_t, double>;

ItemAttributes attributes_of(const TaggerModel& model, const ItemSequence& sequence, std::size_t item) {
  ItemAttributes attributes;
  std::string name;
  for (const TemplateLine& line : model.feature_template->lines()) {
    name.clear();
    if (!line.expand(sequence, item, name)) continue;
    if (const std::uint32_t id = model.attributes.find(name); id != kNoId) attributes[id] += 1;
  }
  return attributes;
}

ItemAttributes attributes_of(const TaggerModel& model, const AttributeSequence& sequence, std::size_t item) {
  ItemAttributes attributes;
  for (std::size_t i = 0; i < sequence.attribute_count(item); ++i) {
    const auto [name, value] = sequence.attribute(item, i);
    if (const std::uint32_t id = model.attributes.find(name); id != kNoId) attributes[id] += value;
  }
  return attributes;
}

double weight_of(const sequence::CrfWeights& weights, std::uint32_t attribute, Value label) {
  const auto begin = weights.labels().begin() + weights.offsets()[attribute];
  const auto end = weights.labels().begin() + weights.offsets()[attribute + 1];
  const auto found = std::lower_bound(begin, end, label);
  return found == end || *found != label ? 0 : weights.weights()[found - weights.labels().begin()];
}

/// The weights of the labels at one item, from label n-grams of one size that begin at one item.
struct PlacedNgrams {
  std::size_t begin = 0;
  std::uint16_t size = 0;
  auto operator<=>(const PlacedNgrams&) const = default;
};
using NgramWeights = std::map<PlacedNgrams, std::vector<double>>;

/// True if the n-gram, placed at `begin`, agrees with all labels but that of `item`.
bool agrees(const LabelNgram& ngram, std::span<const Value> labels, std::size_t begin, std::size_t item) {
  for (std::size_t i = 0; i < ngram.size; ++i)
    if (begin + i != item && ngram.labels[i] != labels[begin + i]) return false;
  return true;
}

NgramWeights ngram_weights(const TaggerModel& model, std::span<const Value> labels, std::size_t item) {
  NgramWeights weights;
  for (const LabelNgram& ngram : model.weights.ngrams())
    for (std::size_t slot = 0; slot < ngram.size && slot <= item; ++slot) {
      const std::size_t begin = item - slot;
      if (begin + ngram.size > labels.size() || !agrees(ngram, labels, begin, item)) continue;
      std::vector<double>& row = weights[{begin, ngram.size}];
      row.resize(model.labels.size());
      row[ngram.labels[slot]] += ngram.score;
    }
  return weights;
}

/// The label, other than that of the item, with the best score.
Value runner_up(const TaggerModel& model, const ItemAttributes& attributes, const NgramWeights& ngrams, Value label) {
  std::vector<double> scores(model.labels.size());
  for (const auto& [attribute, value] : attributes)
    for (std::uint32_t e = model.weights.offsets()[attribute]; e < model.weights.offsets()[attribute + 1]; ++e)
      scores[model.weights.labels()[e]] += value * model.weights.weights()[e];
  for (const auto& [place, row] : ngrams)
    for (std::size_t k = 0; k < row.size(); ++k) scores[k] += row[k];
  scores[label] = -INFINITY;
  return static_cast<Value>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

/// Drops terms without a difference, and puts the largest first.
template <class Term>
void put_in_order(std::vector<Term>& terms) {
  std::erase_if(terms, [](const Term& term) { return term.difference == 0; });
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return std::abs(a.difference) > std::abs(b.difference); });
}

LabelExplanation::NgramTerm ngram_term(const TaggerModel& model, const PlacedNgrams& place,
                                       std::span<const Value> labels, std::size_t item, Value other) {
  LabelExplanation::NgramTerm term = {.begin = place.begin, .labels = {}, .other_labels = {}};
  for (std::size_t t = place.begin; t < place.begin + place.size; ++t) {
    term.labels.push_back(model.labels[labels[t]]);
    term.other_labels.push_back(model.labels[t == item ? other : labels[t]]);
  }
  return term;
}

void check_request(const TaggerModel& model, std::span<const Value> labels, std::size_t item,
                   std::optional<Value> other) {
  if (item >= labels.size())
    throw UsageError(fmt::format("item {}: the sequence has {} items, which count from 0", item, labels.size()));
  if (model.labels.size() < 2) throw UsageError("the tagger has one label only: there is no other to compare it with");
  if (other && *other == labels[item])
    throw UsageError(
        fmt::format("the label of item {} is '{}' itself: compare it with another", item, model.labels[*other]));
}

template <class Sequence>
LabelExplanation explain(const TaggerModel& model, const Sequence& sequence, std::span<const Value> labels,
                         std::size_t item, std::optional<Value> other) {
  check_request(model, labels, item, other);
  const ItemAttributes attributes = attributes_of(model, sequence, item);
  const NgramWeights ngrams = ngram_weights(model, labels, item);
  const Value label = labels[item];
  if (!other) other = runner_up(model, attributes, ngrams, label);
  LabelExplanation result = {.label = model.labels[label], .other = model.labels[*other]};
  for (const auto& [attribute, value] : attributes) {
    const double weight = weight_of(model.weights, attribute, label);
    const double other_weight = weight_of(model.weights, attribute, *other);
    result.attributes.push_back({.name = std::string(model.attributes.text(attribute)),
                                 .value = value,
                                 .weight = weight,
                                 .other_weight = other_weight,
                                 .difference = value * (weight - other_weight)});
  }
  for (const auto& [place, row] : ngrams) {
    LabelExplanation::NgramTerm& term = result.ngrams.emplace_back(ngram_term(model, place, labels, item, *other));
    term.weight = row[label];
    term.other_weight = row[*other];
    term.difference = term.weight - term.other_weight;
  }
  put_in_order(result.attributes);
  put_in_order(result.ngrams);
  for (const auto& term : result.attributes) result.difference += term.difference;
  for (const auto& term : result.ngrams) result.difference += term.difference;
  return result;
}

}  // namespace

LabelExplanation explain_label(const TaggerModel& model, const ItemSequence& sequence, std::span<const Value> labels,
                               std::size_t item, std::optional<Value> other) {
  return explain(model, sequence, labels, item, other);
}

LabelExplanation explain_label(const TaggerModel& model, const AttributeSequence& sequence,
                               std::span<const Value> labels, std::size_t item, std::optional<Value> other) {
  return explain(model, sequence, labels, item, other);
}

}  // namespace fovea::tagging
