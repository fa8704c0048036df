// A program of oneTBB's, which knows nothing of takt: it is built with takt's headers, and with oneTBB's own.
#include <gtest/gtest.h>
// First: it includes what it uses.
#include <tbb/task_arena.h>
//
#include <oneapi/tbb.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/concurrent_vector.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <vector>

namespace {

using range = tbb::blocked_range<int>;

void expect_all_once(const std::vector<std::atomic<int>>& hits) {
  for (std::size_t i = 0; i < hits.size(); ++i) ASSERT_EQ(hits[i].load(), 1) << i;
}

template <class... How>
void cover(How&&... how) {
  std::vector<std::atomic<int>> hits(10007);
  tbb::parallel_for(
      range(0, 10007, 8),
      [&](const range& r) {
        for (int i = r.begin(); i != r.end(); ++i) ++hits[static_cast<std::size_t>(i)];
      },
      how...);
  expect_all_once(hits);
}

TEST(parallel_for, calls_the_body_for_each_index_once_with_any_partitioner) {
  tbb::affinity_partitioner affinity;
  tbb::task_group_context context;
  cover();
  cover(tbb::simple_partitioner());
  cover(tbb::auto_partitioner());
  cover(tbb::static_partitioner());
  cover(affinity);
  cover(context);
  cover(tbb::simple_partitioner(), context);
  cover(affinity, context);
}

TEST(parallel_for, cuts_to_the_grain_with_the_simple_partitioner) {
  std::atomic<std::size_t> most{0}, least{1000};
  tbb::parallel_for(
      range(0, 1000, 10),
      [&](const range& r) {
        for (auto old = most.load(); old < r.size() && !most.compare_exchange_weak(old, r.size());) {
        }
        for (auto old = least.load(); old > r.size() && !least.compare_exchange_weak(old, r.size());) {
        }
      },
      tbb::simple_partitioner());
  EXPECT_LE(most.load(), 10u);
  EXPECT_GE(least.load(), 5u);
}

TEST(parallel_for, does_not_cut_to_the_grain_by_default) {
  std::atomic<int> calls{0};
  tbb::parallel_for(range(0, 1 << 20), [&](const range&) { ++calls; });
  EXPECT_LT(calls.load(), 1 << 14);
}

TEST(parallel_for, takes_indices_and_steps) {
  std::vector<std::atomic<int>> hits(999);
  tbb::parallel_for(std::size_t{0}, std::size_t{999}, [&](std::size_t i) { ++hits[i]; });
  expect_all_once(hits);
  std::atomic<long> sum{0};
  tbb::parallel_for(3, 20, 4, [&](int i) { sum += i; }, tbb::static_partitioner());
  EXPECT_EQ(sum.load(), 3 + 7 + 11 + 15 + 19);
  EXPECT_THROW(tbb::parallel_for(0, 5, 0, [](int) {}), std::invalid_argument);
  tbb::parallel_for(5, 0, [](int) { FAIL(); });
}

TEST(parallel_for, takes_ranges_of_two_and_three_dimensions) {
  std::vector<std::atomic<int>> flat(50 * 60);
  tbb::parallel_for(tbb::blocked_range2d<int>(0, 50, 4, 0, 60, 4), [&](const tbb::blocked_range2d<int>& r) {
    for (int i = r.rows().begin(); i != r.rows().end(); ++i) {
      for (int j = r.cols().begin(); j != r.cols().end(); ++j) ++flat[static_cast<std::size_t>(i * 60 + j)];
    }
  });
  expect_all_once(flat);
  std::vector<std::atomic<int>> solid(10 * 11 * 12);
  tbb::parallel_for(tbb::blocked_range3d<int>(0, 10, 0, 11, 0, 12), [&](const tbb::blocked_range3d<int>& r) {
    for (int i = r.pages().begin(); i != r.pages().end(); ++i) {
      for (int j = r.rows().begin(); j != r.rows().end(); ++j) {
        for (int k = r.cols().begin(); k != r.cols().end(); ++k) ++solid[static_cast<std::size_t>((i * 11 + j) * 12 + k)];
      }
    }
  });
  expect_all_once(solid);
}

TEST(parallel_for, nests) {
  std::vector<std::atomic<int>> hits(100 * 100);
  tbb::parallel_for(0, 100, [&](int i) {
    tbb::parallel_for(range(0, 100), [&, i](const range& r) {
      for (int j = r.begin(); j != r.end(); ++j) ++hits[static_cast<std::size_t>(i * 100 + j)];
    });
  });
  expect_all_once(hits);
}

TEST(parallel_for, ends_early_after_an_exception) {
  std::atomic<int> ran{0};
  const auto loop = [&] {
    tbb::parallel_for(
        range(0, 1 << 24),
        [&](const range& r) {
          ++ran;
          if (r.begin() == 0) throw std::runtime_error("first");
        },
        tbb::simple_partitioner());
  };
  EXPECT_THROW(loop(), std::runtime_error);
  EXPECT_LT(ran.load(), 1 << 24);
}

// In oneTBB an algorithm that is cancelled from outside returns: bodies need not let an exception pass.
TEST(parallel_for, returns_to_a_body_that_is_noexcept_when_it_is_cancelled) {
  std::atomic<int> outer{0};
  const auto loop = [&] {
    tbb::parallel_for(
        0, 1000,
        [&](int i) {
          const auto inner = [&]() noexcept {
            tbb::parallel_for(0, 1000, [](int) {});
            tbb::parallel_invoke([] {}, [] {});
          };
          inner();
          ++outer;
          if (i == 500) throw std::runtime_error("stop");
          inner();
        },
        tbb::simple_partitioner());
  };
  EXPECT_THROW(loop(), std::runtime_error);
  EXPECT_LE(outer.load(), 1000);
}

TEST(task_group_context, cancels_an_algorithm_and_what_is_nested) {
  tbb::task_group_context context;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 1 << 24,
      [&](int i) {
        ++ran;
        if (i == 0) {
          EXPECT_TRUE(context.cancel_group_execution());
          EXPECT_FALSE(context.cancel_group_execution());
        }
      },
      context);
  EXPECT_TRUE(context.is_group_execution_cancelled());
  EXPECT_LT(ran.load(), 1 << 24);
  context.reset();
  EXPECT_FALSE(context.is_group_execution_cancelled());
}

