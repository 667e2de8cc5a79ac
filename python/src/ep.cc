// SPDX-License-Identifier: Apache-2.0
// fovea.ep: models of variables and factors, solved by message passing. Factors may be functions of Python.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fovea/ep.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"
#include "pages.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using ep::Message;
using Ids = std::vector<std::uint32_t>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The message of this family and these two parameters (one for a Bernoulli and a Poisson).
Message message_of(const std::string& family, double first, double second) {
  if (family == "gaussian") return ep::Gaussian::from_mean_variance(first, second);
  if (family == "gamma") return ep::Gamma::from_shape_rate(first, second);
  if (family == "beta") return ep::Beta::from_counts(first, second);
  if (family == "bernoulli") return ep::Bernoulli::from_probability(first);
  if (family == "poisson") return ep::Poisson::from_mean(first);
  throw UsageError(fmt::format("family '{}': needs one of gaussian, gamma, beta, bernoulli, poisson", family));
}

/// A member of the family, for the children of a factor.
Message child_of_family(const std::string& family) {
  const bool is_label = family == "bernoulli";
  return message_of(family, is_label ? .5 : 1, 1);
}

/// Mean and variance of a number; NaN where nothing is known of it, and for vectors and categories.
std::pair<double, double> moments_of(const Message& message) {
  if (!ep::is_proper(message)) return {kNaN, kNaN};
  return std::visit(
      []<class F>(const F& m) -> std::pair<double, double> {
        if constexpr (std::is_same_v<F, ep::Point>) return {m.value, 0};
        else if constexpr (std::is_same_v<F, ep::Bernoulli>)
          return {m.probability(), m.probability() * (1 - m.probability())};
        else if constexpr (std::is_same_v<F, ep::Poisson>) return {m.mean(), m.mean()};
        else if constexpr (requires {
                             { m.variance() } -> std::convertible_to<double>;
                           })
          return {m.mean(), m.variance()};
        else return {kNaN, kNaN};
      },
      message);
}

/// The family's own parameters by name, and arrays "mean" and "variance" of a vector or of probabilities.
nb::dict parameters_of(const Message& message) {
  nb::dict result;
  if (!ep::is_proper(message)) return result;
  std::visit(
      [&]<class F>(const F& m) {
        if constexpr (std::is_same_v<F, ep::Point>) result["value"] = m.value;
        else if constexpr (std::is_same_v<F, ep::Gaussian>) {
          result["mean"] = m.mean();
          result["variance"] = m.variance();
        } else if constexpr (std::is_same_v<F, ep::Gamma>) {
          result["shape"] = m.shape();
          result["rate"] = m.rate();
        } else if constexpr (std::is_same_v<F, ep::Beta>) {
          result["a"] = m.a();
          result["b"] = m.b();
        } else if constexpr (std::is_same_v<F, ep::Bernoulli>) {
          result["probability"] = m.probability();
        } else if constexpr (std::is_same_v<F, ep::Poisson>) {
          result["mean"] = m.mean();
        } else if constexpr (std::is_same_v<F, ep::Categorical>) {
          result["probabilities"] = array_of(m.expected_statistics());
        } else if constexpr (std::is_same_v<F, ep::Dirichlet>) {
          std::vector<double> counts = m.natural;
          for (double& count : counts) count += 1;
          result["counts"] = array_of(std::move(counts));
        } else {
          std::vector<double> mean = m.mean();
          const std::size_t size = mean.size();
          result["mean"] = array_of(std::move(mean));
          result["covariance"] = array_of(m.covariance(), {size, size});
        }
      },
      message);
  return result;
}

/// The marginals and the costs of a run.
struct EpPosterior {
  ep::Posterior posterior;

