#include "explore/offer_programs.hpp"

#include "explore/parts.hpp"
#include "worker/runtime.hpp"

#include <array>
#include <cstdlib>

namespace takt_explore {

namespace {

// Called from an iteration: whether its loop has been offered in many parts while it ran.
bool is_offered() {
  const auto* const w = takt::core::this_worker();
  if (w == nullptr || takt_hot.head <= w->scheduler.current()->frames.bottom()) return false;
  const takt::abi::slot& s = takt_hot.head[-1];
  return s.run == &takt_loop_mark && (*reinterpret_cast<takt::abi::loop_frame* const*>(s.payload))->halves > 2;
}

}  // namespace

std::uint64_t offers(explorer& on) {
  const short_of_memory scarce(on);
  // Policies that plan places offer nothing.
  if (std::getenv("TAKT_POLICY") != nullptr) on.witness();
  std::array<std::uint64_t, 12> cells{};
  affine all;
  std::uint64_t failed = 0;
  for (unsigned round = 0; round < 3; ++round) {
    cells = {};
    takt::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) {
      work(on);
      if (is_offered()) on.witness();
      cells[i] += mix(i, 3);
    });
    all = takt::parallel_reduce(
        std::uint64_t{0}, std::uint64_t{10}, affine{},
        [&on](std::uint64_t i) {
          work(on, 1);
          return nth(i);
        },
        [](affine a, affine b) { return a * b; });
    std::array<std::uint64_t, 8> seen{};
    failed = error_of([&] {
      takt::parallel_for(0, 8, [&](int i) {
        work(on, 1);
        if (i == 4) {
          takt::task_group waits;
          for (int k = 0; k < 2; ++k) waits.run([&on] { work(on, 1); });
          waits.wait();
        }
        ++seen[static_cast<std::size_t>(i)];
        if (i == 2 || i == 6) throw takt_test::planned_error(40 + i);
      });
    });
    for (const std::uint64_t s : seen) failed += 1000 * (s != 1);
  }
  return mix(mix(in_order(cells), mix(all.factor, all.term)), failed);
}

std::uint64_t serial_offers() { return mix(mix(serial_cells<12>(), serial_reduction(10)), 42); }

}  // namespace takt_explore
