// SPDX-License-Identifier: Apache-2.0
// fovea review: asks a person whether pairs of records are of one entity.
#include "fovea/linkage/review/review.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "fovea/base/text.h"
#include "fovea/base/utf8.h"
#include "fovea/cli/linkage/matching_options.h"
#include "fovea/cli/run/commands.h"
#include "fovea/cli/run/line_reader.h"
#include "fovea/cli/run/process.h"

namespace fovea::cli {
namespace {

using linkage::ReviewAnswer;

/// Text in a column of `width` characters: filled with blanks, or cut.
std::string fitted(std::string_view text, std::size_t width) {
  const std::size_t length = count_characters(text);
  if (length <= width) return std::string(text) + std::string(width - length, ' ');
  return std::string(text.substr(0, bytes_of_characters(text, width - 1))) + "…";
}

/// Both records side by side; "=" stands for a cell that the first record has too.
std::string text_of(const linkage::ReviewQuestion& question) {
  constexpr std::size_t kMostName = 20, kMostCell = 45;
  std::size_t name_width = 0, cell_width = count_characters(question.ids[0]);
  for (std::size_t column = 0; column < question.columns.size(); ++column) {
    name_width = std::max(name_width, count_characters(question.columns[column]));
    cell_width = std::max(cell_width, count_characters(question.cells[0][column]));
  }
  name_width = std::min(name_width, kMostName);
  cell_width = std::min(cell_width, kMostCell);
  std::string text = fmt::format("\nPair {} of {}, probability of a match {:.2f}\n", question.number, question.count,
                                 question.probability);
  const auto add = [&](std::string_view name, std::string_view first, std::string_view second) {
    text += fmt::format("  {}  {}  {}\n", fitted(name, name_width), fitted(first, cell_width),
                        trimmed(fitted(second, kMostCell)));
  };
  for (std::size_t column = 0; column < question.columns.size(); ++column) {
    const std::string_view first = question.cells[0][column], second = question.cells[1][column];
    if (first.empty() && second.empty()) continue;
    const bool is_same = first == second;
    add(question.columns[column], first.empty() ? "-" : first, is_same ? "=" : second.empty() ? "-" : second);
  }
  return text;
}

/// Asks on the terminal, line by line.
class Interview {
 public:
  explicit Interview(const Context& context) : context_(context), lines_(STDIN_FILENO) {}

  ReviewAnswer ask(const linkage::ReviewQuestion& question) {
    context_.console.tell(text_of(question));
    for (;;) {
      context_.console.tell("One entity? yes, no, skip, back, why or quit: ");
      const std::optional<std::string> line = lines_.next(context_.cancel);
      if (!line) return ReviewAnswer::kEnd;
      const std::string_view word = trimmed(*line);
      if (word.empty()) continue;
      if (is_short_for(word, "why")) context_.console.tell(question.explain().text());
      for (const auto& [answer, name] : kAnswers)
        if (is_short_for(word, name)) return answer;
    }
  }

 private:
  struct Name {
    ReviewAnswer answer;
    std::string_view name;
  };
  static constexpr std::array kAnswers = {Name{ReviewAnswer::kMatch, "yes"}, Name{ReviewAnswer::kNoMatch, "no"},
                                          Name{ReviewAnswer::kSkip, "skip"}, Name{ReviewAnswer::kBack, "back"},
                                          Name{ReviewAnswer::kEnd, "quit"}};

  static bool is_short_for(std::string_view word, std::string_view name) { return name.starts_with(word); }

  const Context& context_;
  LineReader lines_;
};

class Review : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.file, "TABLE", "Table of records.");
    binder.options(job_.options);
    binder.option(browser_, option("browser",
                                   "Ask in a browser of this machine instead of the terminal: serves the page of "
                                   "'fovea dedupe', with the pairs to answer first, until it says that this is all."));
    bind_matching(binder, job_.matching);
    binder.options(job_.limits, "Limits");
    binder.options(job_.reading, "Reading tables");
  }

  void run(const Context& context) override {
    const linkage::ReviewResult result = browser_ ? review_in_browser(context) : interview(context);
    if (!job_.options.questions.empty()) return;
    context.console.note(result.brief());
    if (job_.matching.model.save_model.empty() && result.answers > 0)
      context.console.note(
          fmt::format("answers are in {}: 'fovea dedupe --labelled-pairs' learns from them, and so does "
                      "this command with --save-model",
                      job_.options.answers));
    if (context.common.json) context.console.out() << result.json() << '\n';
  }

 private:
  linkage::ReviewResult interview(const Context& context) const {
    if (job_.options.port != 0) throw UsageError("--port is that of --browser");
    if (job_.file == "-") throw UsageError("answers are read from standard input: give the table as a file");
    Interview interview(context);
    return linkage::review(
        job_, [&](const linkage::ReviewQuestion& question) { return interview.ask(question); }, run_of(context));
  }

  linkage::ReviewResult review_in_browser(const Context& context) const {
    return linkage::review_in_browser(
        job_,
        [&](const std::string& address) {
          context.console.clear_progress();
          const bool is_open = open_in_browser(address);
          context.console.tell(
              fmt::format("{}Open {} in a browser of this machine: it works once. Ctrl-C ends the review.\n",
                          is_open ? "If no window has opened: " : "", address));
        },
        run_of(context));
  }

  linkage::ReviewJob job_;
  bool browser_ = false;
};

}  // namespace

CommandEntry review_command() {
  static const std::string kDescription =
      "Finds the pairs of a table whose answers are worth most, shows their records side by side, and asks whether "
      "they are of one entity. Answers are saved as they come; a later call goes on where this one ended. With "
      "--save-model, they correct the model, if that makes better clusters of the pairs left out." +
      matching_help();
  return command_of<Review>(
      "review", "Answer questions about the most doubtful pairs of records.", kDescription.c_str(),
      "  fovea review people.csv --model model.er --answers answers.csv --save-model better.er\n"
      "  fovea review people.csv --model model.er --browser --save-model better.er\n"
      "  fovea review people.csv --model model.er --questions questions.csv --count 50\n"
      "  fovea dedupe people.csv --model model.er --labelled-pairs answers.csv -o clusters.csv\n");
}

}  // namespace fovea::cli
