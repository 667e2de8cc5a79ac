// SPDX-License-Identifier: Apache-2.0
// fovea.tagging: taggers of four families, trained and applied in memory.
#include <fmt/format.h>
#include <fovea/tagging.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"
#include "pages.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using tagging::AttributeSequence;
using tagging::TagItems;

nb::bytes bytes_of(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

/// The place of an item in X; sequences and items count from 0, as Python's do.
std::string place(std::size_t sequence, std::size_t item) { return fmt::format("X[{}][{}]", sequence, item); }

[[noreturn]] void refuse(const std::string& where, nb::handle object, const char* wanted) {
  throw UsageError(fmt::format("{} is {}: needs {}", where, nb::repr(object).c_str(), wanted));
}

/// The text of a str, which lives as long as the str.
std::string_view text_of(nb::handle object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (!text) nb::raise_python_error();
  return {text, static_cast<std::size_t>(size)};
}

bool is_text(nb::handle object) { return PyUnicode_Check(object.ptr()) != 0; }

/// A str of bytes that need not be UTF-8, such as names in models of other programs.
nb::object any_text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace"));
}

/// True for bytes, which would pass for rows of small numbers.
bool is_bytes(nb::handle value) { return PyBytes_Check(value.ptr()) || PyByteArray_Check(value.ptr()); }

/// Adds the attributes of an item that is a dict, under the names that sklearn-crfsuite gives them: key:text for a
/// text, the key with its value for a number, key:element for each text in a list or set, key:attribute for those of a
/// dict. A number in a list or array has the name key:place, so that a vector may be an attribute.
class DictAttributes {
 public:
  DictAttributes(AttributeSequence& sequence, std::string where) : sequence_(sequence), where_(std::move(where)) {}

  void add(const nb::dict& item, const std::string& prefix = "") {
    for (const auto& [key, value] : item) {
      if (!is_text(key)) refuse(where_, key, "a str as the name of an attribute");
      add(prefix + std::string(text_of(key)), value);
    }
  }

  void add_number(const std::string& name, nb::handle value) {
    const bool is_number = !is_row(value);  // an array of one number would pass for it
    const double number = is_number ? PyFloat_AsDouble(value.ptr()) : 0;
    if (!is_number || PyErr_Occurred()) {
      PyErr_Clear();
      refuse(where_, value, "a str, a number, a list of them or a dict");
    }
    const auto rounded = static_cast<float>(number);
    if (!std::isfinite(rounded)) refuse(where_, value, "a finite number in single precision");
    if (number != 0) sequence_.add_attribute(name, rounded);
  }

 private:
  void add(const std::string& name, nb::handle value) {
    if (is_text(value)) {
      sequence_.add_attribute(name + ":" + std::string(text_of(value)), 1);
    } else if (PyDict_Check(value.ptr())) {
      add(nb::borrow<nb::dict>(value), name + ":");
    } else if (PyAnySet_Check(value.ptr()) || is_row(value)) {
      std::size_t place = 0;
      for (const nb::handle element : nb::borrow<nb::object>(value)) {
        if (is_text(element)) sequence_.add_attribute(name + ":" + std::string(text_of(element)), 1);
        else if (PyAnySet_Check(value.ptr())) refuse(where_, element, "a str in the set of an attribute");
        else add_number(name + ":" + std::to_string(place), element);
        ++place;
      }
    } else {
      add_number(name, value);
    }
  }

  /// True for a list, a tuple and an array that has a dimension.
  static bool is_row(nb::handle value) {
    if (is_bytes(value)) return false;
    const bool has_length = PySequence_Check(value.ptr()) && PyObject_Length(value.ptr()) >= 0;
    PyErr_Clear();
    return has_length;
  }

  AttributeSequence& sequence_;
  std::string where_;
};

/// One item of X as attributes: a list of their names, a dict, or a vector, whose numbers are attributes "0", "1" ...
void add_attributes(nb::handle item, const std::string& where, AttributeSequence& sequence) {
  if (PyDict_Check(item.ptr())) return DictAttributes(sequence, where).add(nb::borrow<nb::dict>(item));
  if (is_text(item)) refuse(where, item, "a list of attributes or a dict: a str is a token, which needs a template");
  if (is_bytes(item) || !PySequence_Check(item.ptr()))
    refuse(where, item, "a list of str, a dict or a vector of numbers");
  bool has_names = false, has_numbers = false;
  std::size_t place = 0;
  for (const nb::handle element : nb::borrow<nb::object>(item)) {
    (is_text(element) ? has_names : has_numbers) = true;
    if (has_names && has_numbers) refuse(where, element, "names alone or numbers alone; a dict may have both");
    if (has_names) sequence.add_attribute(text_of(element), 1);
    else DictAttributes(sequence, where).add_number(std::to_string(place++), element);
  }
}