// A body that notes in which order it was joined.
struct text_body {
  std::string text;
  text_body() = default;
  text_body(const text_body&, tbb::split) {}
  void operator()(const range& r) {
    for (int i = r.begin(); i != r.end(); ++i) text += static_cast<char>('a' + i % 26);
  }
  void join(const text_body& right) { text += right.text; }
};

TEST(parallel_reduce, joins_bodies_in_order) {
  std::string expected;
  for (int i = 0; i < 5000; ++i) expected += static_cast<char>('a' + i % 26);
  for (int repeat = 0; repeat < 20; ++repeat) {
    text_body plain, simple, fixed;
    tbb::parallel_reduce(range(0, 5000), plain);
    EXPECT_EQ(plain.text, expected);
    tbb::parallel_reduce(range(0, 5000, 7), simple, tbb::simple_partitioner());
    EXPECT_EQ(simple.text, expected);
    tbb::parallel_deterministic_reduce(range(0, 5000, 7), fixed);
    EXPECT_EQ(fixed.text, expected);
  }
}

TEST(parallel_reduce, takes_functions) {
  const auto sum = [](const range& r, long so_far) {
    for (int i = r.begin(); i != r.end(); ++i) so_far += i;
    return so_far;
  };
  tbb::task_group_context context;
  EXPECT_EQ(tbb::parallel_reduce(range(0, 100000), 0L, sum, std::plus<long>()), 4999950000L);
  EXPECT_EQ(tbb::parallel_reduce(range(0, 100000), 0L, sum, std::plus<long>(), tbb::static_partitioner(), context),
            4999950000L);
  EXPECT_EQ(tbb::parallel_reduce(range(0, 0), 7L, sum, std::plus<long>()), 7);
}

TEST(parallel_deterministic_reduce, gives_the_same_bits_each_time) {
  const auto sum = [] {
    return tbb::parallel_deterministic_reduce(
        range(1, 200000, 100), 0.0,
        [](const range& r, double so_far) {
          for (int i = r.begin(); i != r.end(); ++i) so_far += 1.0 / i;
          return so_far;
        },
        std::plus<double>());
  };
  const double first = sum();
  for (int repeat = 0; repeat < 50; ++repeat) ASSERT_EQ(sum(), first);
}

