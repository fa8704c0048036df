// TAKT_SIM: a program that links takt runs on a machine that is not there, unchanged, and says how it went.
#include <takt/algorithms/sort.hpp>
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "simulate/simulated.hpp"
#include "simulate/touches.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using nlohmann::json;

class simulate : public takt_test::simulated {};

// Long enough for beats, on any machine.
bool everything() {
  std::vector<std::uint32_t> keys(1 << 18);
  std::minstd_rand random(1);
  std::ranges::generate(keys, random);
  std::vector<std::uint32_t> expected = keys;
  std::ranges::sort(expected);
  takt::sort(keys);
  bool right = keys == expected && takt_test::fib(27) == 196418;
  std::atomic<int> ran{0};
  takt::task_group group;
  takt::parallel_for(0, 100, [&](int i) { group.run([&, i] { ran += takt_test::fib(i % 16) >= 0 ? 1 : 0; }); });
  group.wait();
  right = right && ran == 100;
  try {
    takt::parallel_for(0, 1000, [](int i) {
      if (takt_test::fib(12) > 0 && i >= 400) throw std::runtime_error(std::to_string(i));
    });
    right = false;
  } catch (const std::runtime_error& e) {
    right = right && std::string(e.what()) == "400";
  }
  return right;
}

TEST_F(simulate, any_number_of_workers_gives_the_answer) {
  for (const unsigned workers : {1u, 2u, 64u, 4096u}) {
    SCOPED_TRACE(workers);
    const json report = run("workers=" + std::to_string(workers), &everything);
    EXPECT_EQ(report.at("takt_sim"), 1);
    EXPECT_EQ(report.at("workers"), workers);
    EXPECT_EQ(report.at("stats").at("workers"), workers);
    EXPECT_GE(report.at("calls"), 4);
    EXPECT_GT(report.at("seconds_in_calls"), 0);
    EXPECT_GE(report.at("seconds"), report.at("seconds_in_calls"));
    EXPECT_GE(report.at("seconds_before"), 0);
    EXPECT_GT(report.at("wall_seconds"), 0);
    EXPECT_GT(report.at("stats").at("total").at("beats_due"), 0);
    if (workers > 1) {
      EXPECT_GT(report.at("stats").at("total").at("steals_done"), 0);
    }
  }
}

TEST_F(simulate, it_goes_before_other_settings) {
  ASSERT_EQ(setenv("TAKT_WORKERS", "2", 1), 0);
  ASSERT_EQ(setenv("TAKT_TRIGGER", "eager", 1), 0);
  ASSERT_EQ(setenv("TAKT_POLICY", "random-private", 1), 0);
  const json report = run("workers=5", [] {
    takt::config c = takt::config::from_environment();
    c.workers = 3;
    takt::configure(c);
    return everything();
  });
  EXPECT_EQ(report.at("stats").at("workers"), 5);
  EXPECT_EQ(report.at("stats").at("trigger"), "eager");
}

TEST_F(simulate, costs_are_taken_and_reported) {
  const json cheap = run("workers=2,wake_ns=0,waker_ns=0,start_ns=0,signal_ns=0,steal_ns=0,spin_ns=0", &everything);
  for (const auto& [name, cost] : cheap.at("costs_ns").items()) EXPECT_EQ(cost, 0) << name;
  // A tenth of a second each: more than the whole program takes.
  const json dear = run("workers=1,promotion_ns=100000000", &everything);
  EXPECT_EQ(dear.at("costs_ns").at("promotion"), 100'000'000);
  const auto& total = dear.at("stats").at("total");
  const double promotions = total.at("promotions_forks").get<double>() + total.at("promotions_loops").get<double>();
  EXPECT_GE(dear.at("seconds_in_calls").get<double>(), 0.09 * promotions);
}

