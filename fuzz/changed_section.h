// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/base/container.h"

namespace fovea::fuzz {

/// A good container file, and copies of it in which one section holds other bytes, with the checksums to match.
class ChangedSection {
 public:
  /// write(path) makes the good file, of this kind and version.
  template <class Write>
  ChangedSection(std::string_view kind, std::uint32_t version, const Write& write)
      : folder_(scratch_folder()), kind_(kind), version_(version) {
    const std::string path = folder_ / "good";
    write(path);
    good_ = Container::open(path, kind, version);
  }
  ~ChangedSection() { std::filesystem::remove_all(folder_); }
  ChangedSection(const ChangedSection&) = delete;
  ChangedSection& operator=(const ChangedSection&) = delete;

  /// Path of the changed file.
  std::string with(std::size_t number, std::string_view bytes) const {
    const auto names = good_->section_names();
    ContainerWriter writer(kind_, version_);
    for (std::size_t i = 0; i < names.size(); ++i)
      writer.add(names[i], i == number % names.size() ? bytes : good_->bytes(names[i]));
    const std::string path = folder_ / "changed";
    writer.write(path);
    return path;
  }

 private:
  /// In memory where the system has such a folder: every input is written and read once.
  static std::filesystem::path scratch_folder() {
    const std::filesystem::path memory = "/dev/shm";
    const auto parent = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    const auto folder = parent / ("fovea_fuzz." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    return folder;
  }

  std::filesystem::path folder_;
  std::string kind_;
  std::uint32_t version_;
  std::optional<Container> good_;
};

}  // namespace fovea::fuzz
