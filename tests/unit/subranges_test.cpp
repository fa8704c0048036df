// Bodies that get a sub-range, a box, or the next element of a range without random access.
#include <takt/parallel_for_each.hpp>
#include <takt/stop.hpp>
#include <takt/subranges.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <ranges>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

using takt_test::error_of;
using takt_test::fib;
using takt_test::planned_error;
using takt_test::under_some_settings;

constexpr std::uint64_t k_endless = std::uint64_t{1} << 50;

template <class Body>
void where_somebody_looks(Body body) {
  for (const takt::config& c : takt_test::each_setting()) {
    if (c.trigger == takt::trigger::never || (TAKT_TEST_THREAD_SANITIZER && c.workers == 1)) continue;
    SCOPED_TRACE(takt_test::describe(c));
    takt::configure(c);
    body();
  }
}

// --- sub-ranges of a loop --------------------------------------------------------------------------------------

template <class I>
void expect_each_index_once(I first, std::size_t count) {
  std::vector<std::atomic<int>> seen(count);
  takt::parallel_for(first, static_cast<I>(first + static_cast<I>(count)), [&](I begin, I end) {
    EXPECT_LT(begin, end);
    for (; begin != end; ++begin) seen[static_cast<std::size_t>(begin - first)].fetch_add(1);
  });
  for (const auto& n : seen) ASSERT_EQ(n.load(), 1);
}

