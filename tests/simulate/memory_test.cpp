// How much memory programs report at their peak, on machines where time is made up, so that each run is the same.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "simulate/locked_pool.hpp"
#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t k_block = 40'000'000;
constexpr std::uint64_t k_small = 64 << 10;

class memory : public takt_test::simulated {
 protected:
  using json = takt_test::json;
  using settings = std::map<std::string, std::string>;

  template <class Program>
  json run(const settings& with, unsigned workers, Program program) {
    for (const char* name :
         {"TAKT_MEMORY", "TAKT_HYBRID", "TAKT_POLICY", "TAKT_MEMORY_K", "TAKT_MEMORY_NEED", "TAKT_TRIGGER"}) {
      const auto found = with.find(name);
      found != with.end() ? ::setenv(name, found->second.c_str(), 1) : ::unsetenv(name);
    }
    ::setenv("TAKT_BEAT_US", "30", 1);
    return simulated::run("deterministic=1,workers=" + std::to_string(workers), program);
  }
};

double peak(const nlohmann::json& report) {
  return report.at("stats").at("total").at("memory_peak_bytes").get<double>() / k_block;
}
double seconds(const nlohmann::json& report) { return report.at("seconds_in_calls").get<double>(); }
std::uint64_t count(const nlohmann::json& report, const char* which) {
  return report.at("stats").at("total").at(which).get<std::uint64_t>();
}

// The paper's example, with 12 tasks of 23 ms each.
bool example() {
  takt::parallel_for(0, 12, [](int) {
    const takt::memory_scope block(k_block);
    (void)takt_test::fib(32);
  });
  return true;
}

// Of half a millisecond each: with shorter ones it is chance who holds a block at once.
bool middle_example() {
  takt::parallel_for(0, 12, [](int) {
    const takt::memory_scope block(k_block);
    (void)takt_test::fib(22);
  });
  return true;
}

bool small_example() {
  takt::parallel_for(0, 12, [](int) {
    const takt::memory_scope block(k_block);
    (void)takt_test::fib(20);
  });
  return true;
}

const std::map<std::string, std::string> k_hybrid{{"TAKT_HYBRID", "1024:0"}};

TEST_F(memory, hybrid_needs_less_than_one_block_for_each_worker) {
  const json serial = run({}, 1, example);
  EXPECT_EQ(peak(serial), 1.0);
  const json none = run({}, 8, example);
  EXPECT_GE(peak(none), 6.0);
  const json hybrid = run(k_hybrid, 8, example);
  EXPECT_LE(peak(hybrid), 2.0);
  EXPECT_LT(seconds(hybrid), 1.15 * seconds(none));
  EXPECT_GE(count(hybrid, "memory_sleeps"), 8u);
  EXPECT_GT(count(hybrid, "memory_rounds"), count(hybrid, "memory_sleeps"));
  EXPECT_EQ(count(hybrid, "memory_now_bytes"), 0u);
  // One worker is alone.
  EXPECT_EQ(count(run(k_hybrid, 1, example), "memory_sleeps"), 0u);
}

// Whichever becomes a task. K is small beside a block: the bound, S1 + O(P K D), is then that of the serial program.
TEST_F(memory, asyncdf_needs_no_more_than_the_serial_program) {
  for (const char* trigger : {"lazy", "eager"}) {
    const auto blocks = [this, trigger](const char* policy, unsigned workers) {
      return run({{"TAKT_POLICY", policy}, {"TAKT_MEMORY_K", "1024"}, {"TAKT_TRIGGER", trigger}}, workers,
                 middle_example);
    };
    EXPECT_EQ(peak(blocks("random", 1)), 1.0);
    const json none = blocks("random", 8);
    EXPECT_GE(peak(none), 7.0) << trigger;
    const json asyncdf = blocks("asyncdf", 8);
    EXPECT_EQ(peak(asyncdf), 1.0) << trigger;
    EXPECT_GE(count(asyncdf, "memory_sleeps"), 4u);
    EXPECT_EQ(count(asyncdf, "memory_now_bytes"), 0u);
    EXPECT_EQ(count(blocks("asyncdf", 1), "memory_sleeps"), 0u);
  }
}