/// One item of X as cells: a token, or a list of them.
std::vector<std::string> cells_of(nb::handle item, const std::string& where) {
  if (is_text(item)) return {std::string(text_of(item))};
  if (PyDict_Check(item.ptr()) || !PySequence_Check(item.ptr())) refuse(where, item, "a str or a list of str");
  std::vector<std::string> cells;
  for (const nb::handle cell : nb::borrow<nb::object>(item)) {
    if (!is_text(cell)) refuse(where, cell, "a str");
    cells.emplace_back(text_of(cell));
  }
  return cells;
}

nb::object as_sequence(nb::handle object, const std::string& where, const char* wanted) {
  if (is_text(object) || !PySequence_Check(object.ptr())) refuse(where, object, wanted);
  return nb::borrow<nb::object>(object);
}

/// The labels of a sequence; None stands for one that is not known, and becomes `unknown`.
std::vector<std::string> labels_of(nb::handle labels, std::size_t sequence, const std::string& unknown) {
  std::vector<std::string> result;
  const std::string where = fmt::format("y[{}]", sequence);
  for (const nb::handle label : as_sequence(labels, where, "a list of str")) {
    if (label.is_none()) result.push_back(unknown);
    else if (is_text(label)) result.emplace_back(text_of(label));
    else refuse(fmt::format("{}[{}]", where, result.size()), label, "a str, or None for a label that is not known");
  }
  return result;
}

/// A label that nobody has, which stands for None.
const std::string kNone = "\x01none\x01";

/// Calls add(cells, labels) or add(attributes) for each labelled sequence.
template <class Add>
void for_each_labelled(nb::handle X, nb::handle y, bool is_columns, const Add& add) {
  const nb::object all = as_sequence(X, "X", "a list of sequences"),
                   all_labels = as_sequence(y, "y", "a list of lists of str");
  if (nb::len(all) != nb::len(all_labels))
    throw UsageError(fmt::format("X has {} sequences and y has {}", nb::len(all), nb::len(all_labels)));
  nb::object label_sequences = nb::steal(PyObject_GetIter(all_labels.ptr()));
  std::size_t s = 0;
  AttributeSequence attributes;
  LongLoop loop;
  for (const nb::handle sequence : all) {
    loop.step();
    const nb::object labels_object = nb::steal(PyIter_Next(label_sequences.ptr()));
    const std::vector<std::string> labels = labels_of(labels_object, s, kNone);
    const nb::object items = as_sequence(sequence, fmt::format("X[{}]", s), "a list of items");
    if (nb::len(items) != labels.size())
      throw UsageError(fmt::format("X[{}] has {} items and y[{}] has {} labels", s, nb::len(items), s, labels.size()));
    std::size_t t = 0;
    if (is_columns) {
      TagItems cells;
      for (const nb::handle item : items) cells.push_back(cells_of(item, place(s, t++)));
      add(cells, labels);
    } else {
      attributes.clear(1);
      for (const nb::handle item : items) {
        attributes.add_item(labels[t]);
        add_attributes(item, place(s, t++), attributes);
      }
      add(attributes);
    }
    ++s;
  }
}

tagging::TrainingSequences training_of(nb::handle X, nb::handle y, bool is_columns, const std::string& template_text,
                                       const std::string& groups = "") {
  const tagging::GroupChoice choice = tagging::GroupChoice::of_text(groups);
  tagging::TrainingSequences training = is_columns
                                            ? tagging::TrainingSequences::of_columns(template_text, kNone, choice)
                                            : tagging::TrainingSequences::of_attributes(kNone);
  for_each_labelled(X, y, is_columns, [&](const auto&... sequence) { training.add(sequence...); });
  return training;
}

