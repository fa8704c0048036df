// Writes traces for the checker: the programs of tests/bounds, benchmarks, and runs in which something is wrong.
#include "proofs/benchmarks.hpp"
#include "proofs/tracer.hpp"

#include "policy/random_stealing.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using namespace takt_trace;

// The model's promotions make two halves of a loop (proofs/README.md).
class two_halves final : public takt::core::random_stealing<takt::core::task_deque> {
 public:
  using random_stealing::random_stealing;
  takt::core::part_offer* offer_for(takt::core::worker&, std::size_t&) noexcept override { return nullptr; }
};

constexpr std::uint64_t k_beats[] = {1, 2, 5, 10, 20, 50, 100};

// In a process of its own: what sites have learned of one program is wrong of the next, and a loop that is taken for
// short hides a beat. @returns whether it was written.
bool trace_alone(const std::string& name, const takt_bounds::node& p, const settings& s) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    trace(std::cout, name, p, s);
    std::cout.flush();
    _exit(std::cout ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

bool random_programs(const std::string& what, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    settings s;
    s.trigger = what == "beat" ? takt::lab::beat : takt::trigger::lazy;
    if (what == "lost") s.wrong = mistake::lost_branch;
    s.beat_us = k_beats[seed % std::size(k_beats)];
    s.workers = seed % 2 == 0 ? 64 : 1 + static_cast<unsigned>(seed % 8);
    if (what == "alone") s.workers = 1;
    const std::string name = "seed-" + std::to_string(seed);
    const takt_bounds::node program = takt_bounds::make_program(seed, 500);
    if (!trace_alone(name, program, s)) return false;
  }
  return true;
}

void benchmarks() {
  for (const benchmark& b : all_benchmarks()) {
    for (const unsigned workers : {1u, 4u, 64u}) {
      for (const std::uint64_t beat : {1u, 5u, 30u}) {
        settings s;
        s.workers = workers;
        s.beat_us = beat;
        trace(std::cout, b.name + '-' + std::to_string(workers) + '-' + std::to_string(beat), b.program, s);
      }
    }
  }
}

int wrong(const std::string& what) {
  settings s;
  s.workers = 64;
  s.beat_us = 2;
  if (what == "early") {
    s.wrong = mistake::early;
  } else if (what == "all") {
    s.wrong = mistake::all;
    s.trigger = takt::trigger::lazy;
    s.beat_us = 100;
  } else if (what == "lost-branch") {
    s.wrong = mistake::lost_branch;
  } else if (what == "wrong-order") {
    s.wrong = mistake::wrong_order;
  } else if (what != "newest") {
    return 2;
  }
  trace(std::cout, what, takt_bounds::make_program(6, 500), s);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  takt::core::replace_policy([](takt::core::runtime& r) -> std::unique_ptr<takt::core::policy> {
    return std::make_unique<two_halves>(r);
  });
  const std::string what = argc > 1 ? argv[1] : "";
  if ((what == "beat" || what == "lazy" || what == "alone" || what == "lost") && argc == 4) {
    if (!random_programs(what, std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10))) {
      std::cerr << "write_traces: a trace was not written\n";
      return 1;
    }
  } else if (what == "benchmarks") {
    benchmarks();
  } else if (what != "wrong" || argc != 3 || wrong(argv[2]) != 0) {
    std::cerr << "usage: write_traces beat|lazy|alone|lost FIRST LAST | benchmarks | "
                 "wrong early|all|lost-branch|wrong-order|newest\n";
    return 2;
  }
  return 0;
}