TEST_F(simulate, touches_go_to_the_caches) {
  constexpr std::size_t k_numbers = 1 << 15;  // 256 KiB: 4096 lines, or one more
  const auto program = [] { return takt_test::touch_all(k_numbers); };
  const json alone = run("workers=1,caches=32K:1+1M:1", program).at("caches");
  ASSERT_EQ(alone.size(), 2u);
  EXPECT_EQ(alone[0].at("level"), 1);
  EXPECT_EQ(alone[0].at("bytes"), 32 << 10);
  const std::uint64_t first = alone[0].at("misses");
  const std::uint64_t second = alone[1].at("misses");
  // Each line twice from afar for the small one, once for the large one.
  EXPECT_TRUE(first == 2 * 4096 || first == 2 * 4097) << first;
  EXPECT_EQ(2 * second, first);
  EXPECT_EQ(alone[0].at("hits").get<std::uint64_t>() + first, 2 * k_numbers);
  const json four = run("workers=4,caches=32K:1+1M:2", program).at("caches");
  EXPECT_EQ(four[0].at("misses_per_worker").size(), 4u);
  EXPECT_EQ(four[0].at("hits").get<std::uint64_t>() + four[0].at("misses").get<std::uint64_t>(), 2 * k_numbers);
  EXPECT_FALSE(run("workers=1", program).contains("caches"));
}

// A worker's thread is where the system has put it, not on a core of its seat's number.
TEST_F(simulate, workers_are_on_any_core) {
  const auto program = [] { return takt_test::touch_all(1 << 15); };
  std::set<std::size_t> used;
  for (int seed = 1; seed <= 6; ++seed) {
    const json report = run("workers=8,deterministic=1,start_ns=0,caches=64:1,seed=" + std::to_string(seed), program);
    const std::vector<std::uint64_t> misses = report.at("caches").at(0).at("misses_per_worker");
    // Who came first among the threads that takt has started has most.
    used.insert(static_cast<std::size_t>(std::max_element(misses.begin() + 1, misses.end()) - misses.begin()));
  }
  EXPECT_GT(used.size(), 2u);
}

TEST_F(simulate, touches_take_time_if_asked_for) {
  // 64 KiB of numbers, twice, with one worker: 1024 lines from memory, or one more, and all other touches are hits.
  constexpr std::size_t k_numbers = 1 << 13;
  const auto program = [] { return takt_test::touch_all(k_numbers); };
  const std::string plain = "workers=1,deterministic=1,iteration_ns=10,look_ns=0,caches=1M:1";
  const double before = run(plain, program).at("seconds_in_calls");
  const json report = run(plain + ":2,memory=80:140:0:1", program);
  const auto& memory = report.at("memory");
  const auto lines = memory.at("local_lines").get<std::uint64_t>();
  EXPECT_TRUE(lines == 1024 || lines == 1025) << lines;
  EXPECT_EQ(memory.at("remote_lines"), 0);
  EXPECT_EQ(memory.at("queued_s"), 0);
  const double taken = 1e-9 * static_cast<double>(80 * lines + 2 * (2 * k_numbers - lines));
  EXPECT_NEAR(memory.at("seconds").get<double>(), taken, 1e-12);
  EXPECT_NEAR(report.at("seconds_in_calls").get<double>() - before, taken, 0.02 * taken);
  EXPECT_FALSE(run(plain, program).contains("memory"));
}

TEST_F(simulate, code_may_take_what_it_touches_and_nothing_else) {
  // 32 KiB of numbers, twice: 3 ns for each of the 8192 touches, and 512 lines from memory, or one more.
  constexpr std::size_t k_numbers = 1 << 12;
  const auto program = [] { return takt_test::touch_all(k_numbers); };
  const json report = run("workers=1,deterministic=1,look_ns=0,caches=1M:1,memory=80:140:0:1,work_ns=3", program);
  const auto lines = report.at("memory").at("local_lines").get<std::uint64_t>();
  const double taken = 1e-9 * static_cast<double>(80 * lines + 3 * 2 * k_numbers);
  EXPECT_NEAR(report.at("program_s").get<double>(), taken, 1e-9);
  EXPECT_NEAR(report.at("seconds_in_calls").get<double>(), taken, 0.05 * taken);
}

TEST_F(simulate, memory_is_shared_by_all_workers) {
  // A line is 64 ns of the one node's time, and of each worker's: with eight it is the node that they wait for.
  constexpr std::size_t k_numbers = 1 << 16;
  const auto program = [] { return takt_test::touch_all(k_numbers); };
  const auto seconds = [&](const char* workers, const char* limit) {
    return run("deterministic=1,caches=64:1,memory=64:64:" + std::string(limit) + ":8,workers=" + workers, program)
        .at("seconds_in_calls")
        .get<double>();
  };
  EXPECT_LT(seconds("8", "0"), 0.4 * seconds("1", "0"));
  // 8192 lines, twice.
  EXPECT_GT(seconds("8", "1"), 0.98 * 2 * 8192 * 64e-9);
}