/// The tagger as bytes, the report as JSON, and whether Ctrl-C ended training. `dev` among the arguments: X and y that
/// are only scored.
nb::tuple train(nb::handle X, nb::handle y, bool is_columns, const std::string& template_text,
                const std::string& family, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  tagging::TrainJob job;
  job.options.family = *value_of<tagging::TaggerFamily>(family);
  if (job.options.family == tagging::TaggerFamily::kGp) {
    take_options(arguments, job.gp);
    take_options(arguments, job.gp_inference);
  } else {
    take_options(arguments, job.calibration);
    take_options(arguments, job.recipe);
    take_options(arguments, job.crf);
  }
  nb::object dev = nb::none();
  take_argument(arguments, "dev", dev);
  refuse_rest(arguments, "fit");
  const std::string text = template_text.empty() ? tagging::recipe_template(job.recipe.recipe) : template_text;
  tagging::TrainingSequences training = training_of(X, y, is_columns, text, job.calibration.groups);
  if (!dev.is_none())
    for_each_labelled(dev[0], dev[1], is_columns, [&](const auto&... sequence) { training.add_dev(sequence...); });
  const auto [trained, interrupted] =
      call(limits, "train", [&](const Run& run) { return tagging::train(std::move(training), std::move(job), run); });
  return nb::make_tuple(bytes_of(trained.bytes), trained.report.json, interrupted);
}

sequence::CrfTrainerOptions shard_options(nb::dict arguments) {
  sequence::CrfTrainerOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "train");
  tagging::check_shard_options(options);
  return options;
}

nb::bytes count_features(nb::handle X, nb::handle y, bool is_columns, const std::string& template_text,
                         nb::kwargs arguments) {
  const sequence::CrfTrainerOptions options = shard_options(arguments);
  tagging::TrainingSequences sequences = training_of(X, y, is_columns, template_text);
  return bytes_of(
      call_whole({}, "", [&](const Run&) { return tagging::count_features(std::move(sequences), options); }));
}

nb::bytes merge_features(const std::vector<nb::bytes>& parts, int cut_off) {
  std::vector<std::string_view> views;
  for (const nb::bytes& part : parts) views.push_back(view_of(part));
  return bytes_of(call_whole({}, "", [&](const Run&) { return tagging::merge_features(views, cut_off); }));
}

/// A shard's objective, made from its sequences.
std::unique_ptr<tagging::ShardObjective> make_shard(const nb::bytes& features, nb::handle X, nb::handle y,
                                                    bool is_columns, int threads) {
  auto sequences = tagging::TrainingSequences::of_features(view_of(features), kNone);
  for_each_labelled(X, y, is_columns, [&](const auto&... sequence) { sequences.add(sequence...); });
  return std::make_unique<tagging::ShardObjective>(std::string(view_of(features)), std::move(sequences), threads);
}

nb::tuple evaluate_shard(tagging::ShardObjective& self, const Row<float>& x) {
  std::vector<float> gradient(self.dimension());
  if (x.size() != gradient.size()) throw UsageError("the weights are of other features than the shard");
  double loss = 0;
  {
    const nb::gil_scoped_release no_gil;
    loss = self.evaluate({x.data(), x.size()}, gradient);
  }
  return nb::make_tuple(loss, array_of(std::move(gradient)));
}

nb::object curvature_of_shard(tagging::ShardObjective& self, const Row<float>& x) {
  if (x.size() != self.dimension()) throw UsageError("the weights are of other features than the shard");
  return array_of(self.curvature({x.data(), x.size()}));
}

/// The tagger as bytes, the report as JSON, and whether Ctrl-C ended training. evaluate(x) returns the loss and the
/// gradient, curvature(x) an array, each summed over all shards.
nb::tuple train_on_shards(const nb::bytes& features, nb::object evaluate, nb::object curvature, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  const sequence::CrfTrainerOptions options = shard_options(arguments);
  const auto array = [](std::span<const float> x) { return array_of(std::vector<float>(x.begin(), x.end())); };
  const sequence::CrfSums sums = {.evaluate =
                                      [&](std::span<const float> x, std::span<float> gradient) {
                                        const nb::gil_scoped_acquire gil;
                                        const auto [loss, sum] =
                                            nb::cast<std::pair<double, Row<float>>>(evaluate(array(x)));
                                        if (sum.size() != gradient.size())
                                          throw UsageError("the gradient is of other features");
                                        std::copy_n(sum.data(), sum.size(), gradient.begin());
                                        return loss;
                                      },
                                  .curvature =
                                      [&](std::span<const float> x) {
                                        const nb::gil_scoped_acquire gil;
                                        const auto sum = nb::cast<Row<float>>(curvature(array(x)));
                                        if (sum.size() != x.size())
                                          throw UsageError("the curvature is of other features");
                                        return std::vector<float>(sum.data(), sum.data() + sum.size());
                                      }};
  const std::string bytes(view_of(features));
  const auto [trained, interrupted] =
      call(limits, "train", [&](const Run& run) { return tagging::train_on_shards(bytes, options, sums, run); });
  return nb::make_tuple(bytes_of(trained.bytes), trained.report.json, interrupted);
}

