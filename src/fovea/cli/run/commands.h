// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/cli/run/command.h"

namespace fovea::cli {

/// All subcommands, in the order of `fovea --help`. Each has its own file, which defines one of the functions below.
std::span<const CommandEntry> all_commands();

CommandEntry train_command();
CommandEntry tune_command();
CommandEntry tag_command();
CommandEntry eval_tags_command();
CommandEntry eval_clusters_command();
CommandEntry dedupe_command();
CommandEntry link_command();
CommandEntry review_command();
CommandEntry inspect_command();
CommandEntry bench_tag_command();
CommandEntry attributes_command();
CommandEntry generate_tags_command();
CommandEntry generate_letters_command();
CommandEntry generate_authors_command();
CommandEntry generate_people_command();
CommandEntry generate_formulas_command();
CommandEntry synth_rule_command();
CommandEntry synth_dnf_command();
CommandEntry synth_inv_command();
CommandEntry fit_command();
CommandEntry fit_logistic_command();
CommandEntry predict_command();
CommandEntry operator_inspect_command();
CommandEntry operator_merge_command();
CommandEntry generate_gestures_command();
CommandEntry gestures_train_command();
CommandEntry gestures_decode_command();
CommandEntry check_command();
CommandEntry convert_command();
CommandEntry solve_command();
CommandEntry sample_command();
CommandEntry diagnose_command();
CommandEntry describe_command();

}  // namespace fovea::cli
