// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "fovea/cli/run/command.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::cli {

/// Kinds of comparison, functions of columns and contexts, for the help of commands.
std::string matching_help();

/// Lists of comparisons and blocking rules that are known to work.
enum class Preset { kAuthors };
constexpr auto words_of(Preset) { return std::array{Word{Preset::kAuthors, "authors"}}; }

/// What `dedupe` and `link` share: how records are compared, a model that is learned or read, and what it can tell.
class MatchingJob {
 public:
  void bind(Binder& binder);

  /// Parameters that were learned elsewhere, instead of learning them without labels.
  void use(linkage::MatchParameters parameters) { given_ = std::move(parameters); }

  /// Reads the model if there is one, and warns of what is left out. `table` must outlive the result.
  linkage::RecordMatching prepare(const io::Table& table, const linkage::PairScope& scope, const Context& context);

  /// The model, learned from the records unless it was read. None if the user wanted no more than a profile, which is
  /// then written.
  std::optional<linkage::MatchModel> model(const linkage::RecordMatching& matching, const Context& context) const;

  /// What the records tell without labels, to be corrected by these.
  linkage::MatchParameters known_without_labels(const linkage::RecordMatching& matching, const Context& context) const;

  bool profiles() const { return options_.profile; }
  bool saves_model() const { return !options_.save_model.empty(); }
  void save_model(const std::string& path) { options_.save_model = path; }
  bool reads_model() const { return !options_.model.empty(); }
  /// No clusters or links are asked for.
  bool only_tells() const { return options_.profile || explains(); }
  bool explains() const { return !options_.explain.empty(); }
  /// Explains the pair of records whose ids the user named; row_of(i, id) is the row of the i-th, 0 or 1, or none.
  void explain(const linkage::MatchModel& model, const io::Table& table,
               const std::function<std::optional<std::size_t>(int, std::string_view)>& row_of,
               const Context& context) const;

  const linkage::MatchingOptions& matching() const { return matching_; }

  /// Throws InputError for a table that lacks a column of the model that is read.
  void check_columns(const io::Table& table) const;

  /// All comparing ends at this time.
  void end_at(Stop::Clock::time_point deadline) { deadline_ = deadline; }

  linkage::JobControl control(const Context& context) const {
    return {.threads = context.common.threads,
            .stop = {.deadline = deadline_, .cancel = &context.cancel},
            .progress = context.console.progress(),
            .warn = context.console.warnings()};
  }

 private:
  struct Options {
    std::optional<Preset> preset;
    std::string model, save_model, explain;
    bool profile = false;

    template <class V>
    static void describe(V&& visit) {
      visit(&Options::preset,
            OptionInfo{.name = "preset",
                       .description = "Lists of --compare and --block that are known to work: "
                                      "authors of papers, by name or first and last, and coauthors, "
                                      "title, venue, paper, affiliation where there are such columns."});
      visit(&Options::model, OptionInfo{.name = "model",
                                        .description = "Match model to use, instead of learning one; --compare and "
                                                       "--block are its own.",
                                        .value_name = "FILE",
                                        .file = FileRole::kInput});
      visit(&Options::save_model, OptionInfo{.name = "save-model",
                                             .description = "Where to write the match model, as JSON.",
                                             .value_name = "FILE",
                                             .file = FileRole::kOutput});
      visit(&Options::explain,
            OptionInfo{.name = "explain",
                       .description = "Tell why two records, by their ids, match or do not; nothing else.",
                       .value_name = "ID,ID"});
      visit(&Options::profile, OptionInfo{.name = "profile",
                                          .description = "Tell the pairs of each blocking rule, and how levels of "
                                                         "agreement are weighed; nothing else."});
    }
  };

  void apply_preset(const io::Table& table);
  linkage::MatchParameters learn(const linkage::RecordMatching& matching, const Context& context) const;
  linkage::UnsupervisedMatching fit(const linkage::RecordMatching& matching, const Context& context) const;

  Options options_;
  linkage::MatchingOptions matching_;
  linkage::UnsupervisedOptions unsupervised_;
  linkage::TermFrequencyOptions term_frequency_;
  Stop::Clock::time_point deadline_ = Stop::Clock::time_point::max();
  std::optional<linkage::MatchParameters> given_;  // read, or learned by the caller
};

}  // namespace fovea::cli