std::vector<AttributeSequence> attributes_of(nb::handle X) {
  std::vector<AttributeSequence> sequences;
  LongLoop loop;
  for (const nb::handle sequence : as_sequence(X, "X", "a list of sequences")) {
    loop.step();
    AttributeSequence& attributes = sequences.emplace_back();
    attributes.clear(1);
    std::size_t t = 0;
    for (const nb::handle item : as_sequence(sequence, fmt::format("X[{}]", sequences.size() - 1), "a list of items")) {
      attributes.add_item({});
      add_attributes(item, place(sequences.size() - 1, t++), attributes);
    }
  }
  return sequences;
}

std::vector<TagItems> columns_of(nb::handle X) {
  std::vector<TagItems> sequences;
  LongLoop loop;
  for (const nb::handle sequence : as_sequence(X, "X", "a list of sequences")) {
    loop.step();
    TagItems& items = sequences.emplace_back();
    for (const nb::handle item : as_sequence(sequence, fmt::format("X[{}]", sequences.size() - 1), "a list of items"))
      items.push_back(cells_of(item, place(sequences.size() - 1, items.size())));
  }
  return sequences;
}

nb::list names_of(const std::vector<std::string>& labels) {
  nb::list names;
  for (const std::string& label : labels) names.append(label);
  return names;
}

/// One str for each label, however often it occurs.
class Labels {
 public:
  explicit Labels(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) objects_.emplace(label, nb::str(label.data(), label.size()));
  }

  nb::list list(const std::vector<std::string>& labels) const {
    nb::list list;
    for (const std::string& label : labels) list.append(objects_.at(label));
    return list;
  }

 private:
  std::unordered_map<std::string, nb::object> objects_;
};

