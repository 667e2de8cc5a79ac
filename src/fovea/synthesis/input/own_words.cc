// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/own_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "fovea/synthesis/input/smt_text.h"

namespace fovea::synthesis {
namespace {

class OwnWords {
 public:
  OwnWords(const SExpressions& file, const TransitionSystem& system) : file_(file), system_(system) {
    for (const ProgramVariable& input : system.inputs) {
      inputs_.insert(input.name);
      input_names_ += (input_names_.empty() ? "" : " ") + input.name;
      input_parameters_ += fmt::format(" ({} {})", input.name, sort_text(input.sort));
    }
  }

  std::optional<HornClauses> clauses(const HornClauses::Predicate& predicate) {
    HornClauses result = {.predicates = {predicate}, .definitions = {}, .clauses = {}};
    result.predicates[0].symbol = system_.name;
    for (const std::uint32_t node : file_.top()) {
      const auto& parts = file_[node].children;
      if (file_[parts[0]].word == "inv-constraint") constraint_ = node;
      if (file_[parts[0]].word != "define-fun") continue;
      for (const std::uint32_t parameter : file_[parts[2]].children)
        if (inputs_.contains(file_[file_[parameter].children[0]].word)) return std::nullopt;
      result.definitions.push_back({definition(parts), file_.location(node)});
    }
    const std::vector<std::string> names = variable_names(system_);
    const auto& parts = file_[constraint_].children;
    const auto call = [&](std::uint32_t function, std::size_t first, std::size_t end) {
      std::string text = "(" + file_[function].word;
      for (std::size_t i = first; i < end; ++i) text += " " + names[i];
      const auto more = more_.find(file_[function].word);
      return text + (more == more_.end() ? "" : " " + more->second) + ")";
    };
    const std::size_t n = system_.size();
    const std::string here = call(parts[1], 0, n), there = call(parts[1], n, 2 * n);
    const auto clause = [&](bool with_next, const std::string& body) {
      return ScriptLine{
          .text = fmt::format("(forall ({}{}) {})", parameter_text(system_, with_next), input_parameters_, body),
          .place = file_.location(constraint_)};
    };
    result.clauses = {clause(false, fmt::format("(=> {} {})", call(parts[2], 0, n), here)),
                      clause(true, fmt::format("(=> (and {} {}) {})", here, call(parts[3], 0, 2 * n), there)),
                      clause(false, fmt::format("(=> (and {} (not {})) false)", here, call(parts[4], 0, n)))};
    return result;
  }

 private:
  std::string definition(const std::vector<std::uint32_t>& parts) {
    const std::string name = file_[parts[1]].word, body = smt_text(file_, parts[4], more_);
    std::string parameters = smt_text(file_, parts[2]);
    if (uses_inputs(parts[4])) {
      more_[name] = input_names_;
      parameters = parameters.substr(0, parameters.size() - 1) + input_parameters_ + ")";
    }
    return fmt::format("(define-fun {} {} {} {})", name, parameters, smt_text(file_, parts[3]), body);
  }

  bool uses_inputs(std::uint32_t node) const {
    const auto& parts = file_[node].children;
    if (!file_[node].is_list) return inputs_.contains(file_[node].word) || more_.contains(file_[node].word);
    return std::any_of(parts.begin(), parts.end(), [&](std::uint32_t part) { return uses_inputs(part); });
  }

  const SExpressions& file_;
  const TransitionSystem& system_;
  std::set<std::string, std::less<>> inputs_;
  std::string input_names_, input_parameters_;
  std::map<std::string, std::string> more_;  // of functions that use inputs: these, as further arguments
  std::uint32_t constraint_ = 0;
};

}  // namespace

std::optional<HornClauses> own_words(const SExpressions& file, const InvariantProblem& problem) {
  return OwnWords(file, *problem.loop).clauses(problem.clauses.predicates[0]);
}

}  // namespace fovea::synthesis
