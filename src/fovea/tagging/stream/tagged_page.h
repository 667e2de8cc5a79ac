// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fovea/report/page.h"
#include "fovea/tagging/stream/tag_options.h"
#include "fovea/tagging/stream/tag_run.h"

namespace fovea::tagging {

/// Most sentences that a page shows.
inline constexpr std::size_t kMostSentencesOfAPage = 20'000;

/// The page of a text that was tagged.
struct TaggedPageText {
  report::TaggedText text;
  std::size_t items = 0;
  std::size_t sentences = 0;  ///< of which the text has the first kMostSentencesOfAPage
  bool has_visits = false;    ///< the method was asked for them
};

/// Makes a page for people. `model`: its name.
report::Page tagged_page(TaggedPageText shown, const std::string& model);

/// Collects what a page shows, on the way to another sink: words, labels and, if they were asked for, probabilities,
/// visits and the best labelings.
template <class Sequence>
class TaggedPage : public TagSink<Sequence> {
 public:
  /// `page` gets the sentences, and must outlive this.
  TaggedPage(std::unique_ptr<TagSink<Sequence>> next, TaggedPageText& page, std::span<const std::string> labels,
             const TagOptions& options)
      : next_(std::move(next)), page_(page), labels_(labels), options_(options) {}

  void prepare(const TaggedSequences<Sequence>& tagged, std::string& text) const override {
    next_->prepare(tagged, text);
  }
  void write(const TaggedSequences<Sequence>& tagged, std::string& text) override;

 private:
  std::vector<std::string> names(std::span<const Value> labels) const;

  std::unique_ptr<TagSink<Sequence>> next_;
  TaggedPageText& page_;
  std::span<const std::string> labels_;
  TagOptions options_;
};

/// Kinds of labels, without the letters that mark the parts of entities, in the order of the labels; O is left out.
std::vector<std::string> kinds_of_labels(std::span<const std::string> labels);

}  // namespace fovea::tagging