/// A row of numbers for each item.
nb::object matrix_of(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  std::vector<double> numbers;
  for (const std::vector<double>& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
  return array_of(std::move(numbers), {rows.size(), columns});
}

/// A loaded tagger.
class LoadedTagger {
 public:
  /// Errors call the bytes `name`.
  LoadedTagger(const nb::bytes& bytes, const std::string& name)
      : tagger_(tagging::Tagger::load(ContainerSource::memory({bytes.c_str(), bytes.size()}, name))) {}

  std::vector<std::string> labels() const { return tagger_.labels(); }
  bool reads_columns() const { return tagger_.reads_columns(); }
  std::string family() const { return std::string(word_of(tagger_.family())); }

  /// Returns "labels", [sequence][item]; where asked for "probabilities", [sequence] -> [item][label], "n_best" and
  /// "spans", [sequence] -> (label, begin, end, probability). `policy`: the bytes of one, or none.
  nb::dict tag(nb::handle X, bool wants_probabilities, int n_best, bool wants_spans, const nb::bytes& policy,
               nb::kwargs arguments) const {
    TagRequest request = request_of(policy, arguments, "predict");
    request.job.options.all_marginals = wants_probabilities;
    request.job.options.n_best = n_best;
    request.job.options.spans = wants_spans;
    if (tagger_.reads_columns()) return tag_sequences(columns_of(X), request.limits, request.job);
    return tag_sequences(attributes_of(X), request.limits, request.job);
  }

  /// The text of a page of sequences and their labels; of an evaluation, if `y` is not None.
  std::string page(nb::handle X, nb::handle y, int n_best, const nb::bytes& policy, nb::kwargs arguments) const {
    TagRequest request = request_of(policy, arguments, "report");
    request.job.options.all_marginals = n_best == 0;
    request.job.options.n_best = n_best;
    std::optional<tagging::GoldLabels> gold;
    if (!y.is_none()) {
      gold = tagging::GoldLabels{.labels = {}, .unknown = kNone};
      std::size_t s = 0;
      for (const nb::handle labels : as_sequence(y, "y", "a list of lists of str"))
        gold->labels.push_back(labels_of(labels, s++, kNone));
    }
    if (tagger_.reads_columns()) return page_of(columns_of(X), request, gold);
    return page_of(attributes_of(X), request, gold);
  }

  /// The terms of a label: "label", "other", "difference", "attributes" as (name, weight, other weight, difference,
  /// value) and "ngrams" as (first item, labels, other labels, weight, other weight, difference).
  nb::dict explain(nb::handle x, long long item, const std::string& other, const nb::bytes& policy,
                   nb::kwargs arguments) const {
    const TagRequest request = request_of(policy, arguments, "explain");
    nb::list one;
    one.append(x);
    const auto index = static_cast<std::size_t>(item);
    if (tagger_.reads_columns()) {
      const std::vector<TagItems> items = columns_of(one);
      return explanation_of(call_whole(request.limits, "tag", [&](const Run& run) {
        return tagging::explain(tagger_, items[0], index, other, request.job, run);
      }));
    }
    const std::vector<AttributeSequence> sequences = attributes_of(one);
    return explanation_of(call_whole(request.limits, "tag", [&](const Run& run) {
      return tagging::explain(tagger_, sequences[0], index, other, request.job, run);
    }));
  }

  /// The bytes of a policy that is learned on labelled sequences.
  nb::bytes tune(nb::handle X, nb::handle y, nb::kwargs arguments) const {
    const RunArguments limits = take_run_arguments(arguments);
    sequence::TuneOptions options;
    take_options(arguments, options);
    take_options(arguments, options.features);
    take_options(arguments, options.learner);
    take_options(arguments, options.choice);
    take_options(arguments, options.rounds);
    refuse_rest(arguments, "fit");
    tagging::TrainingSequences sequences = tagging::TrainingSequences::of_tagger(tagger_, kNone);
    for_each_labelled(X, y, tagger_.reads_columns(), [&](const auto&... sequence) { sequences.add(sequence...); });
    return bytes_of(call_whole(
        limits, "", [&](const Run& run) { return tagging::tune_tagger(tagger_, std::move(sequences), options, run); }));
  }

  /// The bytes of the tagger's file, whatever it was read from.
  nb::bytes bytes() const { return bytes_of(tagger_); }

 private:
  /// What one call asks for. The job points to the policy.
  struct TagRequest {
    RunArguments limits;
    std::shared_ptr<const sequence::Policy> policy;
    tagging::TagJob job;
  };

  TagRequest request_of(const nb::bytes& policy, nb::dict& arguments, const char* function) const {
    TagRequest request = {.limits = take_run_arguments(arguments), .policy = {}, .job = {}};
    take_options(arguments, request.job.decode);
    take_argument(arguments, "valid_bio", request.job.options.valid_bio);
    refuse_rest(arguments, function);
    std::swap(request.job.options.budget, request.limits.budget);
    std::swap(request.job.options.time_limit, request.limits.time_limit);
    if (policy.size() == 0) return request;
    request.policy = std::make_shared<const sequence::Policy>(
        tagger_.load_policy(ContainerSource::memory({policy.c_str(), policy.size()}, "the policy")));
    request.job.policy = request.policy.get();
    return request;
  }

  template <class Stored>
  static nb::bytes bytes_of(const Stored& stored) {
    std::string bytes;
    stored.save(ContainerTarget::memory(bytes));
    return nb::bytes(bytes.data(), bytes.size());
  }

  static nb::dict explanation_of(const tagging::LabelExplanation& explanation) {
    nb::list attributes, ngrams;
    for (const auto& term : explanation.attributes)
      attributes.append(
          nb::make_tuple(any_text(term.name), term.weight, term.other_weight, term.difference, term.value));
    for (const auto& term : explanation.ngrams)
      ngrams.append(nb::make_tuple(term.begin, nb::tuple(names_of(term.labels)), nb::tuple(names_of(term.other_labels)),
                                   term.weight, term.other_weight, term.difference));
    nb::dict answer;
    answer["label"] = explanation.label;
    answer["other"] = explanation.other;
    answer["difference"] = explanation.difference;
    answer["attributes"] = attributes;
    answer["ngrams"] = ngrams;
    return answer;
  }

  template <class Sequence>
  std::string page_of(const std::vector<Sequence>& sequences, const TagRequest& request,
                      const std::optional<tagging::GoldLabels>& gold) const {
    const tagging::TaggedInMemory tagged = call_whole(
        request.limits, "tag", [&](const Run& run) { return tagging::tag(tagger_, sequences, request.job, run); });
    return html_of([&] {
      return tagging::memory_page(fmt::format("a tagger of the family {}", family()), tagger_,
                                  std::span<const Sequence>(sequences), tagged, gold);
    });
  }

  template <class Sequence>
  nb::dict tag_sequences(const std::vector<Sequence>& sequences, const RunArguments& limits,
                         const tagging::TagJob& job) const {
    const tagging::TaggedInMemory tagged =
        call_whole(limits, "tag", [&](const Run& run) { return tagging::tag(tagger_, sequences, job, run); });
    nb::dict answer;
    nb::list labels, probabilities, n_best, spans;
    Labels known(tagger_.labels());
    LongLoop loop;
    for (const tagging::SequenceTags& tags : tagged.sequences) {
      loop.step();
      labels.append(known.list(tags.labels));
      if (job.options.all_marginals) probabilities.append(matrix_of(tags.marginals, tagger_.labels().size()));
      nb::list ranked, found;
      for (const auto& one : tags.n_best)
        ranked.append(nb::make_tuple(known.list(one.labels), one.log_score, one.probability));
      for (const tagging::EntitySpan& span : tags.spans)
        found.append(nb::make_tuple(span.label, span.begin, span.end, span.probability));
      n_best.append(ranked);
      spans.append(found);
    }
    answer["labels"] = labels;
    answer["probabilities"] = probabilities;
    answer["n_best"] = n_best;
    answer["spans"] = spans;
    answer["report"] = tagged.report.json();
    return answer;
  }

  tagging::Tagger tagger_;
};

/// Describes a policy: "labels", "factor_size", "text" for people and "json". Throws InputError if the bytes are not
/// one.
nb::dict describe_policy(const nb::bytes& bytes, const std::string& name) {
  const sequence::Policy policy = sequence::Policy::load(ContainerSource::memory({bytes.c_str(), bytes.size()}, name));
  nb::dict facts;
  facts["labels"] = names_of(policy.label_names);
  facts["factor_size"] = policy.factor_size;
  facts["text"] = policy.describe();
  facts["json"] = policy.to_json();
  return facts;
}

}  // namespace