TEST(subranges, each_index_is_in_one) {
  under_some_settings([] {
    for (const std::size_t count : {0, 1, 2, 100, 50'000}) {
      expect_each_index_once(std::size_t{0}, count);
      expect_each_index_once(-static_cast<long>(count / 2), count);
    }
    expect_each_index_once(static_cast<signed char>(-100), 200);
    expect_each_index_once(std::numeric_limits<std::uint64_t>::max() - 3000, 3000);
    takt::parallel_for(3, 1, [](int, int) { ADD_FAILURE() << "a reversed range has sub-ranges"; });
    std::atomic<long> sum{0};
    takt::parallel_for(0, 1000L, [&](long begin, long end) { sum += end - begin; });
    EXPECT_EQ(sum.load(), 1000);
  });
}

TEST(subranges, of_iterators_and_ranges) {
  under_some_settings([] {
    std::vector<int> v(20'000);
    std::deque<int> d(3000);
    const auto increment = [](auto begin, auto end) {
      for (; begin != end; ++begin) ++*begin;
    };
    takt::parallel_for(v.begin(), v.end(), increment);
    takt::parallel_for(v, increment);
    takt::parallel_for(std::span(v), increment);
    takt::parallel_for(d.begin() + 10, d.end() - 10, increment);
    for (const int x : v) ASSERT_EQ(x, 3);
    for (std::size_t k = 0; k < d.size(); ++k) ASSERT_EQ(d[k], k >= 10 && k < d.size() - 10 ? 1 : 0);
    takt::parallel_for(v.begin(), v.begin(), [](auto, auto) { ADD_FAILURE() << "an empty range has sub-ranges"; });
  });
}

TEST(subranges, nest_and_take_bodies_of_any_kind) {
  under_some_settings([] {
    std::atomic<long> sum{0};
    // Too large to be copied into the loop.
    const auto shared = std::make_shared<long>(1);
    takt::parallel_for(0, 300, [&sum, shared](int begin, int end) {
      takt::parallel_for(begin, end, [&sum, shared](int b, int e) {
        for (; b < e; ++b) sum += *shared + fib(5) - 5;
      });
    });
    EXPECT_EQ(sum.load(), 300);
  });
}

TEST(subranges, all_are_called_and_the_first_error_arrives) {
  under_some_settings([] {
    std::vector<std::atomic<int>> seen(20'000);
    const long error = error_of([&] {
      takt::parallel_for(0, 20'000, [&](int begin, int end) {
        long first = -1;
        for (int i = begin; i < end; ++i) {
          seen[static_cast<std::size_t>(i)].fetch_add(1);
          if (first < 0 && i % 1000 == 999) first = i;
        }
        if (first >= 0) throw planned_error(first);
      });
    });
    EXPECT_EQ(error, 999);
    for (const auto& n : seen) ASSERT_EQ(n.load(), 1);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(subranges, are_stopped) {
  where_somebody_looks([] {
    std::stop_source source;
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t begin, std::uint64_t end) {
        if (begin <= 1000 && 1000 < end) source.request_stop();
      });
      ADD_FAILURE() << "goes on behind a loop that is not complete";
    }));
    EXPECT_EQ(error_of([&] {
                (void)takt::with_stop(takt::on_exception::stop, [&] {
                  takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t begin, std::uint64_t end) {
                    if (begin <= 1000 && 1000 < end) throw planned_error(1000);
                  });
                });
              }),
              1000);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

// --- boxes -----------------------------------------------------------------------------------------------------

/// How often each cell of a box was in a part.
class cells {
 public:
  explicit cells(const takt::box<int, 3>& all) : all_(all), seen_(static_cast<std::size_t>(side(0) * side(1) * side(2))) {}

  void see(const takt::box<int, 3>& part) {
    for (int x = part.first[0]; x < part.last[0]; ++x) {
      for (int y = part.first[1]; y < part.last[1]; ++y) {
        for (int z = part.first[2]; z < part.last[2]; ++z) at(x, y, z).fetch_add(1);
      }
    }
  }
  bool all_once() const {
    return std::ranges::all_of(seen_, [](const std::atomic<int>& n) { return n.load() == 1; });
  }

 private:
  long side(std::size_t d) const { return all_.last[d] - all_.first[d]; }
  std::atomic<int>& at(int x, int y, int z) {
    return seen_[static_cast<std::size_t>(((x - all_.first[0]) * side(1) + (y - all_.first[1])) * side(2) +
                                          (z - all_.first[2]))];
  }

  takt::box<int, 3> all_;
  std::vector<std::atomic<int>> seen_;
};

TEST(boxes, each_cell_is_in_one_tile) {
  under_some_settings([] {
    for (const takt::box<int, 3>& all :
         {takt::box(1, 1, 1), takt::box(40, 30, 20), takt::box({-7, 3, 100}, {50, 4, 137}), takt::box(3, 1, 2000)}) {
      cells single(all);
      takt::parallel_for(all, takt::tile(1, 1, 1), [&](const takt::box<int, 3>& part) { single.see(part); });
      EXPECT_TRUE(single.all_once());
      cells tiles(all);
      takt::parallel_for(all, takt::tile(8, 0, 16), [&](const takt::box<int, 3>& part) {
        for (std::size_t d = 0; d < 3; ++d) {
          const int most[] = {8, 1, 16};
          EXPECT_EQ((part.first[d] - all.first[d]) % most[d], 0);
          EXPECT_EQ(part.last[d], std::min(part.first[d] + most[d], all.last[d]));
        }
        tiles.see(part);
      });
      EXPECT_TRUE(tiles.all_once());
    }
  });
}

TEST(boxes, an_empty_side_is_an_empty_box) {
  under_some_settings([] {
    takt::parallel_for(takt::box(10, 0), takt::tile(1, 1), [](auto) { ADD_FAILURE(); });
    takt::parallel_for(takt::box({0, 5}, {10, 4}), takt::tile(2, 2), [](auto) { ADD_FAILURE(); });
  });
}

TEST(boxes, a_box_may_be_all_of_a_type_and_a_tile_half_of_it) {
  constexpr auto k_all = std::numeric_limits<std::uint64_t>::max();
  using limits = std::numeric_limits<std::int64_t>;
  const auto sum_of_sides = [](const auto& all, const auto& side) {
    std::atomic<std::uint64_t> sum{0};
    takt::parallel_for(all, side, [&](const auto& part) {
      EXPECT_LT(part.first[0], part.last[0]);
      sum += static_cast<std::uint64_t>(part.last[0]) - static_cast<std::uint64_t>(part.first[0]);
    });
    return sum.load();
  };
  under_some_settings([&] {
    EXPECT_EQ(sum_of_sides(takt::box(k_all), takt::tile(k_all / 2 + 1)), k_all);
    EXPECT_EQ(sum_of_sides(takt::box({limits::min()}, {limits::max()}), takt::tile(limits::max())), k_all);
    // A side below 1 is 1.
    std::atomic<int> tiles{0};
    takt::parallel_for(takt::box(7), takt::tile(-3), [&](auto) { ++tiles; });
    EXPECT_EQ(tiles, 7);
  });
}

TEST(boxes, halves_of_the_longest_side_follow_each_other) {
  takt::configure(takt_test::settings(1, takt::trigger::never));
  std::vector<std::pair<int, int>> seen;
  takt::parallel_for(takt::box(4, 2), takt::tile(1, 1), [&](const auto& one) { seen.emplace_back(one.first[0], one.first[1]); });
  const std::vector<std::pair<int, int>> expected{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}};
  EXPECT_EQ(seen, expected);
  // Tiles are counted, not cells.
  seen.clear();
  takt::parallel_for(takt::box(4, 8), takt::tile(1, 8), [&](const auto& one) { seen.emplace_back(one.first[0], one.last[1]); });
  EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{0, 8}, {1, 8}, {2, 8}, {3, 8}}));
}

