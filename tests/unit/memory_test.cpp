// What programs say of their memory: it is counted, given back whatever happens, and tasks that wait for it go on.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "lab/settings/chosen.hpp"
#include "memory/memory_keeper.hpp"
#include "platform/threads/usable_memory.hpp"
#include "settings/sizes.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory_resource>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t k_block = std::size_t{1} << 20;

std::uint64_t memory(const char* which) {
  return nlohmann::json::parse(takt::stats_json()).at("total").at(which).get<std::uint64_t>();
}
std::uint64_t held() { return memory("memory_now_bytes"); }
std::uint64_t peak() { return memory("memory_peak_bytes"); }

takt_test::config hybrid(takt_test::config c, std::uint64_t alpha) {
  c.lab.hybrid = true;
  c.lab.memory_alpha = alpha;
  return c;
}
takt_test::config asyncdf(takt_test::config c, std::uint64_t k) {
  c.policy = takt::lab::asyncdf;
  c.lab.memory_k = k;
  return c;
}
takt_test::config budget(takt_test::config c, std::uint64_t bytes, std::uint64_t need = 0) {
  c.memory = bytes;
  c.memory_need = need;
  return c;
}

// Each way in which tasks are made to wait, and all together.
template <class Body>
void under_each(Body body) {
  for (const takt_test::config c : {takt_test::eager(3), takt_test::beat_zero(2), takt_test::lazy_zero(4), takt_test::by_default(3),
                        takt_test::with(takt::policy::adws, takt_test::eager(3)),
                        takt_test::with(takt::lab::random_private, takt_test::eager(3))}) {
    for (const takt_test::config& with : std::initializer_list<takt_test::config>
         {c, hybrid(c, k_block / 8), budget(c, 1), budget(c, 3 * k_block), budget(hybrid(c, k_block / 50), 2 * k_block),
          budget(c, 3 * k_block, 1), budget(c, 8 * k_block, 2 * k_block), budget(c, 8 * k_block, 20 * k_block),
          asyncdf(c, k_block / 8), asyncdf(c, 2 * k_block), budget(asyncdf(c, k_block / 4), 3 * k_block)}) {
      SCOPED_TRACE(takt_test::describe(with));
      takt_test::configure(with);
      body();
      EXPECT_EQ(held(), 0u);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(memory, scopes_are_counted_outside_of_calls_and_inside) {
  takt_test::configure(takt_test::by_default(1));
  {
    const takt::memory_scope outside(5 * k_block);
    EXPECT_EQ(outside.bytes(), 5 * k_block);
    EXPECT_EQ(held(), 5 * k_block);
    takt::parallel_for(0, 4, [](int) { const takt::memory_scope inside(k_block); });
    EXPECT_EQ(held(), 5 * k_block);
    EXPECT_EQ(peak(), 6 * k_block);
  }
  EXPECT_EQ(held(), 0u);
  takt_test::configure(takt_test::by_default(1));
  EXPECT_EQ(peak(), 0u) << "since configure()";
}

TEST(memory, small_reports_come_to_large_ones) {
  takt_test::configure(takt_test::by_default(2));
  takt::fork_join(
      [] {
        std::vector<takt::allocation<char>> all;
        for (int i = 0; i < 1000; ++i) all.push_back(takt::allocate<char>(1000));
        EXPECT_EQ(held(), 1'000'000u);
      },
      [] {});
  EXPECT_EQ(held(), 0u);
  EXPECT_GT(peak(), 900'000u);
}

struct refuses {
  static inline int live = 0;
  static inline int before_it_throws = 0;
  refuses() {
    if (before_it_throws-- == 0) throw std::runtime_error("no more");
    ++live;
  }
  ~refuses() { --live; }
  refuses(const refuses&) = delete;
  refuses& operator=(const refuses&) = delete;
};

TEST(memory, allocations_are_owned_once) {
  takt_test::configure(takt_test::by_default(1));
  auto a = takt::allocate<int>(k_block);
  a[7] = 8;
  auto b = std::move(a);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(b[7], 8);
  EXPECT_EQ(b.end() - b.begin(), static_cast<std::ptrdiff_t>(b.size()));
  EXPECT_EQ(held(), k_block * sizeof(int));
  b = takt::allocate<int>(1);
  EXPECT_EQ(held(), sizeof(int));
  b = {};
  EXPECT_EQ(held(), 0u);
  EXPECT_EQ(takt::allocate<int>(0).data(), nullptr);
}

TEST(memory, what_cannot_be_had_is_not_held) {
  takt_test::configure(takt_test::by_default(1));
  refuses::before_it_throws = 3;
  EXPECT_THROW((void)takt::allocate<refuses>(5), std::runtime_error);
  EXPECT_EQ(refuses::live, 0);
  EXPECT_THROW((void)takt::allocate<int>(std::numeric_limits<std::size_t>::max() / 2), std::bad_array_new_length);
  EXPECT_THROW((void)takt::memory_allocator<int>().allocate(std::numeric_limits<std::size_t>::max() / 2),
               std::bad_array_new_length);
  takt::memory_resource none(std::pmr::null_memory_resource());
  EXPECT_THROW((void)none.allocate(k_block), std::bad_alloc);
  EXPECT_EQ(held(), 0u);
}

TEST(memory, containers_report) {
  takt_test::configure(takt_test::by_default(2));
  takt::fork_join(
      [] {
        std::vector<double, takt::memory_allocator<double>> v(k_block);
        takt::memory_resource reporting;
        std::pmr::vector<char> w(k_block, &reporting);
        EXPECT_EQ(held(), k_block * sizeof(double) + k_block);
      },
      [] {});
  EXPECT_EQ(held(), 0u);
}

TEST(memory, a_buffer_may_be_freed_by_another_task_or_thread) {
  under_each([] {
    std::vector<takt::allocation<char>> handed(16);
    takt::parallel_for(0, 16, [&](int i) { handed[static_cast<std::size_t>(i)] = takt::allocate<char>(k_block); });
    EXPECT_EQ(held(), 16 * k_block);
    std::thread([&] { handed.resize(8); }).join();
    takt::parallel_for(0, 8, [&](int i) { handed[static_cast<std::size_t>(i)] = {}; });
  });
}

// With memory at each level, as a sort with buffers has it.
long tree(int depth) {
  const takt::memory_scope buffer(k_block >> (5 - depth));
  if (depth == 0) return 1;
  const auto [a, b] = takt::fork_join([=] { return tree(depth - 1); }, [=] { return tree(depth - 1); });
  return a + b;
}

TEST(memory, nobody_is_told_of_computations_where_none_is_made_to_wait) {
  const auto is_told = [](const takt_test::config& c) {
    takt::configure(c);
    const takt::core::runtime& r = *takt::core::process::current();
    return r.observer == r.memory;
  };
  EXPECT_FALSE(is_told(takt_test::eager(2)));
  EXPECT_TRUE(is_told(budget(takt_test::eager(2), k_block)));
  EXPECT_TRUE(is_told(hybrid(takt_test::eager(2), k_block)));
  EXPECT_TRUE(is_told(asyncdf(takt_test::eager(2), k_block)));
}

TEST(memory, tasks_that_wait_go_on) {
  under_each([] {
    EXPECT_EQ(tree(5), 32);
    std::atomic<long> sum{0};
    takt::parallel_for(0, 40, [&](int i) {
      const takt::memory_scope block(k_block);
      sum += takt_test::fib(8) + i;
    });
    EXPECT_EQ(sum, 40 * 21 + 40 * 39 / 2);
    takt::task_group group;
    for (int i = 0; i < 30; ++i) {
      group.run([&group, &sum] {
        const takt::memory_scope block(k_block);
        group.run([&sum] {
          const takt::memory_scope inner(k_block);
          sum -= 1;
        });
      });
    }
    group.wait();
    EXPECT_EQ(sum, 40 * 21 + 40 * 39 / 2 - 30);
  });
}

TEST(memory, an_error_leaves_nothing_behind) {
  under_each([] {
    try {
      takt::parallel_for(0, 20, [](int i) {
        const takt::memory_scope block(k_block);
        const auto more = takt::allocate<char>(k_block);
        if (i % 7 == 3) throw i;
      });
      ADD_FAILURE() << "no error";
    } catch (int i) {
      EXPECT_EQ(i, 3);
    }
    // In a handler, whose exception must still be that one on whatever thread it goes on.
    try {
      throw 11;
    } catch (int i) {
      takt::parallel_for(0, 10, [](int) { const takt::memory_scope block(2 * k_block); });
      EXPECT_EQ(i, 11);
      try {
        throw;
      } catch (int again) {
        EXPECT_EQ(again, 11);
      }
    }
  });
}

TEST(memory, code_that_stays_is_not_made_to_wait) {
  under_each([] {
    std::mutex one_at_a_time;
    takt::parallel_for(0, 30, [&](int) {
      const takt::memory_scope block(k_block);
      const takt::stay here;
      const std::lock_guard guard(one_at_a_time);
      const pid_t thread = ::gettid();
      const takt::memory_scope under_the_lock(4 * k_block);
      EXPECT_EQ(::gettid(), thread);
    });
  });
}

TEST(memory, several_calls_do_not_wait_for_each_other) {
  under_each([] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back([] { EXPECT_EQ(tree(5), 32); });
    for (std::thread& t : threads) t.join();
  });
}

TEST(memory, the_budget_holds) {
  // One block fits beside the one of the leftmost, and not two.
  takt_test::configure(budget(takt_test::eager(4), 2 * k_block + k_block / 2 + 40 * 65536));
  for (int round = 0; round < 20; ++round) {
    takt::parallel_for(0, 50, [](int) {
      const takt::memory_scope block(k_block);
      (void)takt_test::fib(6);
    });
  }
  EXPECT_LE(peak(), 4 * k_block + k_block / 2);
  takt_test::configure(takt_test::eager(4));
}

TEST(memory, one_worker_never_waits) {
  for (const auto& c : {hybrid(takt_test::eager(1), 1), asyncdf(takt_test::eager(1), 1)}) {
    takt_test::configure(budget(c, 1));
    EXPECT_EQ(tree(5), 32);
    EXPECT_EQ(memory("memory_sleeps") + memory("memory_waits"), 0u);
  }
}

TEST(memory, the_policy_that_runs_is_reported) {
  const auto policy_of = [](const takt_test::config& c) {
    takt_test::configure(c);
    (void)takt_test::fib(10);
    return nlohmann::json::parse(takt::stats_json()).at("policy").get<std::string>();
  };
  const takt_test::config adws = takt_test::with(takt::policy::adws, takt_test::eager(2));
  EXPECT_EQ(policy_of(adws), "adws");
  EXPECT_EQ(policy_of(asyncdf(adws, k_block)), "asyncdf");
}

// Four tasks hold something when the leftmost shows that it grows to more than there can be, and each asks for more.
TEST(memory, a_report_of_any_size_can_be_compared) {
  constexpr std::size_t k_small = 64 << 10;
  constexpr std::uint64_t k_most = std::numeric_limits<std::uint64_t>::max();
  for (const auto& with :
       {budget(takt_test::eager(5), 100 * k_block), budget(takt_test::eager(5), k_most, k_most >> 18)}) {
    takt_test::configure(with);
    std::atomic<int> hold{0};
    std::atomic<bool> has_grown{false};
    takt::fork_join(
        [&] {
          while (hold.load() != 4) std::this_thread::yield();
          {
            const takt::memory_scope small(k_small);
            const takt::memory_scope all(std::numeric_limits<std::size_t>::max());
          }
          has_grown.store(true);
        },
        [&] {
          takt::task_group group;
          for (int i = 0; i < 4; ++i) {
            group.run([&] {
              const takt::memory_scope small(k_small);
              ++hold;
              while (!has_grown.load()) std::this_thread::yield();
              const takt::memory_scope more(k_small);
            });
          }
          group.wait();
        });
    EXPECT_EQ(held(), 0u);
  }
}

// Two branches run at the same time; the right one has gathered a small report when it is made to wait for a large one.
TEST(memory, what_was_gathered_before_a_task_sleeps_is_told) {
  const takt_test::config c = takt_test::eager(2);
  for (const auto& with : {hybrid(c, 1), asyncdf(c, 1), budget(c, 1)}) {
    SCOPED_TRACE(takt_test::describe(with));
    takt_test::configure(with);
    constexpr std::size_t k_small = 40'000;
    std::atomic<bool> runs{false};
    std::uint64_t seen = 0;
    takt::fork_join(
        [&] {
          while (!runs.load()) std::this_thread::yield();
          while (memory("suspensions") == 0) std::this_thread::yield();
          seen = held();
        },
        [&] {
          const takt::memory_scope small(k_small);
          runs.store(true);
          const takt::memory_scope block(k_block);
        });
    EXPECT_GE(seen, k_small);
    EXPECT_EQ(held(), 0u);
  }
}

takt_test::config with_statistics(takt_test::config c) {
  c.stats = "/dev/null";
  return c;
}
nlohmann::json places() { return nlohmann::json::parse(takt::stats_json()).at("memory_places"); }
nlohmann::json place(const std::string& name, std::size_t at_peak, std::size_t peak, std::size_t now) {
  return {{"place", name}, {"at_peak_bytes", at_peak}, {"peak_bytes", peak}, {"now_bytes", now}};
}

TEST(memory_places, say_what_holds_the_peak) {
  takt_test::configure(with_statistics(takt_test::by_default(1)));
  {
    const takt::memory_scope first(3 * k_block, "first");
    {
      const takt::memory_scope early(6 * k_block, "early");
    }
    takt::fork_join(
        [] {
          const takt::memory_scope more(k_block, "first");
          const takt::memory_scope last(5 * k_block + 1, "last");
        },
        [] {});
    {
      const takt::memory_scope late(4 * k_block, "late");
    }
    EXPECT_EQ(places(), nlohmann::json::array({place("last", 5 * k_block + 1, 5 * k_block + 1, 0),
                                               place("first", 4 * k_block, 4 * k_block, 3 * k_block),
                                               place("early", 0, 6 * k_block, 0), place("late", 0, 4 * k_block, 0)}));
    takt_test::configure(with_statistics(takt_test::by_default(1)));
    EXPECT_EQ(places(), nlohmann::json::array({place("first", 3 * k_block, 3 * k_block, 3 * k_block)}));
  }
}

TEST(memory_places, are_where_the_code_stands) {
  takt_test::configure(with_statistics(takt_test::by_default(1)));
  const int line = __LINE__ + 1;
  auto kept = takt::allocate<char>(k_block);
  auto other = takt::allocate<char>(2 * k_block, "other");
  const int line_of_resource = __LINE__ + 1;
  takt::memory_resource reporting;
  const std::pmr::vector<char> v(3 * k_block, &reporting);
  const std::vector<char, takt::memory_allocator<char>> w(4 * k_block);
  other = std::move(kept);
  const auto at = [](int l) {
    const std::string file = __FILE__;
    return file.substr(file.size() - std::min<std::size_t>(file.size(), 95)) + ':' + std::to_string(l);
  };
  EXPECT_EQ(places(), nlohmann::json::array({place("takt::memory_allocator", 4 * k_block, 4 * k_block, 4 * k_block),
                                             place(at(line_of_resource), 3 * k_block, 3 * k_block, 3 * k_block),
                                             place("other", 2 * k_block, 2 * k_block, 0),
                                             place(at(line), k_block, k_block, k_block)}));
}

TEST(memory_places, are_not_looked_up_unless_somebody_asks) {
  takt_test::configure(takt_test::by_default(1));
  const takt::memory_scope before(k_block, "before");
  EXPECT_FALSE(nlohmann::json::parse(takt::stats_json()).contains("memory_places"));
  takt_test::configure(with_statistics(takt_test::by_default(1)));
  {
    const takt::memory_scope after(k_block, "after");
  }
  EXPECT_EQ(places(), nlohmann::json::array({place("after", k_block, k_block, 0)}));
  {
    const takt::memory_scope while_asked(k_block, "while asked");
    takt_test::configure(takt_test::by_default(1));
  }
  takt_test::configure(with_statistics(takt_test::by_default(1)));
  EXPECT_EQ(places(), nlohmann::json::array()) << "given back while nobody asked";
}

TEST(memory_places, are_right_whoever_takes_and_gives) {
  for (const takt_test::config& c : {takt_test::config(takt_test::eager(4)), budget(takt_test::eager(4), 3 * k_block)}) {
    takt_test::configure(with_statistics(c));
    takt::parallel_for(0, 200, [](int i) {
      const takt::memory_scope block(k_block, i % 2 == 0 ? "even" : "odd");
      (void)takt_test::fib(5);
    });
    std::size_t at_peak = 0;
    for (const nlohmann::json& p : places()) {
      EXPECT_EQ(p.at("now_bytes"), 0u);
      at_peak += p.at("at_peak_bytes").get<std::size_t>();
    }
    EXPECT_EQ(places().size(), 2u);
    EXPECT_GE(at_peak, k_block);
    EXPECT_LE(at_peak, peak());
  }
}

TEST(memory_places, beyond_those_that_fit_count_together) {
  takt_test::configure(with_statistics(takt_test::by_default(1)));
  std::vector<takt::allocation<char>> all;
  for (std::uint32_t i = 1; i <= 400; ++i) all.push_back(takt::allocate<char>(k_block, {"many", i}));
  const nlohmann::json found = places();
  EXPECT_LT(found.size(), 300u);
  std::size_t now = 0;
  for (const nlohmann::json& p : found) now += p.at("now_bytes").get<std::size_t>();
  EXPECT_EQ(now, 400 * k_block);
  EXPECT_EQ(found.at(0).at("place"), "all other places");
  // The table begins anew when somebody asks again.
  takt_test::configure(takt_test::by_default(1));
}

TEST(memory_places, may_have_the_name_of_the_rest) {
  takt_test::configure(takt_test::by_default(1));
  takt_test::configure(with_statistics(takt_test::by_default(1)));
  const takt::memory_scope own(k_block, "all other places");
  for (std::uint32_t i = 1; i <= 400; ++i) const takt::memory_scope one(2 * k_block, {"many", i});
  nlohmann::json found;
  for (const nlohmann::json& p : places()) {
    if (p.at("place") == "all other places") found.push_back(p);
  }
  EXPECT_EQ(found, nlohmann::json::array({place("all other places", k_block, k_block, k_block),
                                          place("all other places", 0, 2 * k_block, 0)}));
  takt_test::configure(takt_test::by_default(1));
}

TEST(memory, sizes_are_read) {
  std::uint64_t n = 7;
  EXPECT_TRUE(takt::settings::parse_size("123", n));
  EXPECT_EQ(n, 123u);
  EXPECT_TRUE(takt::settings::parse_size("2G", n));
  EXPECT_EQ(n, std::uint64_t{2} << 30);
  EXPECT_TRUE(takt::settings::parse_size("3K", n));
  EXPECT_TRUE(takt::settings::parse_size("1T", n));
  EXPECT_EQ(n, std::uint64_t{1} << 40);
  for (const char* bad : {"", "G", "-1", " 1", "1 G", "1GB", "1g", "1.5G", "0x10", "50%", "99999999999999999999",
                          "4611686018427387904", "4194304T"}) {
    EXPECT_FALSE(takt::settings::parse_size(bad, n)) << bad;
  }
  unsigned percent = 0;
  EXPECT_TRUE(takt::settings::parse_percent("50%", percent));
  EXPECT_EQ(percent, 50u);
  for (const char* bad : {"", "%", "0%", "101%", "50", "50%%", "-5%", " 5%", "5 %"}) {
    EXPECT_FALSE(takt::settings::parse_percent(bad, percent)) << bad;
  }
}

TEST(memory, the_limit_of_a_cgroup_is_found) {
  std::string root = (std::filesystem::temp_directory_path() / "takt_memory_XXXXXX").string();
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  const auto write = [&root](const std::string& path, const std::string& text) {
    const std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  };
  const std::uint64_t machine = takt::platform::usable_memory(root).bytes;
  EXPECT_GT(machine, 0u);
  write("/proc/self/cgroup", "0::/pod/box\n");
  write("/proc/self/mountinfo", "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/pod/box/memory.max", "max\n");
  EXPECT_EQ(takt::platform::usable_memory(root).bytes, machine);
  write("/sys/fs/cgroup/pod/memory.max", "1048576\n");
  EXPECT_EQ(takt::platform::usable_memory(root).bytes, k_block);
  EXPECT_EQ(takt::platform::usable_memory(root).from, root + "/sys/fs/cgroup/pod/memory.max");
  write("/proc/self/cgroup", "5:memory:/box\n3:cpu:/other\n");
  write("/proc/self/mountinfo",
        "1 0 0:1 / /v1 rw - cgroup cgroup rw,memory\n2 0 0:1 / /v1cpu rw - cgroup cgroup rw,cpu\n");
  write("/v1/box/memory.limit_in_bytes", "2097152\n");
  EXPECT_EQ(takt::platform::usable_memory(root).bytes, 2 * k_block);
  std::filesystem::remove_all(root);
}

TEST(memory, what_may_still_be_promised_is_found) {
  std::string root = (std::filesystem::temp_directory_path() / "takt_commit_XXXXXX").string();
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  std::filesystem::create_directories(root + "/proc/sys/vm");
  const auto left = [&root](const char* mode, const char* meminfo) {
    std::ofstream(root + "/proc/sys/vm/overcommit_memory") << mode;
    std::ofstream(root + "/proc/meminfo") << meminfo;
    return takt::platform::unmapped_space(root.c_str());
  };
  // This process may have limits of its own.
  const auto otherwise = takt::platform::unmapped_space(root.c_str());
  const char* const meminfo =
      "MemTotal:  900 kB\nCommitLimit:     300 kB\nCommitted_AS:    100 kB\nVmallocTotal:  7 kB\n";
  EXPECT_EQ(left("0\n", meminfo).bytes, otherwise.bytes);
  EXPECT_EQ(left("1\n", meminfo).bytes, otherwise.bytes);
  EXPECT_EQ(left("2\n", meminfo).bytes, 200u << 10);
  EXPECT_STREQ(left("2\n", meminfo).from, "vm.overcommit_memory");
  EXPECT_EQ(left("2\n", "MemTotal: 9 kB\nCommitLimit: 300 kB\nCommitted_AS: 400 kB\n").bytes, 0u);
  for (const char* silent : {"", "MemTotal: 9 kB\nCommitLimit: 300 kB\n", "MemTotal: 9 kB\nCommitted_AS: 100 kB\n"}) {
    EXPECT_EQ(left("2\n", silent).bytes, otherwise.bytes) << "nobody says: " << silent;
    EXPECT_EQ(left("2\n", silent).from, otherwise.from);
  }
  std::filesystem::remove_all(root);
}

TEST(memory_setting, a_bad_budget_ends_the_program) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const char* bad : {"", "much", "0", "0%", "101%", "1.5G", "-1"}) {
    ::setenv("TAKT_MEMORY", bad, 1);
    EXPECT_EXIT((void)takt_test::fib(10), testing::ExitedWithCode(2), "^takt: TAKT_MEMORY='[^\n]*\n$") << bad;
  }
  ::unsetenv("TAKT_MEMORY");
}

TEST(memory_setting, a_bad_quota_or_need_ends_the_program) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const std::string name : {"TAKT_MEMORY_K", "TAKT_MEMORY_NEED"}) {
    for (const char* bad : {"", "much", "0", "10%", "1.5G", "-1"}) {
      ::setenv(name.c_str(), bad, 1);
      EXPECT_EXIT((void)takt_test::fib(10), testing::ExitedWithCode(2), "^takt: " + name + "='[^\n]*\n$") << bad;
    }
    ::setenv(name.c_str(), "3K", 1);
    const takt::config c = takt::config::from_environment();
    EXPECT_EQ(name == "TAKT_MEMORY_K" ? takt::lab::chosen().memory_k : c.memory_need, 3072u);
    ::unsetenv(name.c_str());
  }
}

TEST(memory_setting, a_share_is_of_what_there_is) {
  ::setenv("TAKT_MEMORY", "50%", 1);
  const std::uint64_t all = takt::platform::usable_memory().bytes;
  EXPECT_NEAR(static_cast<double>(takt_test::config::from_environment().memory), 0.5 * static_cast<double>(all), 1.0);
  ::unsetenv("TAKT_MEMORY");
}

}  // namespace
