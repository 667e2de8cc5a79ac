// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/linkage/matching_options.h"

#include <fmt/format.h>

#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/comparison/comparison.h"

namespace fovea::cli {

std::string matching_help() {
  std::string text = "\n\n--compare: 'column:kind' or 'column:kind@context', separated by commas. Kinds:\n";
  for (const linkage::ComparisonKind& kind : linkage::comparison_kinds())
    text += fmt::format("  {:<14} {}\n", kind.name, kind.description);
  text +=
      "Own levels, from equal values outwards, are bounds in parentheses: born:date(1d, 1y) has the levels equal, "
      "within\n"
      "1 day, within 1 year, and further apart. For years and counts, give differences: year:number(absolute 1, 5).\n"
      "One column of dates may be written in its own way: born:date(mdy), seen:date(\"%d.%m.%y\", 1w), year(born, "
      "mdy).\n"
      "Instead of a column: several columns joined (given+surname:words), or a function of them (also in --block):\n";
  for (const linkage::TextFunction& function : linkage::text_functions())
    text += fmt::format("  {:<14} {}\n", function.name, function.description);
  return text +
         "In --block, any(word, column) takes records that share a word, and any(element, column, 500) those that "
         "share an\n"
         "element of a list (a|b|c) that at most 500 records have; 100 if no number is given.\n"
         "Contexts, which give levels different weights: size(rule), distinct(column, rule), variety(column, rule):\n"
         "the number of records, different values or equally frequent values among the records with the same key.\n"
         "Put column names with special characters in double quotes: '\"City, State\":words, name'. The quotes may be\n"
         "left out where the name has no other meaning.";
}

void bind_matching(Binder& binder, linkage::MatchingJob& job) {
  binder.options(job.matching, "Which records match");
  binder.options(job.model, "Models");
  binder.options(job.unsupervised, "Learning without labels");
  binder.options(job.term_frequency, "Frequencies of values");
}

void tell_on_console(const Context& context, linkage::MatchingJob& job) {
  job.as_json = context.common.json;
  job.tell = [&console = context.console](const std::string& text) {
    console.clear_progress();
    console.out() << text << std::flush;
  };
}

}  // namespace fovea::cli
