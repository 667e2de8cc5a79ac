// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/ep/family/message.h"
#include "fovea/ep/model/factor_spec.h"
#include "fovea/ep/operators/message_source.h"

namespace fovea::ep {

/// A variable of a Model.
struct Variable {
  std::uint32_t id = 0;
};

struct NormalPrior {
  double mean = 0, variance = 1;
};

enum class Algorithm {
  kExpectationPropagation,  ///< Minka 2001
  kVariational              ///< variational message passing: Winn and Bishop 2005
};

constexpr auto words_of(Algorithm) {
  return std::array{Word{Algorithm::kExpectationPropagation, "ep"}, Word{Algorithm::kVariational, "variational"}};
}

enum class MessageSchedule {
  kSerial,    ///< one after another, forwards and then backwards
  kParallel,  ///< all at once from the previous messages
  kResidual   ///< next the one whose inputs have changed most: messages that matter little are not computed
};

constexpr auto words_of(MessageSchedule) {
  using enum MessageSchedule;
  return std::array{Word{kSerial, "serial"}, Word{kParallel, "parallel"}, Word{kResidual, "residual"}};
}

struct InferenceOptions {
  Algorithm algorithm = Algorithm::kExpectationPropagation;
  double max_marginal_kl = 1e-6;
  int iterations = 100;
  MessageSchedule schedule = MessageSchedule::kSerial;
  double damping = 0;
  bool evidence = false;
  Stop stop = {};
  ProgressFunction progress = {};

  static void describe(auto&& visit) {
    using O = InferenceOptions;
    visit(&O::algorithm, option("algorithm", "Algorithm: expectation propagation or variational message passing."));
    visit(&O::max_marginal_kl,
          number_in(0, 1e3, "max-marginal-kl", "Converged once no marginal changes by more than this."));
    visit(&O::iterations, number_in(1, 1e9, "iterations", "Maximum number of updates of all messages."));
    visit(&O::schedule,
          option("schedule",
                 "Order of the messages. serial: one after another, forwards and then backwards; parallel: all at once "
                 "from the previous ones; residual: next the one whose inputs have changed most."));
    visit(&O::damping, number_in(0, 1, "damping", "Share of the old message that is kept, less than 1."));
    visit(&O::evidence, option("evidence",
                               "Compute the log probability of the observations too, which costs one more message for "
                               "each factor; variational: a lower bound of it."));
  }
};

/// Result of inference, with its costs.
struct Posterior {
  std::vector<Message> marginals = {};  ///< [variable]; uniform if nothing is known of the variable
  /// If it was requested, and the messages leave a number; variational: its lower bound.
  std::optional<double> log_evidence = {};
  bool has_converged = false;
  int iterations = 0;
  double largest_marginal_kl = 0;  ///< in the last iteration
  std::uint64_t messages = 0;
  /// Updates skipped, by factor: the messages that they need, or the one that they would make, are not proper.
  std::map<std::string, std::uint64_t> skipped = {};
  std::map<std::string, RecallCounts> recalled = {};  ///< by factor, since the model was made
  double seconds = 0;

  const Message& operator[](Variable v) const { return marginals[v.id]; }
  template <class F>
  const F& as(Variable v) const {
    return std::get<F>(marginals[v.id]);
  }
  std::string brief() const;  ///< one line
};

/// Variables and factors on them, solved by expectation propagation (Minka 2001): factors and variables exchange
/// messages until the marginals settle. Each message is the projection of its factor, combined with all that is known
/// elsewhere. If projections are exact and the graph is a tree, this is belief propagation. The alternative is
/// variational message passing, for factors that have a variational form. Its marginals treat the variables as
/// independent and maximise a lower bound of the log evidence, which grows with every serial iteration.
/// docs/design/models.md describes each factor.
///
///   Model model;
///   const Variable skill = model.gaussian({.mean = 25, .variance = 70});
///   const Variable result = model.factor("result", {.sample = [](double s, auto& random) { ... }}, {skill});
///   model.observe(result, 3);
///   const Posterior posterior = model.infer();
///   posterior.as<Gaussian>(skill).mean();
///
/// A plate is a loop: factors of one name share what is learned of their messages. A factor gives the probability of
/// its child given its parents. A child is a prediction if nothing else is known of it or of what depends on it: it
/// tells its parents nothing, and its marginal is the predictive distribution. Observations, and children to predict,
/// may be added after inference, which then continues from its last state: a prediction costs one message.
class Model {
 public:
  Variable gaussian(const NormalPrior& prior) {
    return variable(Gaussian::from_mean_variance(prior.mean, prior.variance));
  }
  Variable gamma(double shape, double rate) { return variable(Gamma::from_shape_rate(shape, rate)); }
  Variable beta(double a, double b) { return variable(Beta::from_counts(a, b)); }
  Variable dirichlet(std::vector<double> counts) { return variable(Dirichlet::from_counts(std::move(counts))); }
  /// covariance: d x d, by rows; symmetric and positive definite, else UsageError.
  Variable vector(const std::vector<double>& mean, const std::vector<double>& covariance);
  /// Adds a variable of any family. Throws UsageError unless the prior is proper and rules out no label.
  Variable variable(const Message& prior);
  /// Adds a known variable, of any scalar family that has this value.
  Variable constant(double value);