TEST_F(simulate, a_run_with_memory_is_the_same_each_time) {
  const auto program = [] { return takt_test::touch_often(1 << 15, 5); };
  for (const char* pages : {"first_touch", "interleave"}) {
    const std::string request =
        "workers=6,deterministic=1,caches=4K:1:1+64K:3:10:40,memory=80:140:30:3,pages=" + std::string(pages);
    EXPECT_EQ(run(request, program), run(request, program)) << pages;
  }
}

TEST_F(simulate, memory_that_cannot_be_is_refused) {
  const std::pair<const char*, const char*> bad[] = {
      {"workers=2,memory=1:2:3:1", "need caches="},
      {"workers=2,grain=128", "need caches="},
      {"workers=2,caches=1K:1,memory=1:2", "LOCAL:REMOTE:GB_PER_S:CORES"},
      {"workers=2,caches=1K:1,pages=here", "pages='here'"},
      {"workers=2,caches=1K:1,grain=96", "not a power of two"},
      {"workers=2,caches=1K:1,grain=2048", "more than the first cache has"},
      {"workers=2,caches=1K:1,in_flight=0", "in_flight='0'"},
      {"workers=2,deterministic=1,caches=1K:1,work_ns=1.2345", "work_ns='1.2345'"},
      {"workers=2,deterministic=1,work_ns=1", "need caches="},
      {"workers=2,deterministic=1,caches=1K:1,work_ns=1,iteration_ns=1", "do not go together"},
      {"workers=2,caches=1K:1,work_ns=1", "needs deterministic=1"},
      {"workers=2,caches=1K:1:x", "caches=: "},
  };
  for (const auto& [request, message] : bad) expect_refused(request, message, &compute);
}

TEST_F(simulate, the_span_is_put_down_to_code) {
  const json report = run("workers=8,sites=3", &everything);
  const json& sites = report.at("sites");
  ASSERT_GE(sites.size(), 2u);
  ASSERT_LE(sites.size(), 3u);
  double before = sites[0].at("span_s").get<double>();
  std::size_t named = 0;
  for (const json& site : sites) {
    const double span = site.at("span_s").get<double>();
    EXPECT_LE(span, before);
    EXPECT_LE(span, site.at("work_s").get<double>() * 1.000001);
    // What a call does outside of its forks and loops has no function of a task. It is short, but so is all of this.
    EXPECT_EQ(site.at("object") == "", site.at("address") == 0);
    named += site.at("object") == "" ? 0 : 1;
    before = span;
  }
  EXPECT_GE(named, sites.size() - 1);
  EXPECT_FALSE(run("workers=1", &everything).contains("sites"));
}

TEST_F(simulate, nothing_to_report_without_a_parallel_call) {
  const auto in_child = [] {
    setenv("TAKT_SIM", "workers=2", 1);
    std::exit(0);
  };
  EXPECT_EXIT(in_child(), testing::ExitedWithCode(0), "^$");
}

TEST_F(simulate, to_stderr_by_default) {
  const auto in_child = [] {
    setenv("TAKT_SIM", "workers=2", 1);
    compute();
    std::exit(0);
  };
  EXPECT_EXIT(in_child(), testing::ExitedWithCode(0), "^\\{\"takt_sim\":1,\"workers\":2,.*\\}\n$");
}

TEST_F(simulate, bad_requests_end_the_program) {
  expect_refused("64", "'64' is not KEY=VALUE", &compute);
  expect_refused("wake_ns=5", "'workers=' is missing", &compute);
  for (const char* number : {"", "0", "4097", "-1", "2x", "1e3", "99999999999999999999", "2,", "2,,wake_ns=5"})
    expect_refused(std::string("workers=") + number, "workers=: '.*' is not a number from 1 to 4096", &compute);
  expect_refused("workers=2,...", "workers=: '...' needs two numbers before it", &compute);
  expect_refused("workers=2,deterministic=2", "deterministic='2' is not a number from 0 to 1", &compute);
  expect_refused("workers=2,deterministic=1,iteration_ns=0", "iteration_ns='0' is not a number from 1", &compute);
  expect_refused("workers=2,look_ns=5", "iteration_ns= and look_ns= need deterministic=1", &compute);
  expect_refused("workers=2,steal_ns=-3", "steal_ns='-3' is not a number", &compute);
  expect_refused("workers=2,caches=32K", "'32K' is not SIZE:CORES", &compute);
  expect_refused("workers=2,colour=3", "unknown key 'colour'", &compute);
  expect_refused("workers=2,out=" + folder_ + "/no/such/folder", "cannot write", &compute);
  // Nobody reads it.
  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_refused("workers=2,out=" + fifo, "cannot write", &compute);
}