  const Message& marginal(std::uint32_t id) const {
    if (id >= posterior.marginals.size())
      throw UsageError(fmt::format("variable {} was added after this inference: call infer() again", id));
    return posterior.marginals[id];
  }
  std::string family(std::uint32_t id) const { return std::string(ep::family_name(marginal(id))); }
  nb::dict parameters(std::uint32_t id) const { return parameters_of(marginal(id)); }
  nb::tuple moments(const Ids& ids) const {
    std::vector<double> means, variances;
    for (const std::uint32_t id : ids) {
      const auto [mean, variance] = moments_of(marginal(id));
      means.push_back(mean);
      variances.push_back(variance);
    }
    return nb::make_tuple(array_of(std::move(means)), array_of(std::move(variances)));
  }
  nb::dict recalled() const {
    nb::dict result;
    for (const auto& [name, counts] : posterior.recalled) {
      nb::dict record;
      record["of"] = counts.is_of_values ? "values" : "messages";
      record["messages"] = counts.messages;
      record["recalled"] = counts.recalled;
      record["computed"] = counts.oracle_calls();
      record["audits"] = counts.audits;
      record["failed_audits"] = counts.failed_audits;
      result[name.c_str()] = record;
    }
    return result;
  }
  nb::dict skipped() const {
    nb::dict result;
    for (const auto& [name, count] : posterior.skipped) result[name.c_str()] = count;
    return result;
  }
};

/// A model whose factors may be functions of Python. The functions stay with the caller, who passes them to infer():
/// a reference to them from here would be invisible to Python's garbage collector.
class EpModel {
 public:
  EpModel() = default;
  EpModel(const EpModel&) = delete;  // functions of Python are reached through its address
  EpModel& operator=(const EpModel&) = delete;

  /// The model, for calls that hold the GIL. Throws UsageError while it is being solved, which does not hold it.
  ep::Model& use() {
    if (is_busy_) throw UsageError("this model is being solved: wait for infer() to return, or use a model per thread");
    return model_;
  }

  static std::vector<ep::Variable> variables(const Ids& ids) {
    std::vector<ep::Variable> result;
    for (const std::uint32_t id : ids) result.push_back({id});
    return result;
  }

  /// Defines a factor by the functions number `number`, or adds a child to the one of that name.
  std::uint32_t factor(const std::string& name, std::optional<std::size_t> number, const Ids& parents,
                       nb::kwargs arguments) {
    if (!number) return use().factor(name, variables(parents)).id;
    bool has_sampler = false, has_density = false;
    std::string child;
    std::uint64_t seed = 1;
    ep::FactorSpec spec;
    take_argument(arguments, "has_sampler", has_sampler);
    take_argument(arguments, "has_density", has_density);
    take_argument(arguments, "child", child);
    take_argument(arguments, "seed", seed);
    take_argument(arguments, "recall", spec.recall);
    take_options(arguments, spec);
    take_options(arguments, spec.sampling);
    take_options(arguments, spec.sigma_points);
    take_options(arguments, spec.recalling_values);
    take_options(arguments, spec.recalling);
    take_options(arguments, spec.recalling.forest);
    refuse_rest(arguments, "factor");
    spec.child = child_of_family(child);
    spec.random = Random(seed);
    if (has_sampler)
      spec.sample_many = [this, number = *number](ep::DrawColumns columns, Random& random, std::span<double> results) {
        constexpr auto kWord = std::numeric_limits<std::uint32_t>::max();
        const std::uint64_t high = random.uniform_index(kWord), draw_seed = high << 32 | random.uniform_index(kWord);
        ask(number, "sample", columns, draw_seed, results);
      };
    if (has_density)
      spec.log_density_many = [this, number = *number](ep::DrawColumns columns, std::span<double> results) {
        ask(number, "log_density", columns, 0, results);
      };
    return use().factor(name, spec, variables(parents)).id;
  }

  nb::tuple infer(const nb::list& functions, nb::kwargs arguments) {
    const RunArguments limits = take_run_arguments(arguments);
    ep::InferenceOptions options;
    take_options(arguments, options);
    refuse_rest(arguments, "infer");
    use();
    const Solving solving(*this, functions);
    auto [posterior, interrupted] = call(limits, "", [&](const Run& run) {
      options.stop = run.stop;
      options.progress = run.progress;
      try {
        return model_.infer(options);
      } catch (...) {
        if (raised_) std::rethrow_exception(raised_);
        throw;
      }
    });
    return nb::make_tuple(EpPosterior{std::move(posterior)}, interrupted);
  }