  // Children of hand-written factors. Parents of another family than the name of the parameter, or one parent given
  // twice, are a UsageError.
  Variable linear(std::vector<double> factors, const std::vector<Variable>& parents, double offset = 0,
                  double noise_variance = 0);  ///< a Gaussian, of Gaussians
  Variable dot(const std::vector<double>& x, Variable vector, double offset = 0,
               double noise_variance = 0);                         ///< a Gaussian, x . vector + offset + noise
  Variable normal(Variable gaussian, Variable gamma);              ///< a Gaussian of that mean and precision
  Variable max(Variable gaussian, Variable other);                 ///< the larger of two Gaussians
  Variable greater_than(Variable gaussian, double threshold = 0);  ///< a Bernoulli
  Variable bernoulli(Variable beta);                               ///< a label of that probability
  Variable categorical(Variable dirichlet);                        ///< a label 0 .. k - 1 of these probabilities
  Variable poisson(Variable gamma);                                ///< a count with that mean
  Variable logistic(Variable gaussian);                            ///< a Beta, 1 / (1 + exp(-x))
  Variable gamma_of_rate(double shape, Variable gamma);            ///< a Gamma with that rate

  // Gates: the selector names the case. It is a Bernoulli (two cases: false the first, true the second) or a
  // Categorical.
  /// The selected one of these options, which are all of one family.
  Variable pick(Variable selector, const std::vector<Variable>& options);
  /// A Gaussian with the mean and precision of the selected case; a single precision serves all cases.
  Variable pick_normal(Variable selector, const std::vector<Variable>& means, const std::vector<Variable>& precisions);
  /// A label of the probabilities in the selected row, a Dirichlet: a step of a Markov chain with unknown transitions.
  Variable pick_categorical(Variable selector, const std::vector<Variable>& rows);

  /// Adds a child of the user's factor. The first call for a name defines the factor; later calls may leave the
  /// functions out.
  Variable factor(const std::string& name, const FactorSpec& spec, const std::vector<Variable>& parents);
  Variable factor(const std::string& name, const std::vector<Variable>& parents) {
    return factor(name, FactorSpec(), parents);
  }

  /// Adds a child of any operator that is a density of the child given its parents. Its messages come from a source
  /// that outlives the model: a hand-written one, or one that shares what it learns with other models.
  Variable factor(MessageSource& source, const Message& child, const std::vector<Variable>& parents);

  /// Sets the value of a variable. Throws UsageError if the variable cannot have it, or has a value already.
  void observe(Variable v, double value);
  /// Multiplies the variable's prior by evidence from elsewhere, a message of its family.
  void observe(Variable v, const Message& evidence);

  /// Runs inference. Throws InputError if a factor has no message; results up to then remain available by posterior().
  Posterior infer(const InferenceOptions& options = {});
  Posterior posterior() const;

  // What was learned of a user's factor, for the next model. These throw UsageError if there is no such factor or it
  // does not learn, and InputError for files of another factor.
  void save_operator(const std::string& name, const std::string& path) const;
  void load_operator(const std::string& name, const std::string& path);

 private:
  friend class InferenceRun;
  friend class Inference;
  friend class VariationalInference;

  struct VariableState {
    Message base;      // the prior times all evidence
    bool has_prior;    // else it is a factor's child
    double log_prior;  // log normalizer of the prior over its density at the value, if known; 0 without a prior
    Message marginal;
    std::vector<std::uint32_t> edges = {};
  };
  /// One kind of factor.
  struct Kind {
    FactorSource owned = {};  // none for a source that outlives the model
    MessageSource* source = nullptr;
    Message child = {};

    const Operator& factor() const { return source->factor(); }
  };
  struct Factor {
    Kind* kind;
    std::uint32_t first_edge;
    std::vector<std::uint32_t> scope;  // [slot], variables
  };
  struct Edge {
    std::uint32_t factor, slot;
    Message message;  // to the variable
  };

  Variable child_of(Kind& kind, const Message& uniform, const std::vector<Variable>& parents);
  Variable child_of(std::unique_ptr<Operator> op, const Message& uniform, const std::vector<Variable>& parents) {
    return child_of(add_kind(std::move(op)), uniform, parents);
  }
  Kind& add_kind(std::unique_ptr<Operator> op);
  void require_known(Variable v, const char* what) const;
  /// Throws if a variable that is not known is there twice.
  void require_distinct(const std::vector<Variable>& parents, std::string_view factor) const;
  /// Throws unless the variable is of this family, or is a Point that a variable of this family can be.
  void require_family(Variable v, const Message& like, const char* what) const;
  void require_selector(Variable v, std::size_t cases, const char* what) const;
  /// [variable]: true for a child of which nothing is known except its factor, nor of what depends on it.
  std::vector<bool> predictions() const;
  Kind& known_kind(const std::string& name, const std::string& what) const;

  std::vector<VariableState> variables_;
  std::vector<Factor> factors_;
  std::vector<Edge> edges_;
  std::deque<Kind> kinds_;
  std::map<std::string, Kind*> named_;
  std::map<const MessageSource*, Kind*> by_source_;
};

}  // namespace fovea::ep