struct prefix_body {
  std::vector<long>* out;
  long sum = 0;
  explicit prefix_body(std::vector<long>& to) : out(&to) {}
  prefix_body(prefix_body& like, tbb::split) : out(like.out) {}
  template <class Tag>
  void operator()(const range& r, Tag) {
    for (int i = r.begin(); i != r.end(); ++i) {
      sum += i;
      if (Tag::is_final_scan()) (*out)[static_cast<std::size_t>(i)] = sum;
    }
  }
  void reverse_join(prefix_body& before) { sum += before.sum; }
  void assign(prefix_body& other) { sum = other.sum; }
};

TEST(parallel_scan, gives_all_prefixes) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<long> out(100000), expected(100000);
    std::iota(expected.begin(), expected.end(), 0L);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    prefix_body body(out);
    tbb::parallel_scan(range(0, 100000), body);
    EXPECT_EQ(body.sum, expected.back());
    EXPECT_EQ(out, expected);

    out.assign(out.size(), 0);
    const long all = tbb::parallel_scan(
        range(0, 100000, 50), 0L,
        [&](const range& r, long sum, bool is_final) {
          for (int i = r.begin(); i != r.end(); ++i) {
            sum += i;
            if (is_final) out[static_cast<std::size_t>(i)] = sum;
          }
          return sum;
        },
        [](long a, long b) { return a + b; }, tbb::simple_partitioner());
    EXPECT_EQ(all, expected.back());
    EXPECT_EQ(out, expected);
  }
}

TEST(parallel_invoke, calls_all) {
  std::atomic<int> bits{0};
  tbb::parallel_invoke([&] { bits |= 1; }, [&] { bits |= 2; }, [&] { bits |= 4; });
  tbb::task_group_context context;
  tbb::parallel_invoke([&] { bits |= 8; }, [&] { bits |= 16; }, context);
  EXPECT_EQ(bits.load(), 31);
}

TEST(parallel_sort, sorts) {
  std::vector<unsigned> keys(100000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<unsigned>(i * 2654435761u);
  tbb::parallel_sort(keys.begin(), keys.end());
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  tbb::parallel_sort(keys.begin(), keys.end(), std::greater<unsigned>());
  EXPECT_TRUE(std::is_sorted(keys.rbegin(), keys.rend()));
  tbb::parallel_sort(keys);
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

TEST(parallel_for_each, takes_containers_and_feeds) {
  std::list<int> list(1000, 1);
  tbb::parallel_for_each(list.begin(), list.end(), [](int& one) { ++one; });
  EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0), 2000);
  std::vector<int> array(1000, 1);
  tbb::parallel_for_each(array, [](int& one) { ++one; });
  EXPECT_EQ(std::accumulate(array.begin(), array.end(), 0), 2000);
  std::istringstream text("1 2 3 4");
  std::atomic<int> read{0};
  tbb::parallel_for_each(std::istream_iterator<int>(text), std::istream_iterator<int>(), [&](int one) { read += one; });
  EXPECT_EQ(read.load(), 10);

  std::atomic<int> nodes{0};
  const std::vector<int> roots{10};
  tbb::parallel_for_each(roots.begin(), roots.end(), [&](int depth, tbb::feeder<int>& more) {
    ++nodes;
    for (int child = 0; child < 2 && depth > 0; ++child) more.add(depth - 1);
  });
  EXPECT_EQ(nodes.load(), 2047);
}

TEST(parallel_pipeline, keeps_the_order_and_the_bound) {
  for (const auto first : {tbb::filter_mode::serial_in_order, tbb::filter_mode::serial_out_of_order}) {
    int next = 0;
    std::atomic<int> in_flight{0}, most{0};
    std::vector<int> out;
    const auto read = tbb::make_filter<void, int>(first, [&](tbb::flow_control& flow) {
      if (next == 2000) {
        flow.stop();
        return 0;
      }
      const int now = ++in_flight;
      for (int old = most; old < now && !most.compare_exchange_weak(old, now);) {
      }
      return next++;
    });
    const auto square = tbb::make_filter<int, std::string>(tbb::filter_mode::parallel,
                                                           [](int i) { return std::to_string(i * 2); });
    const auto write = tbb::make_filter<std::string, void>(tbb::filter_mode::serial_in_order, [&](std::string s) {
      out.push_back(std::stoi(s) / 2);
      --in_flight;
    });
    tbb::parallel_pipeline(5, read, square, write);
    std::vector<int> expected(2000);
    std::iota(expected.begin(), expected.end(), 0);
    // The order is that of the first stage that has one.
    if (first == tbb::filter_mode::serial_out_of_order) std::sort(out.begin(), out.end());
    EXPECT_EQ(out, expected);
    EXPECT_LE(most.load(), 5);

    next = 1000;
    tbb::task_group_context context;
    tbb::parallel_pipeline(3, read & square & write, context);
    EXPECT_EQ(out.size(), 3000u);
  }
}

