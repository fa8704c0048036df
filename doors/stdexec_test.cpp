#include <gtest/gtest.h>
//
#include "stdexec.hpp"

#include <takt/takt.hpp>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

namespace ex = stdexec;

namespace {

TEST(stdexec, begins_on_other_workers_than_the_thread_that_waits) {
  const ex::parallel_scheduler scheduler = ex::get_parallel_scheduler();
  EXPECT_EQ(scheduler, ex::get_parallel_scheduler());
  for (int i = 0; i < 20; ++i) {
    const auto [both] = ex::sync_wait(ex::schedule(scheduler) | ex::then([] {
                                                 return std::tuple(std::this_thread::get_id(), takt::worker_index());
                                               })).value();
    EXPECT_NE(std::get<0>(both), std::this_thread::get_id());
    EXPECT_LT(std::get<1>(both), takt::worker_count() - 1);
  }
}

TEST(stdexec, runs_each_of_many_once) {
  constexpr std::size_t k_count = 20'000;
  const auto begin = ex::schedule(ex::get_parallel_scheduler());
  std::vector<std::atomic<int>> seen(k_count);
  ex::sync_wait(begin | ex::bulk(ex::par, k_count, [&](std::size_t i) { seen[i] += 1; }));
  ex::sync_wait(begin | ex::bulk_unchunked(ex::par, k_count, [&](std::size_t i) { seen[i] += 10; }));
  ex::sync_wait(begin | ex::bulk_chunked(ex::par, k_count, [&](std::size_t first, std::size_t last) {
                  for (; first != last; ++first) seen[first] += 100;
                }));
  ex::sync_wait(begin | ex::bulk(ex::par, std::size_t{0}, [](std::size_t) { ADD_FAILURE(); }));
  for (std::size_t i = 0; i < k_count; ++i) ASSERT_EQ(seen[i], 111) << i;
}

TEST(stdexec, nests_and_passes_values_and_errors) {
  const auto begin = ex::schedule(ex::get_parallel_scheduler());
  std::atomic<long> sum{0};
  const auto [value] = ex::sync_wait(begin | ex::then([] { return 7; }) |
                                     ex::bulk(ex::par, 50,
                                              [&](int i, int& factor) {
                                                takt::parallel_for(0, 20, [&](int j) { sum += i * j * factor; });
                                              }) |
                                     ex::then([](int factor) { return factor + 1; }))
                           .value();
  EXPECT_EQ(value, 8);
  EXPECT_EQ(sum, 7L * 1225 * 190);
  EXPECT_THROW(ex::sync_wait(begin | ex::then([] { throw std::out_of_range("x"); })), std::out_of_range);
}

TEST(stdexec, is_waited_for_by_tasks_and_threads) {
  std::atomic<int> done{0};
  const auto one = [&] {
    ex::sync_wait(ex::schedule(ex::get_parallel_scheduler()) | ex::bulk(ex::par, 100, [&](int) { ++done; }));
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back(one);
  takt::parallel_for(0, 30, [&](int) { takt::blocking(one); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(done, 3300);
}

TEST(stdexec, does_not_begin_what_was_stopped) {
  ex::inplace_stop_source source;
  source.request_stop();
  int ran = 0;
  const auto work = ex::schedule(ex::get_parallel_scheduler()) | ex::then([&] { ++ran; }) |
                    ex::write_env(ex::prop{ex::get_stop_token, source.get_token()});
  EXPECT_FALSE(ex::sync_wait(work).has_value());
  EXPECT_EQ(ran, 0);
}

}  // namespace
