// SPDX-License-Identifier: Apache-2.0
// A table lists some people twice, with typing errors: which rows are the same person? No labels are needed.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "fovea/linkage.h"

int main() {
  namespace linkage = fovea::linkage;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "fovea_example_13";
  std::filesystem::create_directories(folder);
  const std::string people = folder / "people.csv", clusters = folder / "clusters.csv";
  std::ofstream(people) << "id,given,surname,born,city\n"
                           "1,Anna,Meyer,1980-02-11,Bonn\n"
                           "2,Ana,Meyer,1980-02-11,Bonn\n"
                           "3,Bernd,Schulz,1975-07-30,Ulm\n"
                           "4,Bernt,Schulz,1975-07-30,Ulm\n"
                           "5,Carla,Vogel,1991-12-01,Kiel\n"
                           "6,Anna,Meier,1980-02-11,\n"
                           "7,Dora,Vogel,1962-05-09,Kiel\n";

  linkage::DedupeJob job = {.file = people};
  job.options.output = clusters;
  job.matching.matching.compare = "given:jaro_winkler, surname:jaro_winkler, born:date, city";
  job.matching.matching.block = "surname, born";
  linkage::dedupe(job, {});

  std::stringstream table;
  table << std::ifstream(clusters).rdbuf();
  std::printf("%s", table.str().c_str());
  std::filesystem::remove_all(folder);
  return table.str().find("6,Anna,Meier,1980-02-11,,1\n") != std::string::npos ? 0 : 1;
}
