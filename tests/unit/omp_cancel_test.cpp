// What `cancel` ends in converted code: a loop's slices, and the tasks of a taskgroup, and nothing else.
#include <takt/omp.hpp>
#include <takt/stopping.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace {

using takt::abi::loop_chunk;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_way;

// More iterations than any test waits for.
constexpr std::uint64_t k_endless = std::uint64_t{1} << 50;

template <class Body>
void under_each_setting(Body body) {
  for (const takt::config& c : takt_test::each_setting()) {
    SCOPED_TRACE(takt_test::describe(c));
    takt::configure(c);
    body();
  }
}

struct searched {
  std::uint64_t wanted;
  std::atomic<std::uint64_t> found{0};
};

// As the plugin writes it: claims in place until a look is due.
loop_chunk next_chunk(omp_frame* frame) {
  takt::abi::loop_cursor& c = frame->cursor;
  if (const std::uint64_t at = c.at; at < c.look) {
    const std::uint64_t past = takt::detail::claim(c.frame, at, c.chunk);
    if (past == at + c.chunk) {
      c.at = past;
      return {at, past};
    }
  }
  return takt_omp_next(frame);
}

void search(void* environment, omp_frame* frame) {
  auto& all = *static_cast<searched*>(environment);
  takt_omp_begin(frame, nullptr);
  for (loop_chunk c = next_chunk(frame); c.begin < c.end; c = next_chunk(frame)) {
    for (std::uint64_t i = c.begin; i < c.end; ++i) {
      if (i == all.wanted) {
        ++all.found;
        if (takt_omp_cancel(frame, 1) != 0) break;
      }
      if (takt_omp_is_cancelled(frame) != 0) break;
    }
  }
  (void)takt_omp_end(frame);
}

TEST(cancelled_loop, ends_wherever_its_iterations_are) {
  static takt::abi::site where;
  const omp_loop what{&search, &where, nullptr, 0, 0, 0};
  under_each_setting([&] {
    for (const std::uint64_t wanted : {std::uint64_t{0}, std::uint64_t{TAKT_TEST_SANITIZER ? 10'000 : 100'000}}) {
      searched all{wanted};
      takt_omp_run(&what, &all, k_endless, omp_way::outside);
      EXPECT_EQ(all.found, 1u);
      takt::fork_join([&] { takt_omp_run(&what, &all, k_endless, omp_way::framed); }, [] {});
      EXPECT_EQ(all.found, 2u);
    }
  });
}

TEST(cancelled_loop, goes_on_where_the_program_may_not_cancel) {
  static takt::abi::site where;
  const auto ignored = [](void* environment, omp_frame* frame) {
    takt_omp_begin(frame, nullptr);
    for (loop_chunk c = next_chunk(frame); c.begin < c.end; c = next_chunk(frame)) {
      EXPECT_EQ(takt_omp_cancel(frame, 0), 0u);
      *static_cast<std::atomic<std::uint64_t>*>(environment) += c.end - c.begin;
    }
    (void)takt_omp_end(frame);
  };
  const omp_loop what{ignored, &where, nullptr, 0, 0, 0};
  std::atomic<std::uint64_t> ran{0};
  takt_omp_run(&what, &ran, 100'000, omp_way::outside);
  EXPECT_EQ(ran, 100'000u);
}

// It took less time than its iterations would have taken.
TEST(cancelled_loop, tells_nothing_of_its_cost) {
  takt::configure(takt_test::settings(1, takt::lab::beat, std::chrono::seconds(10)));
  static takt::abi::site where;
  const omp_loop what{&search, &where, nullptr, 0, 0, 0};
  const std::uint32_t unknown = where.unit_cost;
  searched all{3};
  takt_omp_run(&what, &all, 1'000'000, omp_way::timed);
  EXPECT_EQ(where.unit_cost, unknown);
  all.wanted = k_endless;
  takt_omp_run(&what, &all, 1'000'000, omp_way::timed);
  EXPECT_NE(where.unit_cost, unknown);
}

struct group {
  group() { takt_omp_group_begin(&scope); }
  ~group() { takt_omp_group_end(); }
  takt::abi::stop_scope scope;
};

void check_groups() {
  EXPECT_EQ(takt_omp_group_is_cancelled(), 0u);
  const group outer;
  {
    const group inner;
    EXPECT_EQ(takt_omp_group_cancel(0), 0u);
    EXPECT_EQ(takt_omp_group_is_cancelled(), 0u);
    EXPECT_EQ(takt_omp_group_cancel(1), 1u);
    EXPECT_EQ(takt_omp_group_is_cancelled(), 1u);
    // Nothing of the library ends, and what it runs elsewhere knows of the group.
    EXPECT_FALSE(takt::stop_requested());
    std::atomic<int> ran{0};
    takt::parallel_for(0, 10'000, [&](int) { ran += static_cast<int>(takt_omp_group_is_cancelled()); });
    if (takt_hot.head != nullptr) {
      EXPECT_EQ(ran, 10'000);
    }
  }
  EXPECT_EQ(takt_omp_group_is_cancelled(), 0u);
}

TEST(cancelled_taskgroup, is_the_innermost_one_alone) {
  under_each_setting([] {
    check_groups();
    takt::fork_join([] { check_groups(); }, [] { check_groups(); });
  });
}

// A group between an exception and what it stops is none of its business.
TEST(cancelled_taskgroup, lets_an_exception_stop_what_is_around) {
  takt::configure(takt_test::settings(2, takt::lab::beat, std::chrono::microseconds(0)));
  takt::with_stop(takt::on_exception::stop, [] {
    const group around;
    const auto body = [](int i) {
      if (i == 7) throw std::runtime_error("planned");
    };
    EXPECT_THROW(takt::parallel_for(0, 100, body), std::runtime_error);
    EXPECT_TRUE(takt::stop_requested());
  });
}

}  // namespace
