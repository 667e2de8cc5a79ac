// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/commands.h"

#include <array>

namespace fovea::cli {

namespace {

/// The command under the heading of its job.
CommandEntry in(const char* job, CommandEntry entry) {
  entry.job = job;
  return entry;
}

}  // namespace

std::span<const CommandEntry> all_commands() {
  constexpr auto kText = "Tag sequences", kRecords = "Find records of the same entity", kGraphs = "Graphical models",
                 kLogic = "Rules and programs", kModels = "Models of numbers", kSwipes = "Swiped words",
                 kAll = "This program";
  static const std::array kCommands = {
      in(kText, train_command()),
      in(kText, tune_command()),
      in(kText, tag_command()),
      in(kText, eval_tags_command()),
      in(kText, bench_tag_command()),
      in(kText, attributes_command()),
      in(kText, generate_tags_command()),
      in(kText, generate_letters_command()),
      in(kRecords, dedupe_command()),
      in(kRecords, link_command()),
      in(kRecords, review_command()),
      in(kRecords, eval_clusters_command()),
      in(kRecords, generate_authors_command()),
      in(kRecords, generate_people_command()),
      in(kGraphs, solve_command()),
      in(kGraphs, sample_command()),
      in(kGraphs, diagnose_command()),
      in(kGraphs, check_command()),
      in(kGraphs, convert_command()),
      in(kLogic, synth_rule_command()),
      in(kLogic, synth_dnf_command()),
      in(kLogic, synth_inv_command()),
      in(kLogic, generate_formulas_command()),
      in(kModels, fit_logistic_command()),
      in(kModels, fit_command()),  // after the commands whose first word it is
      in(kModels, predict_command()),
      in(kModels, operator_inspect_command()),
      in(kModels, operator_merge_command()),
      in(kSwipes, gestures_train_command()),
      in(kSwipes, gestures_decode_command()),
      in(kSwipes, generate_gestures_command()),
      in(kAll, inspect_command()),
      in(kAll, describe_command()),
  };
  return kCommands;
}

}  // namespace fovea::cli