TEST_F(simulate, without_a_simulator_there_is_no_run) {
  const auto refused = [&](const char* library, const std::string& message) {
    expect_refused("library=" + std::string(library) + ",workers=2", message, &compute);
  };
  refused("/no/such/library", "cannot load the simulator that library= names: /no/such/library");
  // A library, but no simulator.
  refused("libm.so.6", "belongs to another version of takt: libm.so.6");
  // Nobody writes to it.
  const std::string fifo = folder_ + "/library";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  refused(fifo.c_str(), "library= names a FIFO");
  // As if it was not named.
  run("library=,workers=2", &everything);
  // The library looks at the first key alone.
  expect_refused("workers=2,library=/no/such/library", "unknown key 'library'", &compute);
}

TEST_F(simulate, a_list_of_workers_runs_the_rest_for_each) {
  const std::string path = folder_ + "/reports";
  const std::string seen = folder_ + "/seen";
  const auto in_child = [&] {
    setenv("TAKT_SIM", ("workers=8,1,2,...,5,wake_ns=7,out=" + path).c_str(), 1);
    std::FILE* file = std::fopen(seen.c_str(), "a");
    // Written before the first call, but still in the buffer then.
    std::fputs("before\n", file);
    std::fputs("on stdout, once\n", stdout);
    compute();
    std::fputs("after\n", file);
    std::fclose(file);
    std::exit(0);
  };
  EXPECT_EXIT(in_child(), testing::ExitedWithCode(0), "^$");
  std::ifstream file(path);
  std::vector<unsigned> workers;
  for (std::string line; std::getline(file, line);) {
    const json report = json::parse(line);
    workers.push_back(report.at("workers"));
    EXPECT_EQ(report.at("stats").at("workers"), workers.back());
    EXPECT_EQ(report.at("costs_ns").at("wake"), 7);
  }
  EXPECT_EQ(workers, (std::vector<unsigned>{1, 2, 4, 5, 8}));
  std::ifstream lines(seen);
  std::vector<std::string> said;
  for (std::string line; std::getline(lines, line);) said.push_back(line);
  EXPECT_EQ(said, (std::vector<std::string>{"before", "after", "after", "after", "after", "after"}));
}

TEST_F(simulate, a_list_of_workers_shows_the_output_once) {
  const auto in_child = [] {
    setenv("TAKT_SIM", "workers=1,2,3,out=/dev/null", 1);
    // What EXPECT_EXIT looks at; the reports are elsewhere.
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::puts("begins");
    compute();
    std::puts("ends");
    std::exit(0);
  };
  EXPECT_EXIT(in_child(), testing::ExitedWithCode(0), "^begins\nends\n$");
}

TEST_F(simulate, a_list_of_workers_ends_with_the_first_failure) {
  expect_refused("workers=1,2,3,out=/dev/null", "the program ended with exit code 7 with 1 worker", [] {
    compute();
    std::exit(7);
  });
  expect_refused("workers=1,2", "needs a program that has one thread at its first parallel call", [] {
    std::atomic<bool> done = false;
    std::thread other([&] { done.wait(false); });
    compute();
    done = true;
    done.notify_one();
    other.join();
  });
}

TEST_F(simulate, a_deterministic_run_is_the_same_run_again) {
  for (const char* policy : {"random", "random-private", "random-mixed"}) {
    SCOPED_TRACE(policy);
    ASSERT_EQ(setenv("TAKT_POLICY", policy, 1), 0);
    const std::string request = "workers=16,deterministic=1,seed=";
    const json first = run(request + "5", &everything);
    EXPECT_EQ(first, run(request + "5", &everything));
    EXPECT_EQ(first.at("seed"), 5);
    EXPECT_FALSE(first.contains("wall_seconds"));
    EXPECT_GT(first.at("stats").at("total").at("steals_done"), 0);
  }
}