 private:
  /// Lends the functions to the model while it is solved.
  class Solving {
   public:
    Solving(EpModel& model, const nb::list& functions) : model_(model) {
      model.is_busy_ = true;
      model.functions_ = functions;
    }
    ~Solving() {
      model_.is_busy_ = false;
      model_.functions_ = nb::handle();
      model_.raised_ = nullptr;
    }
    Solving(const Solving&) = delete;
    Solving& operator=(const Solving&) = delete;

   private:
    EpModel& model_;
  };

  /// Calls a function of Python. The library wraps what its functions throw, so what Python raises is kept aside.
  void ask(std::size_t number, const char* name, ep::DrawColumns columns, std::uint64_t seed,
           std::span<double> results) {
    const nb::gil_scoped_acquire gil;
    try {
      nb::list arrays;
      for (const std::vector<double>& column : columns) arrays.append(array_of(column));
      const auto numbers = nb::cast<Row<double>>(functions_[number].attr(name)(arrays, results.size(), seed));
      if (numbers.size() != results.size()) throw UsageError("a factor's function returned too few numbers");
      std::copy_n(numbers.data(), results.size(), results.begin());
    } catch (...) {
      raised_ = std::current_exception();
      throw std::runtime_error("it raised an exception");
    }
  }

  ep::Model model_;
  bool is_busy_ = false;
  nb::handle functions_;
  std::exception_ptr raised_;
};

/// Variables by their numbers, from here on.
void bind_variables(nb::class_<EpModel>& model) {
  using ep::Variable;
  model
      .def("gaussian", [](EpModel& m, double mean,
                          double variance) { return m.use().gaussian({.mean = mean, .variance = variance}).id; })
      .def("gamma", [](EpModel& m, double shape, double rate) { return m.use().gamma(shape, rate).id; })
      .def("beta", [](EpModel& m, double a, double b) { return m.use().beta(a, b).id; })
      .def("dirichlet", [](EpModel& m, const std::vector<double>& counts) { return m.use().dirichlet(counts).id; })
      .def("vector", [](EpModel& m, const std::vector<double>& mean,
                        const std::vector<double>& covariance) { return m.use().vector(mean, covariance).id; })
      .def("constant", [](EpModel& m, double value) { return m.use().constant(value).id; })
      .def("observe", [](EpModel& m, std::uint32_t id, double value) { m.use().observe(Variable{id}, value); })
      .def("evidence", [](EpModel& m, std::uint32_t id, const std::string& family, double first, double second) {
        m.use().observe(Variable{id}, message_of(family, first, second));
      });
}

void bind_children(nb::class_<EpModel>& model) {
  using ep::Variable;
  using Id = std::uint32_t;
  model
      .def("linear",
           [](EpModel& m, const std::vector<double>& factors, const Ids& parents, double offset, double noise) {
             return m.use().linear(factors, EpModel::variables(parents), offset, noise).id;
           })
      .def("dot", [](EpModel& m, const std::vector<double>& x, Id vector, double offset,
                     double noise) { return m.use().dot(x, Variable{vector}, offset, noise).id; })
      .def("normal", [](EpModel& m, Id mean, Id precision) { return m.use().normal({mean}, {precision}).id; })
      .def("max", [](EpModel& m, Id a, Id b) { return m.use().max({a}, {b}).id; })
      .def("greater_than", [](EpModel& m, Id a, double threshold) { return m.use().greater_than({a}, threshold).id; })
      .def("bernoulli", [](EpModel& m, Id beta) { return m.use().bernoulli({beta}).id; })
      .def("categorical", [](EpModel& m, Id dirichlet) { return m.use().categorical({dirichlet}).id; })
      .def("poisson", [](EpModel& m, Id gamma) { return m.use().poisson({gamma}).id; })
      .def("logistic", [](EpModel& m, Id gaussian) { return m.use().logistic({gaussian}).id; })
      .def("gamma_of_rate", [](EpModel& m, double shape, Id gamma) { return m.use().gamma_of_rate(shape, {gamma}).id; })
      .def("pick", [](EpModel& m, Id selector,
                      const Ids& options) { return m.use().pick({selector}, EpModel::variables(options)).id; })
      .def("pick_normal",
           [](EpModel& m, Id selector, const Ids& means, const Ids& precisions) {
             return m.use().pick_normal({selector}, EpModel::variables(means), EpModel::variables(precisions)).id;
           })
      .def("pick_categorical", [](EpModel& m, Id selector, const Ids& rows) {
        return m.use().pick_categorical({selector}, EpModel::variables(rows)).id;
      });
}

