// SPDX-License-Identifier: Apache-2.0
// fovea describe: every command and option, for other programs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "fovea/cli/run/commands.h"
#include "fovea/cli/run/exit_code.h"

namespace fovea::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<OptionFacts> facts_of(const CommandEntry& entry, CommonOptions& common) {
  CLI::App app;
  Binder binder(app);
  const std::unique_ptr<Command> command = entry.create();
  command->bind(binder);
  binder.options(common, "Common options");
  return binder.facts();
}

Json json_of(const CommandEntry& entry) {
  Json json = {{"name", entry.name},         {"job", entry.job},
               {"summary", entry.summary},   {"description", entry.description},
               {"examples", entry.examples}, {"arguments", Json::array()},
               {"options", Json::array()}};
  CommonOptions common;
  for (const OptionFacts& facts : facts_of(entry, common))
    json[facts.group.empty() ? "arguments" : "options"].push_back(Json::parse(facts_json(facts)));
  return json;
}

std::string text_of(const CommandEntry& entry) {
  CommonOptions common;
  std::string text = fmt::format("{}\n", entry.name);
  for (const OptionFacts& facts : facts_of(entry, common))
    text += fmt::format("  {:<24} {:<8} {}\n", (facts.group.empty() ? "" : "--") + std::string(facts.info.name),
                        word_of(facts.kind), facts.default_text);
  return text;
}

class Describe : public Command {
 public:
  void bind(Binder&) override {}

  void run(const Context& context) override {
    if (!context.common.json) {
      for (const CommandEntry& entry : all_commands()) context.console.out() << text_of(entry);
      return;
    }
    Json json = {{"program", "fovea"}, {"version", FOVEA_VERSION}, {"commands", Json::array()}};
    for (const CommandEntry& entry : all_commands()) json["commands"].push_back(json_of(entry));
    context.console.out() << json.dump() << '\n';
  }
};

}  // namespace

CommandEntry describe_command() {
  return command_of<Describe>(
      "describe", "List every command and option, for other programs.",
      "Lists every command with its options. With --json it writes an object that holds, for each command, its job, "
      "summary, description, examples, arguments and options, and for each option its name, letter, kind (flag, "
      "integer, number, text, word), range, words, default and description. Man pages, shell completion and the "
      "reference are made from it.",
      "  fovea describe\n"
      "  fovea describe --json > fovea.json\n");
}

}  // namespace fovea::cli