TEST_F(simulate, the_seed_decides_whom_thieves_ask) {
  // Every fork is a task: there is much to choose from.
  ASSERT_EQ(setenv("TAKT_TRIGGER", "eager", 1), 0);
  const auto forks = [] { return takt_test::fib(18) == 2584; };
  for (const char* policy : {"random", "random-private", "random-mixed"}) {
    SCOPED_TRACE(policy);
    ASSERT_EQ(setenv("TAKT_POLICY", policy, 1), 0);
    const std::string request = "workers=16,deterministic=1,seed=";
    const json first = run(request + "1", forks);
    bool another = false;
    for (int seed = 2; seed < 6 && !another; ++seed)
      another = run(request + std::to_string(seed), forks).at("stats") != first.at("stats");
    EXPECT_TRUE(another);
  }
}

TEST_F(simulate, deterministic_time_is_what_was_charged) {
  const auto million = [] {
    const long sum = takt::parallel_reduce(0, 1'000'000, 0L, [](int i) { return long{i % 3}; }, std::plus<>{});
    return sum == 999'999;
  };
  ASSERT_EQ(setenv("TAKT_TRIGGER", "never", 1), 0);
  // Looks at the clock are all that comes on top.
  const std::string request = "workers=1,deterministic=1,look_ns=0,iteration_ns=";
  EXPECT_DOUBLE_EQ(run(request + "1", million).at("seconds_in_calls").get<double>(), 1e-3);
  EXPECT_DOUBLE_EQ(run(request + "30", million).at("seconds_in_calls").get<double>(), 30e-3);
  // fib(20) has 10945 forks of 4 ns.
  const auto forks = [] { return takt_test::fib(20) == 6765; };
  EXPECT_NEAR(run(request + "1", forks).at("seconds_in_calls").get<double>(), 10945 * 4e-9, 1e-9);
}

TEST_F(simulate, cores_may_be_slower_than_others) {
  const auto thousand = [] {
    takt::parallel_for(0, 1000, [](int) {});
    return true;
  };
  ASSERT_EQ(setenv("TAKT_TRIGGER", "never", 1), 0);
  const std::string request = "workers=1,deterministic=1,look_ns=0,iteration_ns=1000";
  const auto seconds_with = [&](const char* speeds) {
    return run(request + speeds, thousand).at("seconds_in_calls").get<double>();
  };
  EXPECT_DOUBLE_EQ(seconds_with(""), 1e-3);
  EXPECT_DOUBLE_EQ(seconds_with(",speeds=1:0.5"), 2e-3);
  EXPECT_DOUBLE_EQ(seconds_with(",speeds=1:1+8:0.5"), 1e-3);
  for (const char* const bad : {"", "1", "0:1", "1:0", "1:x", "1:1+", "1:1.0001", "5000:1", "1:1001"})
    expect_refused(request + ",speeds=" + bad, "is not COUNT:SPEED", &compute);
}