void bind_posterior(nb::module_& module) {
  nb::class_<EpPosterior>(module, "EpPosterior")
      .def("family", &EpPosterior::family)
      .def("parameters", &EpPosterior::parameters)
      .def("moments", &EpPosterior::moments)
      .def_prop_ro("recalled", &EpPosterior::recalled)
      .def_prop_ro("skipped", &EpPosterior::skipped)
      .def_prop_ro("log_evidence", [](const EpPosterior& p) { return p.posterior.log_evidence; })
      .def_prop_ro("converged", [](const EpPosterior& p) { return p.posterior.has_converged; })
      .def_prop_ro("iterations", [](const EpPosterior& p) { return p.posterior.iterations; })
      .def_prop_ro("largest_marginal_kl", [](const EpPosterior& p) { return p.posterior.largest_marginal_kl; })
      .def_prop_ro("messages", [](const EpPosterior& p) { return p.posterior.messages; })
      .def_prop_ro("seconds", [](const EpPosterior& p) { return p.posterior.seconds; });
}

/// The posterior of the weights of rows X with labels y.
nb::dict fit_logistic(Rows<double> X, const std::vector<bool>& y, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  ep::LogisticRegressionOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "fit");
  const ep::LogisticData data = {
      .columns = X.shape(1), .values = std::vector<double>(X.data(), X.data() + X.size()), .labels = y};
  const auto [fit, interrupted] =
      call(limits, "", [&](const Run& run) { return ep::fit_logistic(data, options, run); });
  nb::dict result = parameters_of(fit.posterior);
  result["log_evidence"] = fit.log_evidence;
  result["iterations"] = fit.iterations;
  result["messages"] = fit.messages;
  result["converged"] = fit.has_converged;
  result["interrupted"] = interrupted;
  return result;
}

/// One variable's draws: {"name", "dimensions", "coordinates", "draws": [quantity][chain][draw]}.
nb::dict drawn_variable(const ep::ModelDraws& draws, const ep::DrawnVariable& variable) {
  const std::size_t length = draws.chains * draws.length;
  const double* first = draws.draws.data() + variable.first * length;
  nb::dict result;
  result["name"] = variable.name;
  result["dimensions"] = variable.dimensions;
  result["coordinates"] = variable.coordinates;
  result["draws"] =
      array_of(std::vector<double>(first, first + variable.size * length), {variable.size, draws.chains, draws.length});
  return result;
}

/// Columns of the summary of all quantities.
nb::dict summary_of(const ep::ModelDraws& draws) {
  nb::dict columns;
  const auto add = [&](const char* name, const auto& get) {
    nb::list cells;
    for (const ep::DrawnQuantity& quantity : draws.quantities) cells.append(nb::cast(get(quantity)));
    columns[name] = cells;
  };
  add("variable", [](const ep::DrawnQuantity& q) { return q.name; });
  add("mean", [](const ep::DrawnQuantity& q) { return q.mean; });
  add("sd", [](const ep::DrawnQuantity& q) { return q.sd; });
  add("quantile_5", [](const ep::DrawnQuantity& q) { return q.low; });
  add("median", [](const ep::DrawnQuantity& q) { return q.median; });
  add("quantile_95", [](const ep::DrawnQuantity& q) { return q.high; });
  add("standard_error", [](const ep::DrawnQuantity& q) { return q.diagnosis.standard_error; });
  add("r_hat", [](const ep::DrawnQuantity& q) { return q.diagnosis.r_hat; });
  add("bulk_effective_samples", [](const ep::DrawnQuantity& q) { return q.diagnosis.bulk_effective_samples; });
  add("tail_effective_samples", [](const ep::DrawnQuantity& q) { return q.diagnosis.tail_effective_samples; });
  return columns;
}

