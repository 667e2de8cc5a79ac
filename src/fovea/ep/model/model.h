// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/ep/family/message.h"
#include "fovea/ep/model/callable.h"
#include "fovea/ep/operators/message_source.h"
#include "fovea/ep/oracle/grid_quadrature.h"
#include "fovea/ep/oracle/importance_sampling.h"
#include "fovea/ep/recall/just_in_time.h"

namespace fovea::ep {

/// A variable of a Model.
struct Variable {
  std::uint32_t id = 0;
};

struct NormalPrior {
  double mean = 0, variance = 1;
};

/// A factor in the user's words: how its child is drawn from its parents, or log p(child | parents) of the child and
/// then its parents; both, if both are known.
struct FactorSpec {
  Callable sample = {};
  Callable log_density = {};
  Message child = Gaussian();  ///< a message of the child's family
  ImportanceSamplingOptions oracle = {};
  bool quadrature = false;  ///< of the density on grids (oracle/grid_quadrature.h), not by draws
  bool recall = true;       ///< learn its messages while they are computed
  JustInTimeOptions recalling = {};
};

enum class Algorithm {
  kExpectationPropagation,  ///< Minka 2001
  kVariational              ///< variational message passing: Winn and Bishop 2005
};

enum class MessageSchedule {
  kSerial,    ///< one after the other, forwards and then backwards
  kParallel,  ///< all at once from what stood before
  kResidual   ///< next the one whose inputs have changed most: what matters little is not computed
};

struct InferenceOptions {
  Algorithm algorithm = Algorithm::kExpectationPropagation;
  double max_marginal_kl = 1e-6;  ///< converged once no marginal changes by more
  int iterations = 100;           ///< updates of all messages, at most
  MessageSchedule schedule = MessageSchedule::kSerial;
  double damping = 0;     ///< share of the old message that is kept, in [0, 1)
  bool evidence = false;  ///< log p(observations) too, which costs one more message for each factor; variational: a
                          ///< lower bound of it
  Stop stop = {};
  ProgressFunction progress = {};
};

/// What inference found, and what it took.
struct Posterior {
  std::vector<Message> marginals = {};  ///< [variable]; of a variable that nothing tells of, a uniform message
  double log_evidence = 0;              ///< where it was asked for; variational: its lower bound
  bool has_converged = false;
  int iterations = 0;
  double largest_marginal_kl = 0;  ///< in the last iteration
  std::uint64_t messages = 0;
  /// Updates not done, by factor: the messages that they need, or the one that they would make, are not proper.
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

/// Variables and factors on them, solved by expectation propagation (Minka 2001): messages go between factors and
/// variables until the marginals settle, each the projection of its factor with all that is known elsewhere. Where
/// projections are exact and the graph is a tree this is belief propagation. Or by variational message passing, for
/// factors that have a variational form: its marginals, as if variables were independent, maximise a lower bound of the
/// log evidence, which grows with every serial iteration. docs/design/models.md says what each factor does.
///
///   Model model;
///   const Variable skill = model.gaussian({.mean = 25, .variance = 70});
///   const Variable result = model.factor("result", {.sample = [](double s, auto& random) { ... }}, {skill});
///   model.observe(result, 3);
///   const Posterior posterior = model.infer();
///   posterior.as<Gaussian>(skill).mean();
///
/// A plate is a loop: factors of one name share what is learned of their messages. A factor says how likely its child
/// is given its parents. A child of which nothing else is known, nor of what depends on it, is a prediction: it tells
/// its parents nothing, and its marginal is the predictive distribution. Observations, and children to predict, may be
/// added after inference, which then goes on from where it was: a prediction costs one message.
class Model {
 public:
  Variable gaussian(const NormalPrior& prior) {
    return variable(Gaussian::from_mean_variance(prior.mean, prior.variance));
  }
  Variable gamma(double shape, double rate) { return variable(Gamma::from_shape_rate(shape, rate)); }
  Variable beta(double a, double b) { return variable(Beta::from_counts(a, b)); }
  Variable dirichlet(std::vector<double> counts) { return variable(Dirichlet::from_counts(std::move(counts))); }
  /// covariance: d x d, by rows, symmetric and positive definite; else UsageError.
  Variable vector(const std::vector<double>& mean, const std::vector<double>& covariance);
  /// Of any family. Throws UsageError unless the prior is proper, and rules out no label.
  Variable variable(const Message& prior);
  /// Known, of any scalar family that has this value.
  Variable constant(double value);

  // Children by hand-written factors; parents of other families than named, or one twice, are a UsageError.
  Variable linear(std::vector<double> factors, const std::vector<Variable>& parents, double offset = 0,
                  double noise_variance = 0);  ///< of Gaussians
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

  // Gates: the case that the selector names, a Bernoulli (of two: false the first, true the second) or a Categorical.
  /// One of these options, all of one family.
  Variable pick(Variable selector, const std::vector<Variable>& options);
  /// A Gaussian of the mean and precision of that case; or one precision for all.
  Variable pick_normal(Variable selector, const std::vector<Variable>& means, const std::vector<Variable>& precisions);

  /// A child by the user's factor. The first call of a name says what it is; later ones may leave the functions out.
  Variable factor(const std::string& name, const FactorSpec& spec, const std::vector<Variable>& parents);
  Variable factor(const std::string& name, const std::vector<Variable>& parents) {
    return factor(name, FactorSpec(), parents);
  }

  /// A child by any operator, a density of the child given its parents, its messages from a source that outlives the
  /// model: a hand-written one, or one whose learning other models share.
  Variable factor(MessageSource& source, const Message& child, const std::vector<Variable>& parents);

  /// The value of a variable. Throws UsageError where it cannot have it, or has another.
  void observe(Variable v, double value);
  /// What is known of it from elsewhere, a message of its family: times its prior.
  void observe(Variable v, const Message& evidence);

  /// Throws InputError where a factor has no message; what was found before stands: posterior().
  Posterior infer(const InferenceOptions& options = {});
  Posterior posterior() const;

  // What was learned of a user's factor, for the next model. Throw UsageError where there is no such factor, or it
  // learns nothing, InputError for files of another factor.
  void save_operator(const std::string& name, const std::string& path) const;
  void load_operator(const std::string& name, const std::string& path);

 private:
  friend class InferenceRun;
  friend class Inference;
  friend class VariationalInference;

  struct VariableState {
    Message base;      // the prior with all evidence
    bool has_prior;    // else it is a factor's child
    double log_prior;  // log normalizer of the prior over its density at the value, if that is known; 0 of none
    Message marginal;
    std::vector<std::uint32_t> edges = {};
  };
  /// One kind of factor.
  struct Kind {
    std::unique_ptr<Operator> owned_operator = {};
    std::unique_ptr<MessageSource> owned_source = {};  // JustInTime or DirectSource
    MessageSource* source = nullptr;
    JustInTime* recall = nullptr;
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
  /// Or a Point that a variable of this family may be.
  void require_family(Variable v, const Message& like, const char* what) const;
  void require_selector(Variable v, std::size_t cases, const char* what) const;
  /// [variable]: a child of which nothing is known but its factor, nor of what depends on it.
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
