// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/universal_policy.h"

#include <span>

#include "fovea/sequence/policy/pair_classes.h"
#include "fovea/sequence/policy/round_learner.h"

namespace fovea::sequence {
namespace {

using Knot = GainCalibration::Knot;

// Learned by `python -m universal_policy.run learn` (bench/universal_policy), and from nothing else: on tuning parts of
// tasks that may be shared. These are parts of speech of UD English EWT (factor sizes 2 and 4), handwritten letters
// (4), three example sets of CRF++ (base noun phrases, Japanese entities, word segmentation; 2) and tags that the
// program itself generates (2 and 4). Classes that never occurred have the weight of the nearest one that did.
constexpr float kBestWeights[] = {
    // doubts
    -3.312f, -2.118f, -2.941f, -2.904f, -2.536f, -2.57f, -2.868f, -3.635f, -5.055f, -3.91f, -3.942f, -4.279f, -4.265f,
    -4.19f, -4.75f, -4.676f, -5.264f, -4.867f, -5.874f, -5.032f, -5.977f, -5.164f, -4.313f, -3.567f, -2.102f, -1.317f,
    -0.6386f, -0.2426f, 0.2593f, 0.7308f, 1.018f, 1.667f, 1.667f,
    // surprise next to the label before
    -1.762f, -4.426f, -4.391f, -2.042f, -0.9672f, 0.07634f, 1.13f, 1.13f, 1.13f, 1.13f, 1.13f,
    // and next to the label after
    -1.627f, -3.388f, -3.284f, -1.857f, -1.805f, -1.053f, 1.668f, 5.409f, 5.409f, 5.409f, 5.409f,
    // changed neighbours
    -0.149f};
constexpr Knot kBestKnots[] = {{-9.631f, 0.001654f}, {-7.943f, 0.003047f}, {-7.077f, 0.003311f}, {-6.255f, 0.01101f},
                               {-5.084f, 0.03808f},  {-3.977f, 0.1348f},   {-3.288f, 0.2333f},   {-2.778f, 0.4227f},
                               {-2.435f, 0.642f},    {-2.017f, 1.001f},    {-1.816f, 1.07f},     {-1.6f, 1.082f},
                               {-1.32f, 1.651f},     {-0.9908f, 1.789f},   {-0.8351f, 2.188f},   {-0.6534f, 2.376f},
                               {-0.5528f, 2.669f},   {-0.1215f, 3.043f},   {0.0693f, 3.814f},    {0.2025f, 4.008f},
                               {0.3517f, 4.433f},    {0.7897f, 5.396f},    {1.753f, 5.434f},     {4.409f, 7.894f},
                               {4.921f, 8.409f},     {5.379f, 8.562f},     {5.883f, 8.753f}};
constexpr float kSampleWeights[] = {
    // doubts
    -2.668f, -1.364f, -2.201f, -3.189f, -2.949f, -2.801f, -3.769f, -4.033f, -3.538f, -4.575f, -4.856f, -3.571f, -6.017f,
    -4.295f, -4.417f, -4.432f, -3.739f, -3.918f, -4.069f, -4.377f, -3.333f, -3.965f, -2.544f, -2.142f, -1.883f, -1.549f,
    -0.9736f, -0.5372f, -0.06353f, 0.4655f, 0.7461f, 2.035f, 2.035f,
    // surprise next to the label before
    -1.183f, -4.363f, -2.14f, -1.396f, -1.021f, -0.3047f, 2.016f, 2.016f, 2.016f, 2.016f, 2.016f,
    // and next to the label after
    -1.548f, -2.631f, -2.489f, -1.783f, -1.781f, -1.096f, 1.376f, 6.151f, 6.151f, 6.151f, 6.151f,
    // changed neighbours
    0.6071f};
constexpr Knot kSampleKnots[] = {
    {-8.409f, 0.0005365f}, {-7.267f, 0.002945f}, {-6.626f, 0.005012f}, {-5.923f, 0.01161f}, {-5.204f, 0.02318f},
    {-4.528f, 0.04617f},   {-3.867f, 0.09332f},  {-3.23f, 0.2117f},    {-2.704f, 0.3973f},  {-2.247f, 0.6235f},
    {-1.941f, 0.7999f},    {-1.504f, 1.237f},    {-1.163f, 1.612f},    {-0.773f, 2.342f},   {-0.6337f, 2.426f},
    {-0.3387f, 2.982f},    {0.03689f, 3.148f},   {0.401f, 3.895f},     {0.6912f, 4.341f},   {0.8885f, 4.388f},
    {1.386f, 5.168f},      {1.845f, 6.458f},     {2.476f, 6.906f},     {4.174f, 7.811f},    {4.865f, 8.847f},
    {5.293f, 9.373f},      {5.484f, 9.613f},     {5.705f, 9.727f},     {6.249f, 10.71f},    {6.607f, 11.87f}};

RoundRule rule_of(std::span<const float> weights, float w, float b, std::span<const Knot> knots, float jump) {
  RoundRule rule;
  rule.value.alpha.assign(weights.begin(), weights.end());
  rule.value.w = w;
  rule.value.b = b;
  rule.calibration = {.knots = {knots.begin(), knots.end()}, .jump = jump};
  return rule;
}

}  // namespace

Policy universal_policy(const LabelNgrams& ngrams) {
  Policy policy;
  policy.label_count = ngrams.label_count();
  policy.factor_size = ngrams.factor_size();
  const auto labels = static_cast<std::size_t>(ngrams.label_count());
  const PairClasses classes = PairClasses::of_surprise(ngrams);
  policy.best_from_unigram = rule_of(kBestWeights, 7.7f, -0.01537f, kBestKnots, 4.306f).policy(labels, classes);
  policy.sample_from_unigram =
      rule_of(kSampleWeights, 7.299f, -0.007923f, kSampleKnots, 6.102f).policy(labels, classes);
  return policy;
}

}  // namespace fovea::sequence
