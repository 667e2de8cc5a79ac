// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <chrono>
#include <cmath>
#include <iostream>

namespace fovea::bench {

/// True if a program was given as many arguments as its `usage`, which begins with its name, asks for; else says so.
inline bool has_arguments(int argc, int wanted, const char* usage) {
  if (argc == wanted + 1) return true;
  std::cerr << "usage: " << usage << '\n';
  return false;
}

/// Of this thread.
inline double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Units a second of body(), which does so many units of work.
template <class Body>
double rate(double units, const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return units / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// How far the mean of what draw() returns lies from `expected`, in standard errors by batch means of 20 batches of 200
/// draws: t-distributed with 19 degrees of freedom if it is right and batches are long.
template <class Draw>
double deviation_in_standard_errors(double expected, const Draw& draw) {
  constexpr int kBatches = 20, kDraws = 200;
  double sum = 0, squares = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    double mean = 0;
    for (int i = 0; i < kDraws; ++i) mean += draw() / kDraws;
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / kBatches, variance = (squares / kBatches - mean * mean) / (kBatches - 1);
  return std::abs(mean - expected) / std::sqrt(variance);
}

}  // namespace fovea::bench
