// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <streambuf>
#include <string>

namespace fovea::cli {

/// A buffered writer to a file descriptor that says why it fails, instead of setting a flag that nobody reads: throws
/// OutputClosed when the reader is gone and InputError (with `name` and the system's reason) otherwise. Give the
/// ostream above it exceptions(std::ios::badbit), which lets these through.
class DescriptorBuffer : public std::streambuf {
 public:
  DescriptorBuffer(int descriptor, std::string name);

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  void write_out();

  int descriptor_;
  std::string name_;
  std::array<char, 1 << 16> buffer_;
};

/// Makes sure that descriptors 0 to 2 exist, so that no file of ours can be opened in the place of a closed standard
/// stream: reading from a closed one gives the end of file, writing to it fails.
void reserve_standard_descriptors();

}  // namespace fovea::cli