void bind_tagging(nb::module_& module) {
  nb::class_<LoadedTagger>(module, "Tagger")
      .def(nb::init<const nb::bytes&, const std::string&>())
      .def_prop_ro("labels", &LoadedTagger::labels)
      .def_prop_ro("reads_columns", &LoadedTagger::reads_columns)
      .def_prop_ro("family", &LoadedTagger::family)
      .def("tag", &LoadedTagger::tag)
      .def("page", &LoadedTagger::page, nb::arg("X"), nb::arg("y").none(), nb::arg("n_best"), nb::arg("policy"),
           nb::arg("arguments"))
      .def("explain", &LoadedTagger::explain)
      .def("tune", &LoadedTagger::tune)
      .def("bytes", &LoadedTagger::bytes);
  module.def("describe_policy", &describe_policy);
  module.def("train_tagger", &train);
  module.def("check_shard_options", [](nb::kwargs options) { (void)shard_options(options); });
  module.def("count_features", &count_features);
  module.def("merge_features", &merge_features);
  nb::class_<tagging::ShardObjective>(module, "ShardObjective")
      .def(nb::new_(&make_shard))
      .def("evaluate", &evaluate_shard)
      .def("curvature", &curvature_of_shard);
  module.def("train_on_shards", &train_on_shards);
  module.def("tagging_options", [] {
    nb::dict options;
    options["crf"] =
        describe_options<tagging::CalibrationOptions, tagging::RecipeOption, sequence::CrfTrainerOptions>();
    options["gp"] = describe_options<tagging::GpModelOptions, tagging::GpInferenceOptions>();
    options["predict"] = describe_options<sequence::DecodeOptions>();
    options["tune"] =
        describe_options<sequence::TuneOptions, sequence::MetaFeatureOptions, sequence::PolicyLearnerOptions,
                         sequence::PolicyChoiceOptions, sequence::RoundLearnerOptions>();
    return options;
  });
}

}  // namespace fovea::python
