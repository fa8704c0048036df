// per_worker, reducers and random streams.
#include <takt/algorithms.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <thread>

namespace {

using namespace takt_test;

TEST(algorithms_reducers, sums_minima_maxima_and_lists) {
  under_some_settings([] {
    EXPECT_EQ(takt::reducing_for(0, 5000, takt::sum_reducer<long>{}, [](int i, long& total) { total += i; }),
              4999L * 5000 / 2);
    const std::vector<int> a = numbers(3000, 1'000'000);
    EXPECT_EQ(takt::reducing_for(a, takt::min_reducer<int>{}, [](int x, int& least) { least = std::min(least, x); }),
              *std::ranges::min_element(a));
    EXPECT_EQ(takt::reducing_for(a, takt::max_reducer<int>{}, [](int x, int& most) { most = std::max(most, x); }),
              *std::ranges::max_element(a));
    EXPECT_EQ(takt::reducing_for(0, 0, takt::max_reducer<int>{}, [](int, int&) {}), std::numeric_limits<int>::min());
    const auto odd = takt::reducing_for(0, 3000, takt::append_reducer<int>{}, [](int i, std::vector<int>& all) {
      if (i % 2 == 1) all.push_back(i);
    });
    ASSERT_EQ(odd.size(), 1500u);
    for (std::size_t k = 0; k < odd.size(); ++k) EXPECT_EQ(odd[k], static_cast<int>(2 * k + 1));
    const takt::custom_reducer joined{[] { return std::string(); },
                                      [](std::string& left, std::string&& right) { left += right; }};
    std::string expected;
    for (int i = 0; i < 2000; ++i) expected += std::to_string(i);
    EXPECT_EQ(takt::reducing_for(0, 2000, joined, [](int i, std::string& text) { text += std::to_string(i); }),
              expected);
  });
}

using counts = std::array<long, 4>;

// However a combine says what it has combined; one that returns a value was once called in vain.
TEST(algorithms_reducers, a_combine_may_return) {
  const auto into = [](counts& a, const counts& b) -> counts& {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
  };
  struct with_a_member {
    counts identity() const { return {}; }
    counts combine(const counts& a, const counts& b) const {
      counts sum = a;
      for (std::size_t k = 0; k < a.size(); ++k) sum[k] += b[k];
      return sum;
    }
  };
  const auto nothing = [] { return counts{}; };
  under_some_settings([&] {
    const auto count = [](int i, counts& v) { ++v[static_cast<std::size_t>(i) % 4]; };
    const counts expected{1250, 1250, 1250, 1250};
    const takt::custom_reducer changing{nothing, [into](counts& a, const counts& b) { into(a, b); }};
    EXPECT_EQ(takt::reducing_for(0, 5000, changing, count), expected);
    const takt::custom_reducer returning{nothing, [into](counts a, const counts& b) { return into(a, b); }};
    EXPECT_EQ(takt::reducing_for(0, 5000, returning, count), expected);
    EXPECT_EQ(takt::reducing_for(0, 5000, takt::custom_reducer{nothing, into}, count), expected);
    EXPECT_EQ(takt::reducing_for(0, 5000, with_a_member{}, count), expected);
    const takt::custom_reducer joined{[] { return std::string(); }, std::plus<std::string>()};
    std::string text;
    for (int i = 0; i < 500; ++i) text += std::to_string(i);
    EXPECT_EQ(takt::reducing_for(0, 500, joined, [](int i, std::string& t) { t += std::to_string(i); }), text);
  });
}

TEST(algorithms_reducers, the_first_exception_arrives) {
  under_some_settings([] {
    try {
      (void)takt::reducing_for(0, 5000, takt::append_reducer<move_only>{}, [](int i, std::vector<move_only>& all) {
        if (i >= 99) throw planned_error(i);
        all.emplace_back(i);
      });
      FAIL() << "nothing thrown";
    } catch (const planned_error& e) {
      EXPECT_EQ(e.id, 99);
    }
  });
  EXPECT_EQ(move_only::live(), 0);
  EXPECT_EQ(planned_error::live(), 0);
}

struct scratch : counted<scratch> {
  long sum = 0;
};

TEST(algorithms_reducers, scratch_is_created_at_most_once_per_worker) {
  under_some_settings([] {
    takt::per_worker<scratch> scratches;
    EXPECT_EQ(scratch::live(), 0);
    takt::parallel_for(0, 5000, [&](int i) { scratches.with([i](scratch& s) { s.sum += i; }); });
    EXPECT_GE(scratch::live(), 1);
    EXPECT_LE(scratch::live(), static_cast<int>(takt::current_config().workers));
    long total = 0;
    scratches.for_each([&total](const scratch& s) { total += s.sum; });
    EXPECT_EQ(total, 4999L * 5000 / 2);
  });
  EXPECT_EQ(scratch::live(), 0);
}

// All but one sleep, and each gets its turn: one that nobody wakes would sleep for ever.
TEST(algorithms_reducers, scratch_for_more_threads_than_workers) {
  for (const unsigned workers : {1u, 2u}) {
    takt::configure(eager(workers));
    takt::per_worker<scratch> scratches;
    constexpr int k_threads = 6;
    constexpr int k_uses = 2000;
    std::vector<std::thread> threads;
    for (int t = 0; t < k_threads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < k_uses; ++i) {
          scratches.with([](scratch& s) {
            const long before = s.sum;
            // Others run, find no object, and go to sleep.
            std::this_thread::yield();
            s.sum = before + 1;
          });
        }
      });
    }
    for (std::thread& t : threads) t.join();
    long total = 0;
    scratches.for_each([&total](const scratch& s) { total += s.sum; });
    EXPECT_EQ(total, long{k_threads} * k_uses);
    EXPECT_LE(scratch::live(), static_cast<int>(workers));
  }
  EXPECT_EQ(scratch::live(), 0);
}

TEST(algorithms_reducers, scratch_of_any_type_and_exceptions) {
  takt::configure(eager(2));
  takt::per_worker<std::vector<int>> vectors([] { return std::vector<int>(3, 7); });
  EXPECT_EQ(vectors.with([](std::vector<int>& v) { return v.size(); }), 3u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_THROW(vectors.with([](std::vector<int>&) { throw planned_error(1); }), planned_error);
  }
  EXPECT_EQ(vectors.with([](std::vector<int>& v) { return v[1]; }), 7);
}

TEST(algorithms_reducers, random_numbers_depend_on_seed_and_index_alone) {
  const takt::random_stream stream(42);
  std::vector<std::uint64_t> expected(2000);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = stream(k);
  under_some_settings([&] {
    EXPECT_EQ(takt::tabulate(expected.size(), [&](std::size_t k) { return takt::random_stream(42)(k); }), expected);
  });
  EXPECT_NE(takt::random_stream(43)(0), stream(0));
  EXPECT_NE(stream.fork(0)(0), stream.fork(1)(0));
  double sum = 0;
  for (std::uint64_t k = 0; k < 100'000; ++k) {
    sum += stream.unit(k);
    EXPECT_LT(stream.below(k, 10), 10u);
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.01);
}

}  // namespace