TEST(parallel_pipeline, takes_serial_stages_and_a_parallel_first_one) {
  std::atomic<int> left{500};
  std::mutex alone;
  std::multiset<int> out;
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(tbb::filter_mode::parallel,
                                     [&](tbb::flow_control& flow) {
                                       const int i = --left;
                                       if (i < 0) flow.stop();
                                       return i;
                                     }) &
             tbb::make_filter<int, void>(tbb::filter_mode::serial_out_of_order, [&](int i) {
               ASSERT_TRUE(alone.try_lock());
               out.insert(i);
               alone.unlock();
             }));
  EXPECT_EQ(out.size(), 500u);
}

TEST(parallel_pipeline, throws_what_a_stage_throws) {
  int next = 0;
  const auto all = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                               [&](tbb::flow_control& flow) {
                                                 if (next == 100000) flow.stop();
                                                 return next++;
                                               }) &
                   tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) {
                     if (i == 50) throw std::runtime_error("fifty");
                     return i;
                   }) &
                   tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int) {});
  EXPECT_THROW(tbb::parallel_pipeline(4, all), std::runtime_error);
  EXPECT_LT(next, 100000);
}

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  tbb::task_group group;
  group.run([&] { a = fib(n - 1); });
  const long b = fib(n - 2);
  group.wait();
  return a + b;
}

TEST(task_group, nests_defers_and_can_be_used_again) {
  EXPECT_EQ(fib(16), 987);
  std::atomic<int> ran{0};
  tbb::task_group group;
  group.run([&] { ++ran; });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran.load(), 1);
  tbb::task_handle later = group.defer([&] { ++ran; });
  group.run(std::move(later));
  EXPECT_EQ(group.run_and_wait([&] { ++ran; }), tbb::complete);
  EXPECT_EQ(ran.load(), 3);
}

TEST(task_group, reports_exceptions_and_cancellation) {
  tbb::task_group group;
  group.run([] { throw std::runtime_error("child"); });
  EXPECT_THROW(group.wait(), std::runtime_error);
  group.run([&] { group.cancel(); });
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(group.run_and_wait([] {}), tbb::complete);
}

TEST(task_group, is_cancelled_with_its_context) {
  tbb::task_group_context context;
  tbb::task_group group(context);
  group.run([&] {
    context.cancel_group_execution();
    EXPECT_TRUE(tbb::is_current_task_group_canceling());
  });
  EXPECT_EQ(group.wait(), tbb::canceled);
}

TEST(task_group, takes_tasks_in_code_that_is_cancelled) {
  tbb::task_group_context context;
  tbb::task_group group;
  bool went_on = false;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        context.cancel_group_execution();
        group.run([] {});
        went_on = true;
      },
      context);
  EXPECT_TRUE(went_on);
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST(task_arena, runs_what_it_is_given) {
  tbb::task_arena arena(2);
  EXPECT_EQ(arena.max_concurrency(), 2);
  EXPECT_EQ(arena.execute([] { return 42; }), 42);
  EXPECT_THROW(arena.execute([] { throw std::runtime_error("inside"); }), std::runtime_error);
  EXPECT_EQ(arena.execute([] {
    return tbb::parallel_reduce(
        range(0, 1000), 0, [](const range& r, int sum) { return sum + static_cast<int>(r.size()); }, std::plus<int>());
  }),
            1000);
  EXPECT_TRUE(arena.is_active());
  std::atomic<bool> done{false};
  arena.enqueue([&] { done = true; });
  // Nobody but another worker runs it.
  while (tbb::info::default_concurrency() > 1 && !done) std::this_thread::yield();
  arena.terminate();
  EXPECT_FALSE(arena.is_active());
  EXPECT_EQ(tbb::this_task_arena::isolate([] { return 7; }), 7);
  EXPECT_GE(tbb::this_task_arena::max_concurrency(), 1);
}

