// rested_3 to rested_90: a loop of so many microseconds, whose last one was 5 ms ago. A run is many calls with such a
// rest before each, and its time the median of theirs: what it takes over the plain loop is what it costs to begin with
// threads that sleep and caches that others have used.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/problem.hpp"

namespace takt::bench {

struct rested_problem {
  static constexpr std::chrono::milliseconds k_rest{5};

  static constexpr problem_info info_of(std::string_view name, std::string_view about) {
    return {.name = name,
            .about = about,
            .form = kind::loops,
            .size_unit = "calls",
            .size_default = 100,
            .size_min = 1,
            .size_max = 1'000'000,
            .per_call = true,
            .group = "rested"};
  }
  struct input {
    std::int64_t calls;
    std::size_t iterations;
  };
  struct answer {
    std::vector<std::uint64_t> last{};
    std::vector<double> seconds{};
  };

  // A chain of dependent multiplications: a tenth of a microsecond or so.
  static std::uint64_t iteration(std::size_t i) {
    std::uint64_t x = i;
    for (int step = 0; step < 150; ++step) {
      x = x * 6364136223846793005U + 1442695040888963407U;
      asm volatile("" : "+r"(x));
    }
    return x;
  }

  // Calls `loop` as often as asked.
  template <class Loop>
  static void call(const input& in, answer& out, Loop loop) {
    using clock = std::chrono::steady_clock;
    for (std::int64_t i = 0; i < in.calls; ++i) {
      std::this_thread::sleep_for(k_rest);
      const auto start = clock::now();
      loop(in.iterations, out.last.data());
      out.seconds.push_back(std::chrono::duration<double>(clock::now() - start).count());
    }
  }

  static void reset(const input& in, answer& out) {
    out.last.assign(in.iterations, 0);
    out.seconds.clear();
    out.seconds.reserve(static_cast<std::size_t>(in.calls));
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.last == expected.last;
  }
  static double seconds(const input& /*in*/, const answer& out, double /*elapsed*/) {
    std::vector<double> sorted = out.seconds;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

template <std::size_t Microseconds>
struct rested_for : rested_problem {
  static constexpr std::string_view name_of() {
    switch (Microseconds) {
      case 3: return "rested_3";
      case 9: return "rested_9";
      case 30: return "rested_30";
      default: return "rested_90";
    }
  }
  static constexpr problem_info info = info_of(name_of(), "a loop of so many microseconds after 5 ms, per call");
  static input make(const request& wanted) { return {size_of(wanted, info), 10 * Microseconds}; }
};

// Enrols `Loop`, of so many iterations, for each length.
template <auto Loop>
class enrol_rested {
 public:
  explicit enrol_rested(std::string_view system)
      : of_3_(system, run), of_9_(system, run), of_30_(system, run), of_90_(system, run) {}

 private:
  static void run(const rested_problem::input& in, rested_problem::answer& out) {
    rested_problem::call(in, out, Loop);
  }

  enrol<rested_for<3>> of_3_;
  enrol<rested_for<9>> of_9_;
  enrol<rested_for<30>> of_30_;
  enrol<rested_for<90>> of_90_;
};

}  // namespace takt::bench
