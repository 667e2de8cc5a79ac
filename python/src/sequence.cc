// SPDX-License-Identifier: Apache-2.0
// fovea.sequence: chains of labels of any order, by arrays of scores.
#include <fmt/format.h>
#include <fovea/sequence.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <vector>

#include "arrays.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using sequence::LabelNgram;
using sequence::LabelNgrams;
using sequence::LabelSequences;

/// Exact answers for one sequence at a time. Keeps its memory from one call to the next, so that calls must not
/// overlap: they hold the GIL.
class Chain {
 public:
  Chain(int labels, int factor_size, const std::vector<std::pair<std::vector<int>, float>>& ngrams)
      : ngrams_(labels, factor_size, ngrams_of(labels, factor_size, ngrams)),
        sequences_(ngrams_),
        viterbi_(ngrams_),
        forward_backward_(ngrams_) {}

  nb::tuple viterbi(Rows<float> unary) {
    lay_out(unary);
    const double score = viterbi_.decode(sequences_, 0, labeling_);
    const auto begin = labeling_.begin() + static_cast<std::ptrdiff_t>(sequences_.begin(0));
    return nb::make_tuple(array_of(Assignment(begin, begin + static_cast<std::ptrdiff_t>(unary.shape(0)))), score);
  }

  nb::tuple marginals(Rows<float> unary) {
    lay_out(unary);
    const std::size_t length = unary.shape(0), labels = unary.shape(1), stride = ngrams_.stride();
    marginals_.resize(length * stride);
    const double log_z = forward_backward_.run(sequences_, 0, marginals_.data(), nullptr);
    std::vector<float> rows(length * labels);
    for (std::size_t t = 0; t < length; ++t)
      std::copy_n(marginals_.data() + t * stride, labels, rows.data() + t * labels);
    return nb::make_tuple(array_of(std::move(rows), {length, labels}), log_z);
  }

 private:
  static std::vector<LabelNgram> ngrams_of(int labels, int factor_size,
                                           const std::vector<std::pair<std::vector<int>, float>>& ngrams) {
    std::vector<LabelNgram> result;
    for (const auto& [names, score] : ngrams) {
      if (names.size() < 2 || names.size() > static_cast<std::size_t>(factor_size))
        throw UsageError(
            fmt::format("a label n-gram has {} labels: needs 2 to factor_size = {}", names.size(), factor_size));
      LabelNgram ngram = {.size = static_cast<std::uint16_t>(names.size()), .score = score};
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] < 0 || names[i] >= labels)
          throw UsageError(fmt::format("a label n-gram names label {}: there are {}", names[i], labels));
        ngram.labels[i] = static_cast<Value>(names[i]);
      }
      if (std::isnan(score) || score == HUGE_VALF) throw UsageError("a label n-gram scores NaN or +infinity");
      result.push_back(ngram);
    }
    return result;
  }

  void lay_out(Rows<float> unary) {
    const std::size_t length = unary.shape(0), labels = unary.shape(1);
    if (labels != static_cast<std::size_t>(ngrams_.label_count()))
      throw UsageError(
          fmt::format("argument unary has {} columns: needs one for each of {} labels", labels, ngrams_.label_count()));
    const std::uint32_t lengths[] = {static_cast<std::uint32_t>(length)};
    sequences_.reset(lengths);
    for (std::size_t t = 0; t < length; ++t) {
      const float* row = unary.data() + t * labels;
      float* to = sequences_.unary(sequences_.begin(0) + t);
      for (std::size_t k = 0; k < labels; ++k) {
        if (std::isnan(row[k]) || row[k] == HUGE_VALF)
          throw UsageError(fmt::format("argument unary has {} in row {}, column {}", row[k], t, k));
        to[k] = row[k];
      }
    }
    labeling_ = sequences_.make_labeling();
  }

  LabelNgrams ngrams_;
  LabelSequences sequences_;
  sequence::Viterbi viterbi_;
  sequence::ForwardBackward forward_backward_;
  Assignment labeling_;
  std::vector<float> marginals_;
};

}  // namespace

void bind_sequence(nb::module_& module) {
  nb::class_<Chain>(module, "Chain")
      .def(nb::init<int, int, const std::vector<std::pair<std::vector<int>, float>>&>())
      .def("viterbi", &Chain::viterbi)
      .def("marginals", &Chain::marginals);
}

}  // namespace fovea::python