TEST(boxes, all_tiles_are_called_and_the_first_error_arrives) {
  under_some_settings([] {
    std::atomic<int> called{0};
    const long error = error_of([&] {
      takt::parallel_for(takt::box(64, 64), takt::tile(4, 4), [&](const auto& part) {
        called.fetch_add(1);
        if (part.first[0] >= 8) throw planned_error(part.first[0] * 64 + part.first[1]);
      });
    });
    EXPECT_EQ(error, 8 * 64);
    EXPECT_EQ(called.load(), 256);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(boxes, are_stopped) {
  where_somebody_looks([] {
    std::stop_source source;
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      takt::parallel_for(takt::box(k_endless / 1024, 4096), takt::tile(64, 64), [&](const auto& part) {
        if (part.first[0] == 0 && part.first[1] == 128) source.request_stop();
      });
    }));
    EXPECT_EQ(error_of([&] {
                (void)takt::with_stop(takt::on_exception::stop, [&] {
                  takt::parallel_for(takt::box(k_endless / 4096, 4096), takt::tile(1, 64), [&](const auto& part) {
                    if (part.first[0] == 0 && part.first[1] == 0) throw planned_error(3);
                  });
                });
              }),
              3);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

// --- reductions with a body that splits and joins --------------------------------------------------------------

template <class At>
struct collected : takt_test::counted<collected<At>> {
  collected() = default;
  collected(collected&, takt::split) {}
  collected(collected&& other) noexcept : all(std::move(other.all)) {}
  void operator()(At first, At last) {
    for (; first != last; ++first) all.push_back(static_cast<long>(value(first)));
  }
  void join(collected& right) { all.insert(all.end(), right.all.begin(), right.all.end()); }
  static auto value(At at) {
    if constexpr (takt::index<At>) {
      return at;
    } else {
      return *at;
    }
  }
  std::vector<long> all;
};

TEST(splitting_bodies, collect_in_order) {
  under_some_settings([] {
    for (const long count : {0L, 1L, 30'000L}) {
      collected<long> body;
      takt::parallel_reduce(0, count, body);
      std::vector<long> expected(static_cast<std::size_t>(count));
      for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = static_cast<long>(k);
      EXPECT_EQ(body.all, expected);
      collected<std::vector<long>::iterator> elements;
      takt::parallel_reduce(expected.begin(), expected.end(), elements);
      EXPECT_EQ(elements.all, expected);
    }
  });
  EXPECT_EQ(collected<long>::live(), 0);
}

TEST(splitting_bodies, the_first_error_arrives_and_stops_are_heard) {
  struct throwing : collected<int> {
    throwing() = default;
    throwing(throwing& other, takt::split s) : collected<int>(other, s) {}
    throwing(throwing&&) = default;
    void operator()(int first, int last) {
      for (; first != last; ++first) {
        (void)fib(first % 4);
        if (first % 500 == 499) throw planned_error(first);
      }
    }
    void join(throwing&) {}
  };
  under_some_settings([] {
    throwing body;
    EXPECT_EQ(error_of([&] { takt::parallel_reduce(0, 10'000, body); }), 499);
  });
  struct stopping {
    explicit stopping(std::stop_source& s) : source(&s) {}
    stopping(stopping& other, takt::split) : source(other.source) {}
    void operator()(std::uint64_t begin, std::uint64_t end) {
      if (begin <= 1000 && 1000 < end) source->request_stop();
    }
    void join(stopping&) {}
    std::stop_source* source;
  };
  where_somebody_looks([] {
    std::stop_source source;
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      stopping body(source);
      takt::parallel_reduce(std::uint64_t{0}, k_endless, body);
    }));
  });
  EXPECT_EQ(planned_error::live(), 0);
  EXPECT_EQ(collected<int>::live(), 0);
}

// --- parallel_for_each -----------------------------------------------------------------------------------------

template <class Range>
void expect_all_incremented(Range range) {
  takt::parallel_for_each(range, [](auto& x) { ++x; });
  takt::parallel_for_each(range.begin(), range.end(), [](auto& x) { ++x; });
  for (const auto& x : range) ASSERT_EQ(x, 2);
}

TEST(parallel_for_each, over_ranges_of_all_kinds) {
  under_some_settings([] {
    for (const std::size_t count : {0u, 1u, 1024u, 1025u, 5000u}) {
      expect_all_incremented(std::list<int>(count));
      expect_all_incremented(std::forward_list<int>(count));
      expect_all_incremented(std::vector<int>(count));
    }
    std::map<int, int> m;
    for (int k = 0; k < 3000; ++k) m[k] = k;
    takt::parallel_for_each(m, [](auto& pair) { pair.second *= 2; });
    for (const auto& [key, value] : m) ASSERT_EQ(value, 2 * key);
    std::atomic<long> sum{0};
    const std::set<int> s{1, 2, 3};
    takt::parallel_for_each(s, [&](int x) { sum += x; });
    takt::parallel_for_each(std::views::iota(0, 3000) | std::views::filter([](int x) { return x % 3 == 0; }),
                            [&](int x) { sum += x; });
    EXPECT_EQ(sum.load(), 6 + 3 * (999 * 1000 / 2));
  });
}

TEST(parallel_for_each, all_elements_run_and_the_first_error_arrives) {
  under_some_settings([] {
    std::list<int> all(4000);
    int number = 0;
    for (int& x : all) x = number++;
    std::atomic<int> ran{0};
    EXPECT_EQ(error_of([&] {
                takt::parallel_for_each(all, [&](int x) {
                  ran.fetch_add(1);
                  if (x % 1500 == 1499) throw planned_error(x);
                });
              }),
              1499);
    EXPECT_EQ(ran.load(), 4000);
    // A step that throws ends the walk. What comes before it runs.
    ran = 0;
    auto even = std::views::iota(0, 8000) | std::views::filter([](int x) {
                        if (x == 7001) throw planned_error(x);
                        return x % 2 == 0;
                      });
    EXPECT_EQ(error_of([&] { takt::parallel_for_each(even, [&](int) { ran.fetch_add(1); }); }), 7001);
    EXPECT_EQ(ran.load(), 3501);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(parallel_for_each, is_stopped) {
  where_somebody_looks([] {
    std::stop_source source;
    auto endless = std::views::iota(std::uint64_t{0}) | std::views::filter([](std::uint64_t) { return true; });
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      takt::parallel_for_each(endless, [&](std::uint64_t x) {
        if (x == 10'000) source.request_stop();
      });
    }));
    std::stop_source another;
    EXPECT_FALSE(takt::with_stop(another.get_token(), [&] {
      takt::parallel_for_each(std::list{1}, [&](int x, takt::feeder<int>& more) {
        if (x == 1000) another.request_stop();
        more.add(x < 1'000'000 ? x + 1 : x);
      });
    }));
    EXPECT_EQ(error_of([&] {
                (void)takt::with_stop(takt::on_exception::stop, [&] {
                  takt::parallel_for_each(endless, [&](std::uint64_t x) {
                    if (x == 1000) throw planned_error(1000);
                  });
                });
              }),
              1000);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(parallel_for_each, items_that_are_added_run_too) {
  under_some_settings([] {
    std::vector<std::atomic<int>> seen(4096);
    takt::parallel_for_each(std::list{1}, [&](int node, takt::feeder<int>& more) {
      seen[static_cast<std::size_t>(node)].fetch_add(1);
      if (2 * node + 1 < 4096) {
        more.add(2 * node);
        more.add(2 * node + 1);
      }
    });
    for (std::size_t k = 1; k < seen.size(); ++k) ASSERT_EQ(seen[k].load(), 1);
    // A chain that is long, and items that only move.
    std::atomic<long> sum{0};
    std::vector<std::unique_ptr<long>> first;
    first.push_back(std::make_unique<long>(20'000));
    takt::parallel_for_each(first, [&](std::unique_ptr<long>& n, takt::feeder<std::unique_ptr<long>>& more) {
      sum += 1;
      if (*n > 1) more.add(std::make_unique<long>(*n - 1));
    });
    EXPECT_EQ(sum.load(), 20'000);
  });
}

TEST(parallel_for_each, added_items_all_run_and_an_error_arrives) {
  under_some_settings([] {
    std::atomic<int> ran{0};
    EXPECT_EQ(error_of([&] {
                takt::parallel_for_each(std::list{0, 0}, [&](int depth, takt::feeder<int>& more) {
                  ran.fetch_add(1);
                  if (depth == 6) throw planned_error(6);
                  more.add(depth + 1);
                  more.add(depth + 1);
                });
              }),
              6);
    EXPECT_EQ(ran.load(), 2 * 127);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

}  // namespace