TEST(task_arena, numbers_threads_that_run_at_the_same_time_differently) {
  std::atomic<int> inside[64] = {};
  tbb::parallel_for(
      0, 10000,
      [&](int) {
        const int me = tbb::this_task_arena::current_thread_index();
        ASSERT_LT(me, 64);
        ASSERT_EQ(inside[me]++, 0);
        --inside[me];
      },
      tbb::simple_partitioner());
}

// isolate() is for code that holds on to what belongs to its thread across an algorithm.
TEST(task_arena, isolation_keeps_the_thread) {
  tbb::parallel_for(0, 64, [](int) {
    tbb::this_task_arena::isolate([] {
      const auto before = std::this_thread::get_id();
      std::atomic<int> ran{0};
      tbb::parallel_for(0, 2000, [&](int) { ++ran; });
      EXPECT_EQ(std::this_thread::get_id(), before);
    });
  });
}

TEST(enumerable_thread_specific, has_an_element_for_each_thread) {
  tbb::enumerable_thread_specific<long> sums(0L);
  tbb::parallel_for(range(0, 100000), [&](const range& r) {
    long& mine = sums.local();
    for (int i = r.begin(); i != r.end(); ++i) mine += i;
  });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), 4999950000L);
  EXPECT_EQ(sums.combine(std::plus<long>()), 4999950000L);
  long all = 0;
  sums.combine_each([&](long one) { all += one; });
  EXPECT_EQ(all, 4999950000L);
  std::atomic<long> ranged{0};
  tbb::parallel_for(sums.range(), [&](const auto& r) {
    for (const long& one : r) ranged += one;
  });
  EXPECT_EQ(ranged.load(), 4999950000L);
  const auto copied = sums;
  EXPECT_EQ(copied.size(), sums.size());
  sums.clear();
  EXPECT_TRUE(sums.empty());
  bool exists = true;
  EXPECT_EQ(sums.local(exists), 0);
  EXPECT_FALSE(exists);
  sums.local(exists);
  EXPECT_TRUE(exists);
}

TEST(enumerable_thread_specific, is_built_as_it_is_told) {
  tbb::enumerable_thread_specific<std::vector<int>> made([] { return std::vector<int>{1, 2}; });
  EXPECT_EQ(made.local().size(), 2u);
  tbb::enumerable_thread_specific<std::vector<int>> arguments(3u, 7);
  EXPECT_EQ(arguments.local(), (std::vector<int>{7, 7, 7}));
  // Many at a time, and threads of one's own.
  std::vector<tbb::enumerable_thread_specific<int>> many(40);
  for (int i = 0; i < 40; ++i) many[static_cast<std::size_t>(i)].local() = i;
  std::thread other([&] {
    for (auto& one : many) EXPECT_EQ(one.local(), 0);
  });
  other.join();
  for (int i = 0; i < 40; ++i) EXPECT_EQ(many[static_cast<std::size_t>(i)].local(), i);
  EXPECT_EQ(many[0].size(), 2u);
}

TEST(combinable, combines) {
  tbb::combinable<int> counts([] { return 0; });
  tbb::parallel_for(0, 1000, [&](int) { ++counts.local(); });
  EXPECT_EQ(counts.combine(std::plus<int>()), 1000);
}

TEST(global_control, tells_what_it_was_given) {
  using control = tbb::global_control;
  const control limit(control::max_allowed_parallelism, 1);
  EXPECT_EQ(control::active_value(control::max_allowed_parallelism), 1u);
}

// What is not scheduled remains oneTBB's.
TEST(containers, go_with_the_algorithms) {
  tbb::concurrent_vector<int> found;
  tbb::parallel_for(0, 1000, [&](int i) { found.push_back(i); });
  std::atomic<long> sum{0};
  tbb::parallel_for(found.range(), [&](const auto& r) {
    for (const int one : r) sum += one;
  });
  EXPECT_EQ(sum.load(), 499500);
  // It has a thread-specific element of its own.
  tbb::concurrent_map<int, int> squares;
  tbb::parallel_for(0, 1000, [&](int i) { squares.emplace(i, i * i); });
  EXPECT_EQ(squares.size(), 1000u);
}

}  // namespace
