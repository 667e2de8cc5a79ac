// fovea inspect: shows the contents of a stored model, policy or operator.
#include "fovea/base/container.h"
#include "fovea/base/error.h"
#include "fovea/cli/ep/operator.h"
#include "fovea/cli/run/commands.h"
#include "fovea/gestures/keyboard_training.h"
#include "fovea/graph/solve/map_policies.h"
#include "fovea/linkage/matching/model_summary.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/family/tagger_summary.h"

namespace fovea::cli {
namespace {

class Inspect : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(file_, "FILE",
                 "Model (of tags, matches or a keyboard), policy, operator or statistics of records; 'universal' and "
                 "'hot-bits' are the policies of 'solve' that come with the program.");
    binder.option(weights_, option("weights", "List every feature with its weight, separated by tabs."));
  }

  void run(const Context& context) override {
    if (graph::are_shipped_policies(file_)) return inspect_map_policies(context);
    if (linkage::may_be_match_model(file_)) return inspect_match_model(context);
    if (tagging::Tagger::is_foreign(file_)) return inspect_tagger(context);
    constexpr std::uint32_t kAnyVersion = 0xFFFFFFFF;
    const std::string kind(Container::open(file_, "", kAnyVersion).kind());
    if (tagging::Tagger::is_kind(kind)) inspect_tagger(context);
    else if (kind == "policy") inspect_policy(context);
    else if (kind == graph::StripRule::kKind || kind == graph::SearchPolicy::kKind) inspect_map_policies(context);
    else if (kind == "operator") inspect_operator(context);
    else if (kind == "keyboard") inspect_keyboard(context);
    else if (kind == "matching counts") inspect_statistics(context);
    else
      throw InputError({.file = file_}, "a file of kind '" + kind + "', which is not known",
                       "Give a model, a policy or an operator");
  }

 private:
  void inspect_tagger(const Context& context) const {
    const tagging::Tagger tagger = tagging::Tagger::load(file_);
    if (weights_) {
      if (!tagger.ngrams()) throw UsageError("--weights is for models that have them: a Gaussian process has none");
      tagging::write_weights(*tagger.ngrams(), context.console.out());
    } else if (context.common.json) {
      context.console.out() << tagging::tagger_json(tagger) << '\n';
    } else {
      context.console.out() << tagging::describe_tagger(tagger);
    }
  }

  void inspect_policy(const Context& context) const {
    if (weights_) throw UsageError("--weights is for models; --json gives all of a policy");
    const sequence::Policy policy = sequence::Policy::load(file_);
    if (context.common.json) context.console.out() << policy.to_json() << '\n';
    else context.console.out() << policy.describe();
  }

  void inspect_map_policies(const Context& context) const {
    if (weights_) throw UsageError("--weights is for models; this shows all of a policy anyway");
    if (context.common.json) context.console.out() << graph::map_policies_json(file_) << '\n';
    else context.console.out() << graph::describe_map_policies(file_);
  }

  void inspect_operator(const Context& context) const {
    if (weights_) throw UsageError("--weights is for models; --json gives all of an operator");
    show_operator(ep::read_operator(file_), context);
  }

  void inspect_keyboard(const Context& context) const {
    if (weights_) throw UsageError("--weights is for taggers");
    const gestures::KeyboardModel model = gestures::KeyboardModel::load(file_);
    if (context.common.json) context.console.out() << model.training << '\n';
    else context.console.out() << gestures::keyboard_training_text(model);
  }

  void inspect_match_model(const Context& context) const {
    if (weights_) throw UsageError("--weights is for taggers; this shows all weights of a match model anyway");
    const linkage::MatchModelDescription model = linkage::read_match_model(file_);
    if (context.common.json) context.console.out() << linkage::model_json(model) << '\n';
    else context.console.out() << linkage::model_text(model);
  }

  void inspect_statistics(const Context& context) const {
    if (weights_) throw UsageError("--weights is for taggers");
    const linkage::MatchStatistics statistics = linkage::MatchStatistics::load(file_);
    if (context.common.json) context.console.out() << linkage::statistics_json(statistics) << '\n';
    else context.console.out() << linkage::statistics_text(statistics);
  }

  std::string file_;
  bool weights_ = false;
};

}  // namespace

CommandEntry inspect_command() {
  return command_of<Inspect>(
      "inspect", "Show the contents of a model, a policy or an operator.",
      "Shows a model's labels and template and how it was trained, or what was learned about where to sample; of a "
      "match "
      "model the blocking rules and the weight of each level of agreement, of statistics what they count.",
      "  fovea inspect ner.model\n"
      "  fovea inspect ner.model --weights | sort -t '\t' -k 4 -g | tail\n"
      "  fovea inspect ner.policy --json\n"
      "  fovea inspect universal\n"
      "  fovea inspect model.er\n");
}

}  // namespace fovea::cli
