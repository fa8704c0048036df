// Loops that are known to be worth it, in virtual time under adws: who divides one goes on with none of its iterations
// before all have a part. So a loop's own part may be empty, and what comes of the loop is the same as ever.
#include <takt/algorithms.hpp>
#include <takt/lab.hpp>
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t k_ms = 1'000'000;
constexpr unsigned k_seats = 16;
constexpr int k_iterations = 160;

// Asked anew each time: a compiler may keep what it knows of its thread across a join.
[[gnu::noinline]] const void* worker_here() {
  __asm__ volatile("" ::: "memory");
  return takt_hot.worker;
}

class loop_start : public testing::TestWithParam<takt::policy> {
 protected:
  /// What an iteration does: it takes longer than all that is done at a loop's start.
  void work() {
    first_.try_emplace(worker_here(), run_.on.time());
    run_.on.spend(k_ms);
  }
  /// Runs `loop` until what it takes is known, and then some more. @returns what the last one gave.
  template <class Loop>
  auto run(Loop loop) {
    for (int round = 0; round < 3; ++round) (void)loop();
    for (int round = 0; round < 3; ++round) expect_all_begin(loop);
    return loop();
  }
  /// Each seat begins before any iteration can be over, and before others lose their patience and take its part.
  template <class Loop>
  void expect_all_begin(Loop loop) {
    first_.clear();
    const std::uint64_t begun = run_.on.time();
    (void)loop();
    EXPECT_EQ(first_.size(), k_seats);
    for (const auto& [worker, at] : first_) EXPECT_LT(at - begun, 12'000u);
  }
  static std::uint64_t total(const char* name) { return takt_test::in_virtual_time::total(name); }

  static takt::config with_policy() {
    takt::config c;
    c.policy = GetParam();
    return c;
  }

  takt_test::in_virtual_time run_{k_seats, with_policy()};
  std::map<const void*, std::uint64_t> first_;  ///< when each worker began
};

INSTANTIATE_TEST_SUITE_P(policies, loop_start, testing::Values(takt::policy::adws, takt::policy::ml_adws),
                         [](const auto& made) { return made.param == takt::policy::adws ? "adws" : "ml_adws"; });

TEST_P(loop_start, all_seats_begin_before_an_iteration_is_over) {
  std::array<std::atomic<int>, k_iterations> times{};
  int rounds = 0;
  run([&] {
    ++rounds;
    takt::parallel_for(0, k_iterations, [&](int i) {
      ++times[static_cast<std::size_t>(i)];
      work();
    });
    return 0;
  });
  for (const auto& t : times) EXPECT_EQ(t, rounds);
}

TEST_P(loop_start, loops_that_nest_begin_so_too) {
  run([&] {
    takt::parallel_for(0, k_iterations, [&](int) {
      takt::fork_join([] {}, [] {});
      work();
    });
    return 0;
  });
}

TEST_P(loop_start, each_part_is_handed_over_once) {
  const auto loop = [&] {
    takt::parallel_for(0, k_iterations, [&](int) { work(); });
    return 0;
  };
  run(loop);
  const std::uint64_t before = total("tasks_handed");
  constexpr std::uint64_t calls = 4;
  for (std::uint64_t call = 0; call < calls; ++call) expect_all_begin(loop);
  EXPECT_EQ(total("tasks_handed") - before, calls * (k_seats - 1));
}

// What is given away counts whole: without its first iteration this loop would be worth less than a quarter of a beat.
TEST(loops_that_begin, a_loop_of_two_iterations_is_worth_both) {
  takt::config c;
  c.policy = takt::policy::adws;
  c.beat = std::chrono::microseconds(30);
  takt_test::in_virtual_time machine(2, c);
  std::uint64_t took = 0;
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t begun = machine.on.time();
    takt::parallel_for(0, 2, [&](int) { machine.on.spend(5'000); });
    took = machine.on.time() - begun;
  }
  EXPECT_LT(took, 9'000u);
}

// Where who promotes keeps, and others choose at random.
class loops_for_who_looks : public testing::TestWithParam<takt::policy> {};

INSTANTIATE_TEST_SUITE_P(policies, loops_for_who_looks, testing::Values(takt::policy::random, takt::lab::ml_random),
                         [](const auto& made) { return made.param == takt::policy::random ? "random" : "ml_random"; });

TEST_P(loops_for_who_looks, begin_there_without_a_beat) {
  takt::config c;
  c.policy = GetParam();
  c.beat = std::chrono::microseconds(30);
  takt_test::in_virtual_time machine(2, c);
  constexpr int k_rounds = 20;
  std::uint64_t begun = 0;
  for (int round = 0; round < 2 * k_rounds; ++round) {
    if (round == k_rounds) begun = machine.on.time();
    takt::parallel_for(0, 4, [&](int) { machine.on.spend(4'000); });
  }
  // One worker takes 16 us for each.
  EXPECT_LT(machine.on.time() - begun, k_rounds * 11'000u);
}

// Associative, not commutative; and of no use as a neutral element.
struct words {
  std::string text;
};
words operator+(const words& a, const words& b) { return {a.text + b.text}; }
words nth(std::uint64_t i) { return {std::to_string(i) + ' '}; }
std::string serial_words() {
  std::string all;
  for (std::uint64_t i = 0; i < k_iterations; ++i) all += nth(i).text;
  return all;
}
std::vector<std::uint64_t> numbers() {
  std::vector<std::uint64_t> all(k_iterations);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

TEST_P(loop_start, parallel_reduce) {
  const words sum = run([&] {
    return takt::parallel_reduce(
        0, k_iterations, words{},
        [&](int i) {
          work();
          return nth(static_cast<std::uint64_t>(i));
        },
        std::plus<>{});
  });
  EXPECT_EQ(sum.text, serial_words());
}

TEST_P(loop_start, sums_without_a_neutral_element) {
  const auto all = numbers();
  const words sum = run([&] {
    return takt::transform_reduce(all, words{"all: "}, std::plus<>{}, [&](std::uint64_t i) {
      work();
      return nth(i);
    });
  });
  EXPECT_EQ(sum.text, "all: " + serial_words());
}

TEST_P(loop_start, scans) {
  const auto all = numbers();
  std::vector<std::string> out(all.size());
  run([&] {
    takt::inclusive_scan(
        all, out.begin(), [](const auto& a, const auto& b) { return a + b; },
        [&](std::uint64_t i) {
          work();
          return nth(i).text;
        });
    return 0;
  });
  EXPECT_EQ(out.back(), serial_words());
  EXPECT_EQ(out.front(), nth(0).text);
}

TEST_P(loop_start, what_is_selected_stays_in_order) {
  const auto all = numbers();
  const std::vector<std::uint64_t> even = run([&] {
    std::vector<std::uint64_t> to(all.size());
    const auto end = takt::copy_if(all, to.begin(), [&](std::uint64_t i) {
      work();
      return i % 2 == 0;
    });
    to.erase(end, to.end());
    return to;
  });
  ASSERT_EQ(even.size(), k_iterations / 2);
  for (std::size_t i = 0; i < even.size(); ++i) EXPECT_EQ(even[i], 2 * i);
}

TEST_P(loop_start, extrema_and_counters) {
  const auto all = numbers();
  const auto first = run([&] {
    return *takt::min_element(all, std::ranges::less{}, [&](std::uint64_t i) {
      work();
      return (i + 100) % k_iterations;
    });
  });
  EXPECT_EQ(first, k_iterations - 100u);
  const auto counters = run([&] {
    return takt::histogram(all, 3, [&](std::uint64_t i) {
      work();
      return i % 3;
    });
  });
  EXPECT_EQ(counters, (std::vector<std::size_t>{54, 53, 53}));
}

TEST_P(loop_start, the_first_error_in_order_is_thrown) {
  for (const int first : {0, 1, 40, k_iterations - 1}) {
    int rounds = 0;
    std::atomic<int> ran{0};
    run([&] {
      ++rounds;
      try {
        takt::parallel_for(0, k_iterations, [&](int i) {
          ++ran;
          work();
          if (i == first || i > 100) throw std::out_of_range(std::to_string(i));
        });
        ADD_FAILURE() << "nothing thrown";
      } catch (const std::out_of_range& e) {
        EXPECT_EQ(e.what(), std::to_string(std::min(first, 101)));
      }
      return 0;
    });
    EXPECT_EQ(ran, rounds * k_iterations);
  }
}

// What cannot be made without the part before it, or whose first element throws.
TEST_P(loop_start, errors_of_sums) {
  const auto all = numbers();
  for (const std::uint64_t first : {0u, 1u, 40u}) {
    bool throws = false;
    const auto sum = [&] {
      return takt::transform_reduce(all, words{}, std::plus<>{}, [&](std::uint64_t i) {
        work();
        if (throws && (i == first || i > 100)) throw std::out_of_range(std::to_string(i));
        return nth(i);
      });
    };
    run(sum);
    throws = true;
    try {
      (void)sum();
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::out_of_range& e) {
      EXPECT_EQ(e.what(), std::to_string(first));
    }
  }
}

// All the work is in the last iteration, so one part would be the whole loop.
TEST_P(loop_start, what_cannot_be_cut_in_two_keeps_its_first_iteration) {
  for (int round = 0; round < 6; ++round) {
    const void* divided_by = nullptr;
    const auto work_of = [&](std::int64_t, std::int64_t end) {
      if (divided_by == nullptr) divided_by = worker_here();
      return end == k_iterations ? 1.0 : 0.0;
    };
    std::array<const void*, k_iterations> by{};
    takt::parallel_for(
        0, k_iterations,
        [&](int i) {
          by[static_cast<std::size_t>(i)] = worker_here();
          work();
        },
        takt::hints{.work = takt::work_of(work_of)});
    if (round < 3) continue;
    EXPECT_NE(divided_by, nullptr);
    EXPECT_EQ(by[0], divided_by);
    // Given away whole, it would have been taken back at once.
    EXPECT_NE(by[1], divided_by);
  }
}

// As the plugin writes it, with a sum and chunks.
struct converted_loop {
  std::function<void()> work;
  std::int64_t chunk;
  std::uint64_t sum = 0;
  std::array<std::atomic<int>, k_iterations> times{};
  std::array<const void*, k_iterations> by{};
  std::atomic<int> last{0};

  static void slice(void* self, takt::abi::omp_frame* frame) { static_cast<converted_loop*>(self)->run(frame); }
  void run(takt::abi::omp_frame* frame) {
    std::uint64_t mine = 0;
    std::array<std::uint64_t, 2> cells{};
    takt_omp_chunks(frame, chunk);
    takt_omp_begin(frame, cells.data());
    for (auto c = takt_loop_next(&frame->cursor); c.begin < c.end; c = takt_loop_next(&frame->cursor)) {
      for (std::uint64_t i = c.begin; i < c.end; ++i) {
        ++times[i];
        by[i] = worker_here();
        mine += i * i;
        work();
      }
    }
    last += static_cast<int>(takt_omp_end(frame));
    void* pointer = &mine;
    const auto combine = [](void* to, void* from) {
      **static_cast<std::uint64_t**>(to) += **static_cast<std::uint64_t**>(from);
    };
    if (takt_omp_reduce(frame, &pointer, combine) != 0) sum += mine;
  }
};

TEST_P(loop_start, converted_loops) {
  for (const std::int64_t chunk : {0, 4}) {
    static std::array<takt::abi::site, 2> sites;
    sites = {};
    const takt::abi::omp_partial part{0, sizeof(std::uint64_t)};
    const takt::abi::omp_loop what{
        &converted_loop::slice, &sites[chunk == 0 ? 0 : 1], &part, 1, sizeof(std::uint64_t), 0};
    converted_loop loop{[this] { work(); }, chunk};
    int rounds = 0;
    run([&] {
      ++rounds;
      takt_omp_run(&what, &loop, k_iterations, takt_omp_ask(&what, k_iterations, 0));
      return 0;
    });
    constexpr std::uint64_t n = k_iterations;
    EXPECT_EQ(loop.sum, static_cast<std::uint64_t>(rounds) * ((n - 1) * n * (2 * n - 1) / 6));
    EXPECT_EQ(loop.last, rounds);
    for (const auto& t : loop.times) EXPECT_EQ(t, rounds);
    if (chunk == 0) continue;
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(loop.by[i], loop.by[i - i % 4]);
  }
}

}  // namespace
