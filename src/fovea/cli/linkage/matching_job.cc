// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/linkage/matching_job.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/matching/authors_preset.h"
#include "fovea/linkage/matching/match_explanation.h"

namespace fovea::cli {

std::string matching_help() {
  std::string text = "\n\n--compare: 'column:kind' or 'column:kind@context', separated by commas. Kinds:\n";
  for (const linkage::ComparisonKind& kind : linkage::comparison_kinds())
    text += fmt::format("  {:<14} {}\n", kind.name, kind.description);
  text +=
      "Instead of a column, several ones joined (given+surname:words), or functions of it, the latter in --block, "
      "too:\n";
  for (const linkage::TextFunction& function : linkage::text_functions())
    text += fmt::format("  {:<14} {}\n", function.name, function.description);
  return text +
         "Contexts, by which levels weigh differently: size(rule), distinct(column, rule), variety(column, rule): how\n"
         "many records, different values or equally frequent values there are among records with the rule's key.\n"
         "Columns whose names hold signs are written in double quotes: '\"City, State\":words, name'.";
}

void MatchingJob::bind(Binder& binder) {
  binder.options(matching_, "Which records match");
  binder.options(options_, "Models");
  binder.options(unsupervised_, "Learning without labels");
  binder.options(term_frequency_, "Frequencies of values");
}

linkage::RecordMatching MatchingJob::prepare(const io::Table& table, const linkage::PairScope& scope,
                                             const Context& context) {
  if (!options_.model.empty()) {
    if (!matching_.compare.empty() || !matching_.block.empty() || options_.profile)
      throw UsageError("--model excludes --compare, --block and --profile: the model was learned with its own");
    linkage::MatchModelDescription description = linkage::read_match_model(options_.model);
    matching_.compare = description.compare();
    matching_.block = description.block();
    matching_.max_block = description.max_block;
    given_ = std::move(description.parameters);
  } else if (options_.preset == Preset::kAuthors) {
    apply_preset(table);
  }
  linkage::RecordMatching matching(table, matching_, scope);
  if (given_) linkage::check_levels(*given_, matching.comparisons(), options_.model);
  for (const std::string& warning : matching.warnings()) context.console.warn(warning);
  return matching;
}

void MatchingJob::check_columns(const io::Table& table) const {
  const linkage::MatchModelDescription description = linkage::read_match_model(options_.model);
  (void)linkage::parse_comparisons(description.compare(), table);
  (void)linkage::parse_blocking_rules(description.block(), table);
}

void MatchingJob::apply_preset(const io::Table& table) {
  constexpr int kMaxBlock = 100000;  // namesakes must be told apart, however many there are
  linkage::MatchingPreset preset = linkage::authors_preset(table);
  if (matching_.compare.empty()) matching_.compare = std::move(preset.comparisons);
  if (matching_.block.empty()) matching_.block = std::move(preset.blocking);
  if (matching_.max_block == linkage::MatchingOptions().max_block) matching_.max_block = kMaxBlock;
}

std::optional<linkage::MatchModel> MatchingJob::model(const linkage::RecordMatching& matching,
                                                      const Context& context) const {
  const linkage::MatchParameters parameters = given_ ? *given_ : learn(matching, context);
  if (options_.profile) return std::nullopt;
  if (!options_.save_model.empty()) linkage::write_match_model(options_.save_model, matching.describe(parameters));
  return linkage::MatchModel(matching.comparisons(), parameters);
}

linkage::UnsupervisedMatching MatchingJob::fit(const linkage::RecordMatching& matching, const Context& context) const {
  linkage::UnsupervisedMatching learned =
      linkage::fit_unsupervised(matching.comparisons(), matching.rules(), matching.candidates(), unsupervised_,
                                Random(context.common.seed).child("matching"), control(context));
  context.console.clear_progress();
  return learned;
}

linkage::MatchParameters MatchingJob::known_without_labels(const linkage::RecordMatching& matching,
                                                           const Context& context) const {
  if (matching.candidates().empty()) return matching.nothing_known();
  return fit(matching, context).parameters(matching.comparisons(), term_frequency_);
}

linkage::MatchParameters MatchingJob::learn(const linkage::RecordMatching& matching, const Context& context) const {
  const bool json = context.common.json;
  std::ostream& out = context.console.out();
  // Before pairs are compared, which may take long.
  if (options_.profile && !json)
    out << linkage::profile_blocking(matching.rules(), matching.candidates()) << std::flush;
  if (matching.candidates().empty()) return matching.nothing_known();
  const linkage::UnsupervisedMatching learned = fit(matching, context);
  constexpr std::uint64_t kFewPairs = 20;
  if (learned.candidate_pairs < kFewPairs)
    context.console.warn(
        fmt::format("{} pairs of records are too few to learn from: how much a level of agreement says is little more "
                    "than a guess. Give labels, a --model, or more records",
                    learned.candidate_pairs));
  if (options_.profile && json)
    out << linkage::profile_json(matching.comparisons(), matching.rules(), matching.candidates(), learned) << '\n';
  else if (options_.profile)
    out << '\n' << linkage::profile_matching(matching.comparisons(), matching.rules(), learned);
  return learned.parameters(matching.comparisons(), term_frequency_);
}

void MatchingJob::explain(const linkage::MatchModel& model, const io::Table& table,
                          const std::function<std::optional<std::size_t>(int, std::string_view)>& row_of,
                          const Context& context) const {
  const auto names = split_expression(options_.explain, ',');
  const auto first = unquoted(names.front()), second = unquoted(names.back());
  if (names.size() != 2 || !first || !second)
    throw UsageError("--explain takes the ids of two records, in double quotes if they hold signs: --explain 17,4711");
  const linkage::IdPair ids = {*first, *second};
  std::array<std::uint32_t, 2> rows{};
  for (const int i : {0, 1}) {
    const auto row = row_of(i, ids[i]);
    if (!row) throw UsageError(fmt::format("--explain: no record has the id '{}'", ids[i]));
    rows[i] = static_cast<std::uint32_t>(*row);
  }
  const linkage::RowPair pair{rows[0], rows[1]};
  context.console.out() << (context.common.json ? linkage::explain_match_json(model, table, pair, ids) + "\n"
                                                : linkage::explain_match(model, table, pair, ids));
}

}  // namespace fovea::cli
