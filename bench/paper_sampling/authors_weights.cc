// SPDX-License-Identifier: Apache-2.0
// Writes a tagger with the weights that the authors of "Learning where to sample" published for handwritten letters:
// lines `KEY WEIGHT`, unpacked. A key is p<n>-<letters> for a letter n-gram, its last letter first, or three characters
// for a pixel: the letter (a capital where the pixel is black), and letters that count its row and column from a.
#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <iostream>
#include <map>

#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::bench {
namespace {

using Weights = std::map<std::string, float>;

Weights read_weights(const std::string& path) {
  std::ifstream file(path);
  Weights weights;
  std::string key;
  for (float weight = 0; file >> key >> weight;) weights[key] = weight;
  return weights;
}

/// The weight of a letter's own n-gram, which every item has once, is that of the pixel in the corner, whatever its
/// value.
float pixel_weight(const Weights& weights, const std::string& attribute, char letter) {
  const bool black = attribute.starts_with("p_");
  const std::string place = attribute.substr(black ? 2 : 6);  // row_column
  const std::size_t split = place.find('_');
  const int row = std::stoi(place.substr(0, split)), column = std::stoi(place.substr(split + 1));
  const auto weight_of = [&](const std::string& key) {
    const auto found = weights.find(key);
    return found == weights.end() ? 0.0f : found->second;
  };
  const char first = black ? static_cast<char>(std::toupper(letter)) : letter;
  const float own = row == 0 && column == 0 ? weight_of(std::string("p1-") + letter) : 0.0f;
  return own + weight_of({first, static_cast<char>('a' + row), static_cast<char>('a' + column)});
}

tagging::TaggerModel model_of(const Weights& weights, const tagging::TaggingData& data) {
  sequence::CrfFeatures features;
  features.label_count = data.set.label_count;
  std::vector<float> x;
  for (std::size_t a = 0; a < data.attributes.size(); ++a) {
    for (int k = 0; k < data.set.label_count; ++k) {
      features.labels.push_back(static_cast<Value>(k));
      x.push_back(pixel_weight(weights, std::string(data.attributes.text(static_cast<std::uint32_t>(a))),
                               data.labels[static_cast<std::size_t>(k)][0]));
    }
    features.offsets.push_back(static_cast<std::uint32_t>(features.labels.size()));
  }
  std::map<char, Value> label_of;
  for (std::size_t k = 0; k < data.labels.size(); ++k) label_of[data.labels[k][0]] = static_cast<Value>(k);
  std::map<std::vector<Value>, float> ngrams;  // without their sizes, which come first below
  for (const auto& [key, weight] : weights) {
    if (key.size() < 5 || key[0] != 'p' || key[2] != '-' || key[1] == '1') continue;
    std::vector<Value> labels = {static_cast<Value>(key[1] - '0')};
    for (std::size_t i = key.size() - 1; i > 2; i -= 2) labels.push_back(label_of.at(key[i]));
    ngrams[labels] = weight;
  }
  for (const auto& [labels, weight] : ngrams) {
    sequence::LabelNgram ngram{.labels = {}, .size = static_cast<std::uint16_t>(labels[0]), .score = 0};
    std::copy(labels.begin() + 1, labels.end(), ngram.labels.begin());
    features.factor_size = std::max<int>(features.factor_size, ngram.size);
    features.ngrams.push_back(ngram);
    x.push_back(weight);
  }
  tagging::TaggerModel model;
  model.labels = data.labels;
  model.format = data.format;
  model.attributes = data.attributes.freeze();
  model.weights = sequence::CrfWeights(features, x);
  model.fingerprint = tagger_fingerprint(model);
  return model;
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: paper_sampling_authors_weights WEIGHTS LETTERS MODEL\n";
    return 2;
  }
  fovea::tagging::TaggingDataReader reader({.format = fovea::tagging::TaggingFormat::kPixelValues});
  reader.read(fovea::io::ByteSource(argv[2]), {});
  const fovea::tagging::TaggingData data = std::move(reader).finish();
  fovea::bench::model_of(fovea::bench::read_weights(argv[1]), data).save(std::string(argv[3]), data.attributes);
}
