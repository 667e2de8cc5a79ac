// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/family/tagger_summary.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "fovea/tagging/family/gp_tagger.h"

namespace fovea::tagging {
namespace {

using Json = nlohmann::ordered_json;

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string_view family_name(const TaggerModel& model) {
  return family_of(model) == TaggerFamily::kSvm ? "structured SVM" : "linear-chain CRF";
}

const char* separator_name(ColumnSeparator separator) {
  switch (separator) {
    case ColumnSeparator::kTabs:
      return "tabs";
    case ColumnSeparator::kBlanks:
      return "blanks";
    case ColumnSeparator::kDetect:
      break;
  }
  return "what each file shows";
}

/// True if the temperature was set by sequences that were left out; null for models that do not store this.
Json is_calibrated(const GpTagger& tagger) {
  const Json training = Json::parse(tagger.training);
  const Json fit = training.value("fit", Json::object());
  return fit.is_object() && fit.contains("calibrated") ? fit.at("calibrated") : Json();
}

/// Describes how the tagger was trained and what its items are.
std::string describe_vocabulary(const TaggerVocabulary& vocabulary) {
  std::string text;
  const Json training = Json::parse(vocabulary.training);
  if (!training.empty()) text += "training:\n";
  for (const auto& [name, value] : training.items()) text += fmt::format("  {}: {}\n", name, value_text(value));
  if (has_pixels(vocabulary.format)) return text + "items are pictures of letters, 16 x 8 pixels\n";
  if (!vocabulary.feature_template) return text + "items come with their attributes (CRFsuite's format)\n";
  return text + fmt::format("observes {} columns, separated by {}, by this template:\n{}",
                            vocabulary.observation_columns, separator_name(vocabulary.separator),
                            vocabulary.feature_template->text());
}

std::string describe_ngrams(const TaggerModel& model) {
  const sequence::CrfWeights& weights = model.weights;
  std::string text = fmt::format("tagger: {}, factor size {} (order {})\n", family_name(model), weights.factor_size(),
                                 weights.factor_size() - 1);
  text += fmt::format("labels: {} ({})\n", model.labels.size(), fmt::join(model.labels, " "));
  text += fmt::format("attributes: {}\nweights: {} of attributes, {} of label n-grams\n", model.attributes.size(),
                      weights.weights().size(), weights.ngrams().size());
  text += fmt::format("fingerprint: {:016x}\n", model.fingerprint);
  if (model.restart_rate > 0) text += fmt::format("restart rate: {:.4g}\n", model.restart_rate);
  return text + describe_vocabulary(model);
}

std::string describe_processes(const GpTagger& tagger) {
  std::string text;
  for (const auto& [process, weight] : tagger.processes.members())
    text += fmt::format(
        "tagger: structured Gaussian process, covariance {}, likelihood {}, {} inducing points, means by {}{}\n"
        "temperature of marginals: {:.4g}{}\n",
        process.options().kernel.text(), word_of(tagger.likelihood), process.inducing_point_count(),
        word_of(process.options().means), weight < 1 ? fmt::format(", weight {:.4g}", weight) : "",
        process.temperature(),
        is_calibrated(tagger) == false ? " (not calibrated: the fit was stopped, or was to leave it out)" : "");
  text += fmt::format("labels: {} ({})\nattributes: {}\n", tagger.labels.size(), fmt::join(tagger.labels, " "),
                      tagger.attributes.size());
  return text + describe_vocabulary(tagger);
}

Json process_json(const gp::AveragedGps::Member& member) {
  return {{"kernel", member.process.options().kernel.text()},
          {"weight", member.weight},
          {"inducing_points", member.process.inducing_point_count()},
          {"means", word_of(member.process.options().means)},
          {"temperature", member.process.temperature()}};
}

std::string processes_json(const GpTagger& tagger) {
  Json processes = Json::array();
  for (const gp::AveragedGps::Member& member : tagger.processes.members()) processes.push_back(process_json(member));
  const Json json = {{"kind", GpTagger::kKind},
                     {"likelihood", word_of(tagger.likelihood)},
                     {"processes", std::move(processes)},
                     {"calibrated", is_calibrated(tagger)},
                     {"labels", tagger.labels},
                     {"attributes", tagger.attributes.size()},
                     {"training", Json::parse(tagger.training)},
                     {"pixels", has_pixels(tagger.format)},
                     {"template", tagger.feature_template ? Json(tagger.feature_template->text()) : Json()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ngrams_json(const TaggerModel& model) {
  const sequence::CrfWeights& weights = model.weights;
  Json json = {{"kind", "tagger"},
               {"factor_size", weights.factor_size()},
               {"labels", model.labels},
               {"attributes", model.attributes.size()},
               {"attribute_weights", weights.weights().size()},
               {"label_ngrams", weights.ngrams().size()},
               {"fingerprint", fmt::format("{:016x}", model.fingerprint)},
               {"training", Json::parse(model.training)},
               {"restart_rate", model.restart_rate},
               {"pixels", has_pixels(model.format)},
               {"template", nullptr}};
  if (model.feature_template) {
    json["template"] = model.feature_template->text();
    json["observation_columns"] = model.observation_columns;
    json["separator"] = separator_name(model.separator);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string describe_tagger(const Tagger& tagger) {
  return tagger.process() ? describe_processes(*tagger.process()) : describe_ngrams(*tagger.ngrams());
}

std::string tagger_json(const Tagger& tagger) {
  return tagger.process() ? processes_json(*tagger.process()) : ngrams_json(*tagger.ngrams());
}

void write_weights(const TaggerModel& model, std::ostream& out) {
  const sequence::CrfWeights& weights = model.weights;
  for (std::uint32_t a = 0; a < weights.attribute_count(); ++a)
    for (std::uint32_t e = weights.offsets()[a]; e < weights.offsets()[a + 1]; ++e)
      fmt::print(out, "attribute\t{}\t{}\t{}\n", model.attributes.text(a), model.labels[weights.labels()[e]],
                 weights.weights()[e]);
  for (const sequence::LabelNgram& ngram : weights.ngrams()) {
    out << "ngram";
    for (int i = 0; i < ngram.size; ++i) fmt::print(out, "\t{}", model.labels[ngram.labels[i]]);
    fmt::print(out, "\t{}\n", ngram.score);
  }
}

}  // namespace fovea::tagging