bool containers_of_a_locked_pool() {
  takt::memory_resource reporting;
  takt_test::locked_pool pool(reporting);
  takt::parallel_for(0, 64, [&](int) {
    std::pmr::vector<char> v(&pool);
    for (int k = 0; k < 12; ++k) {
      v.resize(v.size() + 40'000);
      (void)takt_test::fib(14);
    }
  });
  return !pool.was_wanted_twice();
}

// Whatever the settings say: who calls it may hold a lock.
TEST_F(memory, of_a_resource_lets_nobody_else_run) {
  settings budget{{"TAKT_MEMORY", "1M"}};
  settings hybrid = k_hybrid;
  settings asyncdf{{"TAKT_POLICY", "asyncdf"}};
  for (const settings& with : {settings{}, budget, hybrid, asyncdf}) {
    const json report = run(with, 8, containers_of_a_locked_pool);
    EXPECT_GT(count(report, "memory_peak_bytes"), std::uint64_t{1} << 20);
    EXPECT_EQ(count(report, "memory_sleeps"), 0u);
    EXPECT_EQ(count(report, "memory_waits"), 0u);
    EXPECT_EQ(count(report, "memory_now_bytes"), 0u);
  }
}

TEST_F(memory, is_written_down_over_time) {
  const json report = run({}, 4, small_example);
  double most = 0;
  double before = 0;
  for (const auto& at : report.at("reported")) {
    EXPECT_GE(at.at(0).get<double>(), before);
    before = at.at(0).get<double>();
    most = std::max(most, at.at(1).get<double>());
  }
  EXPECT_EQ(most / k_block, peak(report));
  EXPECT_EQ(report.at("reported").size(), 24u) << "12 are taken and given back";
  EXPECT_EQ(report.at("reported").back().at(1).get<double>(), 0.0);
  EXPECT_LE(before, report.at("seconds").get<double>());
}

// What one worker gives back later is still held when another one takes.
TEST_F(memory, of_places_is_in_the_order_of_made_up_time) {
  const json report = run({}, 8, small_example);
  const json& places = report.at("stats").at("memory_places");
  ASSERT_EQ(places.size(), 1u);
  EXPECT_GE(peak(report), 4.0);
  EXPECT_EQ(places.at(0).at("at_peak_bytes").get<double>() / k_block, peak(report));
}

TEST_F(memory, with_fewer_bytes_a_round_less_is_needed) {
  const auto with_alpha = [this](const char* bytes) {
    return peak(run({{"TAKT_HYBRID", std::string(bytes) + ":0"}}, 16, example));
  };
  const double few = with_alpha("200");
  const double many = with_alpha("1M");
  EXPECT_LT(few, 0.6 * many);
}

TEST_F(memory, a_budget_is_kept) {
  for (const unsigned workers : {2u, 8u, 16u}) {
    const json report = run({{"TAKT_MEMORY", "92M"}}, workers, example);
    EXPECT_LE(peak(report), 2.0) << workers;
    EXPECT_EQ(count(report, "memory_now_bytes"), 0u);
  }
  const json tight = run({{"TAKT_MEMORY", "1"}}, 8, example);
  EXPECT_EQ(peak(tight), 1.0) << "nobody but the leftmost";
}

// A buffer at each level, as a merge sort has it: half of it for each half.
void sort(std::uint64_t bytes) {
  const takt::memory_scope buffer(bytes);
  if (bytes < k_block / 16) return (void)takt_test::fib(20);
  takt::fork_join([=] { sort(bytes / 2); }, [=] { sort(bytes / 2); });
  (void)takt_test::fib(24);
}

TEST_F(memory, a_recursion_whose_serial_run_fits_ends_within_the_budget) {
  const auto program = [] {
    sort(k_block);
    return true;
  };
  const double serial = peak(run({}, 1, program));
  EXPECT_LT(serial, 2.0);
  EXPECT_GT(peak(run({}, 16, program)), 1.5 * serial);
  const auto budget = static_cast<std::uint64_t>(1.1 * serial * k_block);
  for (const unsigned workers : {2u, 8u, 64u}) {
    EXPECT_LE(peak(run({{"TAKT_MEMORY", std::to_string(budget)}}, workers, program)), 1.1 * serial) << workers;
  }
}

// Blocks that are decoded and smoothed: the first is taken long before the second.
bool pipeline() {
  takt::parallel_for(0, 8, [](int) {
    const takt::memory_scope decoded(k_block / 4);
    (void)takt_test::fib(26);
    const takt::memory_scope smoothed(k_block / 4);
    (void)takt_test::fib(26);
  });
  return true;
}

// Seven products, each with sums that are given back and a result that is kept, as Strassen's multiplication has them.
void multiply(std::uint64_t bytes) {
  if (bytes < k_block / 100) return (void)takt_test::fib(20);
  const std::unique_ptr<std::optional<takt::memory_scope>[]> results(new std::optional<takt::memory_scope>[7]);
  takt::parallel_for(0, 7, [&, bytes](int product) {
    const takt::memory_scope left(bytes);
    const takt::memory_scope right(bytes);
    results[static_cast<std::size_t>(product)].emplace(bytes);
    multiply(bytes / 4);
  });
}

TEST_F(memory, what_the_serial_program_needs_late_is_kept_free) {
  const auto products = [] {
    multiply(k_block / 4);
    return true;
  };
  const auto check = [this](const char* name, auto program) {
    const double serial = peak(run({}, 1, program));
    EXPECT_GT(peak(run({}, 8, program)), 1.25 * serial) << name;
    const auto budget = static_cast<std::uint64_t>(1.1 * serial * k_block);
    for (const unsigned workers : {2u, 8u, 64u}) {
      const json report = run({{"TAKT_MEMORY", std::to_string(budget)}}, workers, program);
      EXPECT_LE(peak(report), 1.1 * serial) << name << ", " << workers;
      EXPECT_EQ(count(report, "memory_now_bytes"), 0u);
    }
  };
  check("pipeline", pipeline);
  check("products", products);
}

// As std::vector grows: the new block is there before the old one goes.
class growing {
 public:
  void to(std::uint64_t n) {
    while (room_ < n) {
      room_ = room_ == 0 ? 16384 : 2 * room_;
      held_ = std::make_unique<takt::memory_scope>(4 * room_);
    }
  }

 private:
  std::uint64_t room_ = 0;
  std::unique_ptr<takt::memory_scope> held_;
};

// A decision tree: on each level samples are sorted by each feature, which is given back, and then divided, which takes
// more, and is kept.
void divide(std::uint64_t samples, int levels, unsigned number) {
  if (levels == 0) return;
  takt::parallel_for(0, 10, [samples](int) {
    const takt::memory_scope sorted(4 * samples);
    unsigned work = 16;
    for (std::uint64_t n = samples; n > 30'000; n = n * 10 / 16) ++work;
    (void)takt_test::fib(work);
  });
  constexpr std::uint64_t k_percent[] = {56, 50, 70, 40, 63, 45, 58};
  const std::uint64_t to_the_left = samples * k_percent[number == 1 ? 0 : number % 7] / 100;
  growing left;
  growing right;
  for (std::uint64_t part = 1; part <= 64; ++part) {
    left.to(to_the_left * part / 64);
    right.to((samples - to_the_left) * part / 64);
  }
  takt::fork_join([=] { divide(to_the_left, levels - 1, 2 * number); },
                  [=] { divide(samples - to_the_left, levels - 1, 2 * number + 1); });
}

bool small_tree() {
  takt::fork_join([] { divide(581'012, 4, 1); }, [] {});
  return true;
}

TEST_F(memory, what_has_followed_what_is_repeated_is_kept_free) {
  const json serial = run({}, 1, small_tree);
  const auto budget = static_cast<std::uint64_t>(1.1 * peak(serial) * k_block);
  for (const unsigned workers : {2u, 8u}) {
    const json within = run({{"TAKT_MEMORY", std::to_string(budget)}}, workers, small_tree);
    EXPECT_LE(peak(within), 1.1 * peak(serial)) << workers;
    EXPECT_LT(seconds(within), 0.85 * seconds(serial)) << workers;
  }
}

// That of one call says nothing of the next one.
TEST_F(memory, what_has_followed_is_of_one_call) {
  const auto program = [] {
    takt::fork_join(
        [] {
          for (const unsigned part : {16, 16, 16, 1}) const takt::memory_scope block(k_block / part);
        },
        [] {});
    takt::fork_join(
        [] {
          const takt::memory_scope whole(2 * k_block);
          takt::parallel_for(0, 48, [](int) {
            const takt::memory_scope block(k_block);
            (void)takt_test::fib(25);
          });
        },
        [] {});
    return true;
  };
  EXPECT_GE(peak(run({{"TAKT_MEMORY", std::to_string(12 * k_block)}}, 8, program)), 8.0);
}

// Small tasks, of which each eighth takes a hundred times as much as at first.
bool each_eighth() {
  takt::parallel_for(0, 64, [](int i) {
    const takt::memory_scope first(k_block / 100);
    (void)takt_test::fib(23);
    if (i % 8 != 7) return;
    const takt::memory_scope large(k_block);
    (void)takt_test::fib(25);
  });
  return true;
}

// When the first of these asks for it, the leftmost may be another one.
TEST_F(memory, what_one_task_asks_for_the_leftmost_may_need_too) {
  const double serial = peak(run({}, 1, each_eighth));
  EXPECT_GE(peak(run({}, 2, each_eighth)), 1.9 * serial);
  const auto budget = static_cast<std::uint64_t>(1.5 * serial * k_block);
  for (const unsigned workers : {2u, 8u}) {
    EXPECT_LE(peak(run({{"TAKT_MEMORY", std::to_string(budget)}}, workers, each_eighth)), 1.5 * serial) << workers;
  }
}

// The leftmost repeats what is small and takes a block then, which nobody has done before.
bool six_then_one() {
  const auto repeat = [](unsigned work) {
    for (int i = 0; i < 6; ++i) {
      const takt::memory_scope small(k_block / 4);
      (void)takt_test::fib(work);
    }
  };
  takt::fork_join(
      [repeat] {
        repeat(22);
        const takt::memory_scope large(k_block);
        (void)takt_test::fib(26);
      },
      [repeat] { repeat(24); });
  return true;
}

// It does not wait, and what others hold comes on top: no more than was free when they were let on.
TEST_F(memory, what_nobody_has_shown_goes_beyond_the_budget) {
  EXPECT_EQ(peak(run({}, 1, six_then_one)), 1.0);
  const auto budget = std::to_string(k_block + k_block / 10);
  EXPECT_EQ(peak(run({{"TAKT_MEMORY", budget}}, 2, six_then_one)), 1.25);
}

// What a user copies from the statistics of one worker.
std::map<std::string, std::string> setting_of(const nlohmann::json& serial) {
  const auto text = serial.at("stats").at("memory_setting").get<std::string>();
  const std::size_t name = text.find('=');
  return {{text.substr(0, name), text.substr(name + 1)}};
}
std::uint64_t bytes_of(const nlohmann::json& report) { return count(report, "memory_peak_bytes"); }
std::string times(double factor, const nlohmann::json& serial) {
  return std::to_string(static_cast<std::uint64_t>(factor * static_cast<double>(bytes_of(serial))));
}

TEST_F(memory, a_need_that_is_given_is_kept_free) {
  const auto check = [this](const char* name, auto program) {
    const json serial = run({}, 1, program);
    for (const double factor : {1.1, 1.5, 2.3}) {
      settings with = setting_of(serial);
      with["TAKT_MEMORY"] = times(factor, serial);
      for (const unsigned workers : {2u, 8u, 64u}) {
        const json report = run(with, workers, program);
        EXPECT_LE(peak(report), factor * peak(serial)) << name << ", " << factor << ", " << workers;
        EXPECT_EQ(count(report, "memory_beyond_need_bytes"), 0u) << name << ", " << factor << ", " << workers;
        EXPECT_EQ(count(report, "memory_now_bytes"), 0u);
      }
    }
  };
  check("tree", small_tree);
  check("each eighth", each_eighth);
  check("six, then one", six_then_one);
  check("pipeline", pipeline);
  check("sort", [] {
    sort(k_block);
    return true;
  });
}

// Products that are kept never show what is needed.
TEST_F(memory, where_a_need_is_given_what_is_free_is_used_from_the_first_task_on) {
  const auto program = [] {
    multiply(k_block / 4);
    return true;
  };
  const json serial = run({}, 1, program);
  settings with{{"TAKT_MEMORY", times(2.3, serial)}};
  const double learned = seconds(run(with, 8, program));
  with.merge(setting_of(serial));
  const json given = run(with, 8, program);
  EXPECT_LT(seconds(given), 0.95 * learned);
  EXPECT_LE(peak(given), 2.3 * peak(serial));
}

// The leftmost goes on all the same, and from then on it counts what has been learned.
TEST_F(memory, a_need_that_is_too_small_does_no_harm) {
  const json serial = run({}, 1, pipeline);
  const auto with = [&](double factor) {
    return settings{{"TAKT_MEMORY", times(1.1, serial)}, {"TAKT_MEMORY_NEED", times(factor, serial)}};
  };
  for (const unsigned workers : {2u, 8u, 64u}) {
    const json report = run(with(0.5), workers, pipeline);
    EXPECT_EQ(count(report, "memory_beyond_need_bytes"), bytes_of(serial) / 2) << workers;
    EXPECT_EQ(count(report, "memory_now_bytes"), 0u);
    EXPECT_LE(peak(report), 1.5 * peak(serial)) << "once, by what is missing: " << workers;
  }
  // It is beyond that before others take anything.
  for (const unsigned workers : {2u, 8u}) {
    EXPECT_LE(peak(run(with(0.01), workers, pipeline)), 1.1 * peak(serial)) << workers;
  }
  const auto program = [] { return pipeline() && pipeline(); };
  const json once = run(with(0.9), 8, pipeline);
  const json twice = run(with(0.9), 8, program);
  EXPECT_EQ(peak(once), peak(twice)) << "it is not believed again";
}

TEST_F(memory, a_need_that_is_too_large_costs_parallelism_alone) {
  const json serial = run({}, 1, pipeline);
  settings with{{"TAKT_MEMORY", times(4.4, serial)}};
  with["TAKT_MEMORY_NEED"] = times(1, serial);
  const json right = run(with, 8, pipeline);
  EXPECT_GE(peak(right), 3 * peak(serial));
  for (const double factor : {4.4, 100.0}) {
    with["TAKT_MEMORY_NEED"] = times(factor, serial);
    const json report = run(with, 8, pipeline);
    EXPECT_EQ(peak(report), peak(serial)) << "as much as the budget, or more: nobody but the leftmost";
    EXPECT_GT(seconds(report), seconds(right));
    EXPECT_EQ(count(report, "memory_beyond_need_bytes"), 0u);
    EXPECT_EQ(count(report, "memory_now_bytes"), 0u);
  }
}

TEST_F(memory, a_need_without_a_budget_changes_nothing) {
  const json none = run({}, 8, pipeline);
  const json with = run({{"TAKT_MEMORY_NEED", "1"}}, 8, pipeline);
  EXPECT_EQ(seconds(with), seconds(none));
  EXPECT_EQ(peak(with), peak(none));
  EXPECT_EQ(count(with, "memory_waits"), 0u);
}

TEST_F(memory, what_is_held_outside_of_the_call_is_part_of_the_need) {
  const auto program = [] {
    const takt::memory_scope outside(2 * k_block);
    takt::parallel_for(0, 24, [](int) {
      const takt::memory_scope block(k_block);
      (void)takt_test::fib(25);
    });
    return true;
  };
  const json serial = run({}, 1, program);
  EXPECT_EQ(peak(serial), 3.0);
  settings with = setting_of(serial);
  with["TAKT_MEMORY"] = std::to_string(6 * k_block + k_block / 2);
  const json report = run(with, 8, program);
  EXPECT_EQ(peak(report), 6.0);
  EXPECT_EQ(count(report, "memory_beyond_need_bytes"), 0u);
  with["TAKT_MEMORY_NEED"] = std::to_string(2 * k_block);
  EXPECT_EQ(count(run(with, 8, program), "memory_beyond_need_bytes"), k_block);
}

// Each of a block that is handed to a task, given back there, and taken again below counts for who took it: twice on
// the path, once in memory.
TEST_F(memory, a_block_that_is_handed_on_is_not_beyond_the_need) {
  static const takt::memory_place place("handed on");
  const auto program = [] {
    const auto work = [](int n) { (void)takt_test::fib(n); };
    takt::fork_join(
        [&] {
          takt::detail::take_memory(k_block, place);
          takt::fork_join([&] { work(22); },
                          [&] {
                            work(24);
                            takt::detail::give_memory(k_block, place);
                            takt::fork_join([&] { work(22); },
                                            [&] {
                                              work(24);
                                              takt::detail::take_memory(k_block, place);
                                              work(24);
                                              takt::detail::give_memory(k_block, place);
                                            });
                          });
        },
        [] {});
    return true;
  };
  settings with = setting_of(run({}, 1, program));
  with["TAKT_MEMORY"] = std::to_string(8 * k_block);
  with["TAKT_TRIGGER"] = "eager";
  for (const unsigned workers : {2u, 4u}) {
    const json report = run(with, workers, program);
    EXPECT_EQ(peak(report), 1.0);
    EXPECT_EQ(count(report, "memory_beyond_need_bytes"), 0u) << workers;
  }
}

// One worker's peak is without what it has gathered; what the leftmost holds is not.
TEST_F(memory, what_is_gathered_is_not_beyond_the_need) {
  const auto program = [] {
    takt::fork_join(
        [] {
          const takt::memory_scope large(k_block);
          const takt::memory_scope little(k_small - 100);
          takt::parallel_for(0, 12, [](int) {
            const takt::memory_scope small(k_small);
            (void)takt_test::fib(20);
          });
        },
        [] {});
    return true;
  };
  settings with = {{"TAKT_MEMORY", std::to_string(2 * k_block)},
                   {"TAKT_MEMORY_NEED", std::to_string(k_block + k_small)}};
  EXPECT_EQ(count(run(with, 8, program), "memory_beyond_need_bytes"), 0u);
  with["TAKT_MEMORY_NEED"] = std::to_string(k_block - k_small);
  EXPECT_GE(count(run(with, 8, program), "memory_beyond_need_bytes"), 2 * k_small - 100);
}

// A task that is made to wait with the first of its blocks keeps others from what is left: for most of the time one
// worker of two would be all that runs.
TEST_F(memory, who_cannot_have_all_that_it_needs_takes_nothing) {
  const auto program = [] {
    multiply(k_block);
    return true;
  };
  const json serial = run({}, 1, program);
  const auto budget = static_cast<std::uint64_t>(1.1 * peak(serial) * k_block);
  const json within = run({{"TAKT_MEMORY", std::to_string(budget)}}, 2, program);
  EXPECT_LT(seconds(within), 0.65 * seconds(serial));
  EXPECT_LE(peak(within), 1.1 * peak(serial));
}

// Three begin while nobody knows that a task takes two blocks. Beside the leftmost there is room for one of the others
// to take its second, and not for both.
TEST_F(memory, of_two_that_hold_something_one_goes_on) {
  const auto program = [] {
    takt::parallel_for(0, 3, [](int) {
      const takt::memory_scope first(k_block);
      (void)takt_test::fib(24);
      const takt::memory_scope second(k_block);
      (void)takt_test::fib(26);
    });
    return true;
  };
  const json report = run({{"TAKT_MEMORY", std::to_string(11 * (3 * k_block + k_block / 2))}}, 3, program);
  EXPECT_EQ(peak(report), 5.0);
  EXPECT_EQ(count(report, "memory_waits"), 1u);
}

void take_small() { const takt::memory_scope small(k_small); }

// Small tasks, for which there is room; not if each may need as much as `large`.
void small_tasks() {
  takt::parallel_for(0, 32, [](int) {
    const takt::memory_scope block(k_small);
    (void)takt_test::fib(20);
  });
}

// What a computation holds that it has not taken after a small report says nothing of what follows small reports.
TEST_F(memory, what_others_leave_and_what_nobody_is_asked_for_is_no_growth) {
  const auto waits = [this](auto takes_large) {
    const auto program = [takes_large] {
      takt::fork_join(
          [takes_large] {
            std::optional<takt::memory_scope> large;
            takes_large(large);
            take_small();
            small_tasks();
          },
          [] {});
      return true;
    };
    return count(run({{"TAKT_MEMORY", std::to_string(3 * k_block)}}, 8, program), "memory_waits");
  };
  const auto by_a_task = [](unsigned here, unsigned there) {
    return [here, there](std::optional<takt::memory_scope>& large) {
      takt::fork_join(
          [here] {
            take_small();
            (void)takt_test::fib(here);
          },
          [&large, there] {
            large.emplace(k_block);
            (void)takt_test::fib(there);
          });
    };
  };
  EXPECT_LE(waits(by_a_task(26, 20)), 1u) << "left to who goes on behind the join; the task itself waits for it";
  EXPECT_LE(waits(by_a_task(22, 27)), 1u) << "left to who waits";
  EXPECT_EQ(waits([](std::optional<takt::memory_scope>& large) {
              take_small();
              const takt::stay here;
              large.emplace(k_block);
            }),
            0u);
}

TEST_F(memory, what_tasks_need_is_of_one_call) {
  const auto program = [] {
    takt::fork_join(
        [] {
          const takt::memory_scope small(k_small);
          const takt::memory_scope large(k_block);
        },
        [] {});
    small_tasks();
    return true;
  };
  EXPECT_EQ(count(run({{"TAKT_MEMORY", std::to_string(2 * k_block)}}, 8, program), "memory_waits"), 0u);
}

TEST_F(memory, what_an_earlier_call_has_left_is_part_of_what_is_assumed) {
  const auto program = [] {
    std::optional<takt::memory_scope> large;
    takt::fork_join([&large] { large.emplace(k_block); }, [] {});
    small_tasks();
    return true;
  };
  EXPECT_EQ(count(run({{"TAKT_MEMORY", std::to_string(3 * k_block)}}, 8, program), "memory_waits"), 0u);
}

// A block is held all the time while tasks run. Where there is room, all of them run.
TEST_F(memory, a_budget_with_room_costs_no_parallelism) {
  const auto program = [] {
    const takt::memory_scope whole(2 * k_block);
    takt::parallel_for(0, 48, [](int) {
      const takt::memory_scope block(k_block);
      (void)takt_test::fib(27);
    });
    return true;
  };
  const json none = run({}, 8, program);
  const json roomy = run({{"TAKT_MEMORY", std::to_string(12 * k_block)}}, 8, program);
  EXPECT_GE(peak(roomy), 8.0);
  EXPECT_LT(seconds(roomy), 1.15 * seconds(none));
}

// Each task keeps what it takes, so no need is ever shown. All of them together fit in an eleventh of the budget.
TEST_F(memory, what_is_held_outside_of_the_call_is_not_taken_from_the_others) {
  const auto program = [] {
    const takt::memory_scope outside(2 * k_block);
    const std::unique_ptr<std::optional<takt::memory_scope>[]> results(new std::optional<takt::memory_scope>[16]);
    takt::parallel_for(0, 16, [&](int i) {
      results[static_cast<std::size_t>(i)].emplace(k_block / 32);
      (void)takt_test::fib(24);
    });
    return true;
  };
  const json report = run({{"TAKT_MEMORY", std::to_string(11 * k_block)}}, 8, program);
  EXPECT_EQ(peak(report), 2.5);
  EXPECT_EQ(count(report, "memory_waits"), 0u);
}

}  // namespace
