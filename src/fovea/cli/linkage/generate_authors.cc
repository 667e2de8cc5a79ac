// fovea generate authors: writes a made-up bibliography whose authors are to be told apart.
#include <chrono>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/command.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/linkage/generate/generated_authors.h"

namespace fovea::cli {
namespace {

class GenerateAuthors : public Command {
 public:
  void bind(Binder& binder) override {
    binder.options(authors_);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const linkage::GeneratedAuthors authors(authors_, Random(context.common.seed).child("bibliography"));
    io::OutputFile output(options_.output);
    output.write(linkage::GeneratedAuthors::kHeader);
    const ProgressFunction progress = context.console.progress();
    const auto started = std::chrono::steady_clock::now();
    const std::size_t papers = authors.papers().papers.size();
    std::string text;
    for (std::size_t paper = 0; paper < papers; ++paper) {
      if (context.cancel.cancelled()) throw CancelledError("interrupted before the last paper");
      authors.append_paper(paper, text);
      output.write_and_clear(text);
      if (progress && paper % kPapersPerReport == 0)
        progress({.phase = "writing papers",
                  .done = static_cast<double>(paper),
                  .total = static_cast<double>(papers),
                  .seconds = seconds_since(started)});
    }
    output.finish();
  }

 private:
  static constexpr std::size_t kPapersPerReport = 4096;

  linkage::AuthorsOptions authors_;
  GenerateOptions options_;
};

}  // namespace

CommandEntry generate_authors_command() {
  return command_of<GenerateAuthors>(
      "generate authors", "Write a made-up bibliography for entity resolution.",
      "Writes a line for each author of each paper, tab-separated under a header: mention, paper, first, last, year, "
      "venue, coauthors (f last|f last), title, entity (the true author). Papers come in random order. Names, past "
      "co-authors and venues follow figures measured on the ACL Anthology. Each --seed gives another bibliography.",
      "  fovea generate authors -o mentions.tsv\n"
      "  fovea generate authors --mentions 5000000 --seed 1 -o mentions.tsv.gz\n");
}

}  // namespace fovea::cli
