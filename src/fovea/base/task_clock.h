// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace fovea {

/// Predicts what a job that one thread runs would take on more cores: it measures the tasks that threads would share,
/// and hands them out, in their order, to as many cores, each of which takes the next one when it is free. It knows
/// nothing of memory and caches that cores share, nor of what handing out costs. Tasks within tasks are not looked at.
class TaskClock {
 public:
  static constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
  /// Numbers of cores; the last stands for the longest chain of tasks, which any number of cores has to wait for.
  static constexpr std::array<std::size_t, 4> kCores = {2, 16, 64, kAnyNumber};
  using Seconds = std::array<double, kCores.size()>;

  /// The clock of the process, which measures if it is not null. Set it before any thread is started (Activation).
  static inline TaskClock* active = nullptr;

  /// Makes a clock the active one as long as it lives, also where an error ends the job.
  class Activation {
   public:
    explicit Activation(TaskClock* clock) { active = clock; }
    ~Activation() { active = nullptr; }
    Activation(const Activation&) = delete;
    Activation& operator=(const Activation&) = delete;
  };

  /// Wall time that each number of cores would save.
  const Seconds& saved() const { return saved_; }

  /// Calls task(i) for i = 0 .. count - 1, as tasks that threads would share.
  template <class Task>
  void run(std::size_t count, const Task& task) {
    if (depth_ > 0 || count <= 1) {
      for (std::size_t i = 0; i < count; ++i) task(i);
      return;
    }
    const Inside inside(*this);
    std::vector<double> seconds(count);
    for (std::size_t i = 0; i < count; ++i) seconds[i] = time([&] { task(i); });
    for (std::size_t k = 0; k < kCores.size(); ++k) saved_[k] += sum(seconds) - makespan(seconds, kCores[k]);
  }

  /// One block of a pipeline (run_pipeline): what its steps took.
  struct Block {
    double read = 0, work = 0, finish = 0;
  };
  template <class Step>
  double time(const Step& step) {
    const Inside inside(*this);
    const auto start = std::chrono::steady_clock::now();
    step();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  /// The blocks of a pipeline that has run, if it was not within a task.
  void add(const std::vector<Block>& blocks) {
    if (depth_ > 0 || blocks.empty()) return;
    double read = 0, finish = 0, all = 0;
    for (const Block& block : blocks) {
      read += block.read;
      finish += block.finish;
      all += block.read + block.work + block.finish;
    }
    const double ends = blocks.front().read + blocks.front().work + blocks.back().finish;  // one block in flight
    for (std::size_t k = 0; k < kCores.size(); ++k)
      saved_[k] += all - std::min(all, std::max({read, finish, all / static_cast<double>(kCores[k])}) + ends);
  }

 private:
  struct Inside {
    explicit Inside(TaskClock& clock) : clock_(clock) { ++clock_.depth_; }
    ~Inside() { --clock_.depth_; }
    TaskClock& clock_;
  };

  static double sum(const std::vector<double>& seconds) {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum;
  }

  static double makespan(const std::vector<double>& seconds, std::size_t cores) {
    if (cores >= seconds.size()) return *std::ranges::max_element(seconds);
    std::vector<double> free_at(cores, 0);  // a heap, the first to be free on top
    for (const double s : seconds) {
      std::ranges::pop_heap(free_at, std::greater());
      free_at.back() += s;
      std::ranges::push_heap(free_at, std::greater());
    }
    return *std::ranges::max_element(free_at);
  }

  int depth_ = 0;
  Seconds saved_{};
};

}  // namespace fovea