/// A model in its own language, or a formula, and the table to fit it to.
ep::ModelProblem model_problem(const std::string& model, std::optional<const io::Table*> table,
                               const std::map<std::string, double>& numbers, const std::string& family) {
  const auto word = value_of<ep::ResponseFamily>(family);
  if (!word)
    throw UsageError(
        fmt::format("argument family='{}': needs one of {}", family, fmt::join(all_words<ep::ResponseFamily>(), ", ")));
  return {.model = model, .table = table.value_or(nullptr), .numbers = numbers, .family = *word};
}

/// Draws from the posterior of a model.
nb::dict fit_model(const std::string& model, std::optional<const io::Table*> table,
                   const std::map<std::string, double>& numbers, const std::string& family, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  ep::ModelDrawOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "fit");
  const ep::ModelProblem problem = model_problem(model, table, numbers, family);
  auto [answer, interrupted] = call(limits, "", [&](const Run& run) { return ep::fit_model(problem, options, run); });
  const auto kept = std::make_shared<const ep::FittedModel>(std::move(answer));
  const ep::FittedModel& fitted = *kept;
  const ep::ModelDraws& draws = fitted.draws;
  nb::dict result;
  nb::list variables;
  for (const ep::DrawnVariable& variable : draws.variables) variables.append(drawn_variable(draws, variable));
  result["variables"] = variables;
  result["summary"] = summary_of(draws);
  result["model"] = fitted.posterior.model;
  result["posterior"] = ep::text_of(fitted.posterior);
  result["mixing"] = std::string(word_of(draws.mixing));
  result["divergences"] = draws.divergences;
  result["at_deepest_tree"] = draws.at_deepest;
  result["evaluations"] = draws.evaluations;
  result["whole"] = draws.is_whole;
  result["log_evidence"] = draws.log_evidence ? nb::cast(draws.log_evidence->value) : nb::none();
  result["log_evidence_error"] = draws.log_evidence ? nb::cast(draws.log_evidence->standard_error) : nb::none();
  result["tail_shape"] = draws.log_evidence ? nb::cast(draws.log_evidence->shape) : nb::none();
  result["gaussian"] = draws.is_gaussian;
  result["exact"] = draws.is_exact;
  result["interrupted"] = interrupted;
  // The page reads the table, which Python owns.
  const nb::object owner = problem.table ? nb::find(problem.table) : nb::none();
  result["page"] = nb::cpp_function([kept, problem, owner, seed = limits.seed, threads = limits.threads] {
    return call_whole({.seed = seed, .threads = threads}, "",
                      [&](const Run& run) { return ep::model_page(problem, *kept, run).html(); });
  });
  return result;
}

/// Columns of a check by simulation: a row for each quantity.
nb::dict check_model(const std::string& model, std::optional<const io::Table*> table,
                     const std::map<std::string, double>& numbers, const std::string& family, int data_sets,
                     nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  ep::ModelDrawOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "check");
  const ep::ModelProblem problem = model_problem(model, table, numbers, family);
  const auto [check, interrupted] =
      call(limits, "", [&](const Run& run) { return ep::check_model(problem, data_sets, options, run); });
  nb::dict columns;
  const auto add = [&](const char* name, const auto& get) {
    nb::list cells;
    for (const ep::CheckedQuantity& quantity : check.quantities) cells.append(nb::cast(get(quantity)));
    columns[name] = cells;
  };
  add("variable", [](const ep::CheckedQuantity& q) { return q.name; });
  add("data_sets", [](const ep::CheckedQuantity& q) { return q.test.count; });
  add("mean_rank", [](const ep::CheckedQuantity& q) { return q.test.mean; });
  add("bias_z", [](const ep::CheckedQuantity& q) { return q.test.bias_z; });
  add("spread_z", [](const ep::CheckedQuantity& q) { return q.test.spread_z; });
  add("p_value", [](const ep::CheckedQuantity& q) { return q.test.p_value; });
  add("verdict", [](const ep::CheckedQuantity& q) { return std::string(word_of(q.verdict)); });
  return columns;
}

