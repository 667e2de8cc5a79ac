// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/commands.h"

#include <array>

namespace fovea::cli {

std::span<const CommandEntry> all_commands() {
  static const std::array kCommands = {
      train_command(),
      tune_command(),
      tag_command(),
      eval_tags_command(),
      eval_clusters_command(),
      dedupe_command(),
      link_command(),
      inspect_command(),
      bench_tag_command(),
      attributes_command(),
      generate_tags_command(),
      generate_letters_command(),
      generate_authors_command(),
      generate_formulas_command(),
      synth_dnf_command(),
      synth_inv_command(),
      fit_logistic_command(),
      operator_inspect_command(),
      operator_merge_command(),
      generate_gestures_command(),
      gestures_train_command(),
      gestures_decode_command(),
      check_command(),
      convert_command(),
      solve_command(),
      sample_command(),
      diagnose_command(),
  };
  return kCommands;
}

}  // namespace fovea::cli