TEST_F(simulate, the_time_of_workers_in_calls_is_divided) {
  // A second call, for which the threads are there; its one iteration is for nobody else.
  const auto one_by_one = [] {
    takt::parallel_for(0, 100'000, [](int) {});
    takt::parallel_for(0, 1, [](int) { takt::parallel_for(0, 1'000'000, [](int) {}); });
    return true;
  };
  for (const char* const workers : {"1", "4", "64"}) {
    const json report = run("deterministic=1,sites=1,workers=" + std::string(workers), one_by_one);
    const json& parts = report.at("in_calls");
    const auto part = [&](const char* name) { return parts.at(name).get<double>(); };
    const double all = report.at("seconds_in_calls").get<double>() * std::stod(workers);
    const double idle = part("idle_before_s") + part("idle_between_s") + part("idle_after_s");
    EXPECT_NEAR(part("program_s") + part("overhead_s") + idle, all, 1e-3 * all) << workers;
    EXPECT_NEAR(part("program_s"), 1.1e-3, 1e-5) << workers;
    if (*workers == '1') {
      EXPECT_LT(idle, 1e-9);
    }
  }
}

TEST_F(simulate, a_loop_inside_a_call_is_charged_once) {
  // 0.8 ms each, which is known from the second on.
  const auto loops = [] {
    takt::fork_join(
        [] {
          for (int round = 0; round < 10; ++round) takt::parallel_for(0, 8'000, [](int) {});
        },
        [] {});
    return true;
  };
  const double took =
      run("workers=1,deterministic=1,look_ns=0,iteration_ns=100", loops).at("seconds_in_calls").get<double>();
  // Promotions come on top: a microsecond a beat.
  EXPECT_GE(took, 8e-3);
  EXPECT_LT(took, 8.4e-3);
}

// As the plugin has it of loops whose iterations may take any time.
void claim_one_by_one(void*, takt::abi::omp_frame* frame) {
  takt_omp_begin(frame, nullptr);
  takt::abi::loop_cursor& c = frame->cursor;
  for (auto chunk = takt_loop_next(&c); chunk.begin < chunk.end; chunk = takt_loop_next(&c)) {
    c.at = chunk.end;
    while (c.at < c.look && takt::detail::claim_next(c.frame, c.at)) {
    }
  }
  (void)takt_omp_end(frame);
}

TEST_F(simulate, loops_that_claim_one_by_one_are_charged_once) {
  // 400 ms in loops of 0.4, 4 and 40 us, and of 4 ms, with and without promotions.
  for (const std::uint64_t count : {4u, 40u, 400u, 40'000u}) {
    const auto loops = [count] {
      static takt::abi::site where;
      const takt::abi::omp_loop what{&claim_one_by_one, &where, nullptr, 0, 0, takt::abi::k_one_by_one};
      takt::fork_join(
          [&] {
            for (std::uint64_t done = 0; done < 4'000'000; done += count) {
              std::int64_t units = 0;
              if (takt::detail::is_charged_slow(count, where, takt::detail::relaxed(where.unit_cost), units)) {
                takt_omp_run(&what, nullptr, count, takt_omp_ask(&what, count, units));
              }
            }
          },
          [] {});
      return true;
    };
    for (const char* const trigger : {"lazy", "never"}) {
      ASSERT_EQ(setenv("TAKT_TRIGGER", trigger, 1), 0);
      const json report = run("workers=1,deterministic=1,sites=1,iteration_ns=100", loops);
      EXPECT_NEAR(report.at("in_calls").at("program_s").get<double>(), 0.4, 0.01) << count << ' ' << trigger;
    }
  }
}

TEST_F(simulate, chunks_take_the_time_between_two_polls) {
  // A tenth of a microsecond each: 150 iterations between two polls. The strip that is under way then runs to its end:
  // an eighth more at most.
  const auto is_so = [](int count) {
    int begin = 0;
    int end = 0;
    int longest = 0;
    std::uint64_t polls = 0;
    takt::parallel_for(0, count, [&](int i) {
      if (i != end || takt::detail::polls() != polls) begin = i;
      end = i + 1;
      polls = takt::detail::polls();
      longest = std::max(longest, end - begin);
    });
    return longest <= 150 + 150 / 8 && longest >= 100;
  };
  // The first one teaches the site its cost.
  const auto program = [&] { return is_so(100'000) && is_so(100'000) && is_so(9'000); };
  ASSERT_EQ(setenv("TAKT_BEAT_US", "30", 1), 0);
  run("workers=1,deterministic=1,look_ns=0,iteration_ns=100", program);
}

// Who waits at a join and is about to take a part that lies there looks for no other. If loops were divided further for
// them these would take 18 us.
TEST_F(simulate, loops_are_not_divided_for_who_is_about_to_take_a_part) {
  const auto seconds_of = [this](int loops) {
    const auto program = [loops] {
      for (int loop = 0; loop < loops; ++loop) takt::parallel_for(0, 2'000, [](int) {});
      return true;
    };
    return run("workers=16,deterministic=1,iteration_ns=100", program).at("seconds_in_calls").get<double>();
  };
  EXPECT_LT((seconds_of(60) - seconds_of(20)) / 40, 16.7e-6);
}

TEST_F(simulate, no_credit_covers_a_loop_that_has_never_run) {
  // If it did, the inner loops would never learn what they cost, and be charged k_unknown_cost for each iteration.
  // The first one is empty: the credit is there before any of them has run.
  const auto nest = [] {
    std::atomic<long> ran{0};
    takt::parallel_for(0, 1000, [&](int i) { takt::parallel_for(0, i, [&](int) { ++ran; }); });
    return ran == 499'500;
  };
  ASSERT_EQ(setenv("TAKT_TRIGGER", "never", 1), 0);
  const double took = run("workers=1,deterministic=1,look_ns=0", nest).at("seconds_in_calls").get<double>();
  EXPECT_GT(took, 4.9e-4);
  EXPECT_LT(took, 10e-4);
}

TEST_F(simulate, a_second_thread_ends_the_program) {
  expect_refused("workers=2", "a second thread of the program makes parallel calls", [] {
    compute();
    std::thread(&compute).join();
  });
}

}  // namespace