/// Columns that predictions add to a table, by their names.
nb::dict predict_model(const std::string& posterior, const io::Table& table, std::vector<std::string> columns,
                       nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  refuse_rest(arguments, "predict");
  const ep::PredictOptions options = {.columns = std::move(columns)};
  const auto [prediction, interrupted] = call(limits, "", [&](const Run& run) {
    return ep::predict(ep::parse_posterior(posterior, "the posterior"), table, options, run);
  });
  nb::dict result;
  for (const ep::AddedColumn& column : ep::added_columns(prediction))
    result[column.name.c_str()] = array_of(std::vector<double>(*column.figures));
  return result;
}

/// The text of a page of a logistic regression: of its weights, and of its probabilities on rows.
std::string logistic_page(Row<double> mean, Rows<double> covariance, Rows<double> X, const std::vector<bool>& y,
                          const std::vector<std::string>& names, const std::string& positive, double log_evidence,
                          int iterations, bool converged) {
  ep::LogisticColumns columns = {.target = "y", .positive = positive};
  for (const std::string& name : names)
    columns.terms.push_back({.kind = ep::LogisticTerm::Kind::kNumber, .column = name});
  const ep::LogisticData data = {
      .columns = X.shape(1), .values = std::vector<double>(X.data(), X.data() + X.size()), .labels = y};
  ep::LogisticRegressionFit fit = {.posterior = ep::MultivariateGaussian::from_mean_covariance(
                                       {mean.data(), mean.size()}, {covariance.data(), covariance.size()}),
                                   .log_evidence = log_evidence,
                                   .iterations = iterations,
                                   .has_converged = converged};
  return html_of([&] { return ep::logistic_page("rows", columns, data, fit); });
}

nb::object logistic_probabilities(Row<double> mean, Rows<double> covariance, Rows<double> X) {
  const ep::LogisticPredictor predictor(ep::MultivariateGaussian::from_mean_covariance(
      {mean.data(), mean.size()}, {covariance.data(), covariance.size()}));
  return array_of(call_whole({}, "", [&](const Run& run) {
    std::vector<double> result;
    for (std::size_t i = 0; i < X.shape(0) && !run.stop.requested(); ++i)
      result.push_back(predictor.probability({X.data() + i * X.shape(1), X.shape(1)}));
    return result;
  }));
}

}  // namespace

void bind_ep(nb::module_& module) {
  nb::class_<EpModel> model(module, "EpModel");
  model.def(nb::init<>())
      .def("factor", &EpModel::factor)
      .def("infer", &EpModel::infer)
      .def("save_operator",
           [](EpModel& m, const std::string& name, const std::string& path) { m.use().save_operator(name, path); })
      .def("load_operator",
           [](EpModel& m, const std::string& name, const std::string& path) { m.use().load_operator(name, path); });
  bind_variables(model);
  bind_children(model);
  bind_posterior(module);
  module.def("fit_logistic", &fit_logistic);
  module.def("fit_model", &fit_model);
  module.def("check_model", &check_model);
  module.def("predict_model", &predict_model);
  module.def("check_posterior",
             [](const std::string& text, const std::string& file) { ep::parse_posterior(text, file); });
  module.def("logistic_page", &logistic_page);
  module.def("logistic_probabilities", &logistic_probabilities);
  module.def("ep_options", [] {
    nb::dict options;
    options["infer"] = describe_options<ep::InferenceOptions>();
    options["factor"] = describe_options<ep::FactorSpec, ep::ImportanceSamplingOptions, ep::SigmaPointOptions,
                                         ep::FunctionRecallOptions, ep::JustInTimeOptions, regress::ForestOptions>();
    options["fit"] = describe_options<ep::ModelDrawOptions>();
    options["logistic"] = describe_options<ep::LogisticRegressionOptions>();
    return options;
  });
}

}  // namespace fovea::python
