// SPDX-License-Identifier: Apache-2.0
// explore: searches each model once with the same time for all searchers, and prints a JSON line for each trial.
// learn: from such lines, a policy for each family from the models of all other families, and two from its own models,
// those of even place and those of odd place. The name of a model ends in "_" and a number; the rest names the family.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/graph/solve/tune_models.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string family_of(const std::string& model) { return model.substr(0, model.rfind('_')); }

Json trial_json(const graph::SearchTrial& trial) {
  Json json = {{"model", trial.source}, {"best", trial.best}, {"proved", trial.is_proved}};
  for (const graph::SearcherRecord& searcher : trial.searchers) {
    Json rises = Json::array();
    for (const auto& rise : searcher.rises)
      rises.push_back({std::isfinite(rise.from) ? Json(rise.from) : Json(nullptr), rise.to});
    json["searchers"][searcher.name] = {
        {"bounds", searcher.is_for_bounds}, {"seconds", searcher.seconds}, {"rises", rises}};
  }
  return json;
}

graph::SearchTrial trial_of(const Json& json) {
  graph::SearchTrial trial{.best = json.at("best"), .is_proved = json.at("proved"), .source = json.at("model")};
  if (!json.contains("searchers")) return trial;
  for (const auto& [name, from] : json.at("searchers").items()) {
    graph::SearcherRecord& searcher = trial.searchers.emplace_back();
    searcher.name = name;
    searcher.is_for_bounds = from.at("bounds");
    searcher.seconds = from.at("seconds");
    for (const Json& rise : from.at("rises"))
      searcher.rises.push_back(
          {rise[0].is_null() ? -std::numeric_limits<double>::infinity() : rise[0].get<double>(), rise[1]});
  }
  return trial;
}

void explore(double seconds, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) try {
      graph::SearchTrial trial = graph::search_trial(path, seconds, {});
      trial.source = std::filesystem::path(path).stem().string();
      std::cout << trial_json(trial).dump() << std::endl;
    } catch (const LimitError& error) {
      std::cerr << path << ": " << error.what() << '\n';
    }
}

void save_policy(const std::vector<graph::SearchTrial>& trials, const std::string& path) {
  try {
    graph::learn_search_policy(trials).save(path);
  } catch (const UsageError&) {  // no model needed a search
  }
}

void learn(const std::string& path, const std::string& folder) {
  std::vector<graph::SearchTrial> all;
  std::map<std::string, std::vector<graph::SearchTrial>> families;
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    all.push_back(trial_of(Json::parse(line)));
    families[family_of(all.back().source)].push_back(all.back());
  }
  for (const auto& [family, own] : families) {
    std::vector<graph::SearchTrial> others, halves[2];
    for (const graph::SearchTrial& trial : all)
      if (family_of(trial.source) != family) others.push_back(trial);
    for (std::size_t i = 0; i < own.size(); ++i) halves[i % 2].push_back(own[i]);
    save_policy(others, folder + "/without-" + family + ".policy");
    save_policy(halves[0], folder + "/even-" + family + ".policy");
    save_policy(halves[1], folder + "/odd-" + family + ".policy");
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 3 && words[0] == "explore") {
    fovea::bench::explore(std::stod(words[1]), {words.begin() + 2, words.end()});
  } else if (words.size() == 3 && words[0] == "learn") {
    fovea::bench::learn(words[1], words[2]);
  } else {
    std::cerr
        << "usage: search_policy_study explore SECONDS MODEL...\n       search_policy_study learn TRIALS FOLDER\n";
    return 2;
  }
}
