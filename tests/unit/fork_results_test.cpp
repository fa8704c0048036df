// Results that do not fit the slot of a fork, or that a runtime could get wrong: large, over-aligned, never default
// constructed, never copied; and that none of them is leaked or destroyed twice.
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using takt::fork_join;
using takt_test::fib;
using takt_test::fork_apart;
using takt_test::under_each_setting;

template <std::size_t Words>
struct words {
  std::array<std::uint64_t, Words> word;
  explicit words(std::uint64_t seed) {
    for (std::size_t i = 0; i < Words; ++i) word[i] = seed * 1000 + i;
  }
  friend bool operator==(const words&, const words&) = default;
};

// Recursion, so that results cross suspended frames and several levels hold one at the same time.
template <class Result>
Result deepest(std::uint64_t level) {
  if (level == 0) return Result(0);
  auto [left, right] = fork_join([=] { return deepest<Result>(level - 1); }, [=] { return Result(level); });
  EXPECT_EQ(left, Result(level - 1));
  return std::move(right);
}

template <class Result>
void check_results() {
  under_each_setting([] { EXPECT_EQ(deepest<Result>(12), Result(12)); });
}

TEST(fork_results, as_large_as_the_slot) { check_results<words<5>>(); }
TEST(fork_results, larger_than_the_slot) { check_results<words<6>>(); }
TEST(fork_results, of_a_page) { check_results<words<512>>(); }

// On stacks that have room for what the program itself keeps there, and not for all results of a fork once more.
template <class Body>
void on_small_stacks(const Body& body) {
  for (const takt::trigger trigger : {takt::lab::eager, takt::trigger::lazy, takt::trigger::never}) {
    takt::config c;
    c.workers = 2;
    c.trigger = trigger;
    c.stack_bytes = std::size_t{TAKT_TEST_SANITIZER ? 2048 : 512} << 10;
    takt::configure(c);
    takt::parallel_for(0, 20, [&body](int) { body(); });
  }
}

using wide = words<8192>;  // 64 KiB
std::uint64_t number(long n) { return static_cast<std::uint64_t>(fib(n)); }

TEST(fork_results, that_would_fill_the_stack) {
  on_small_stacks([] {
    const auto [a, b] = fork_join([] { return wide(number(9)); }, [] { return wide(number(8)); });
    EXPECT_EQ(a.word[99], number(9) * 1000 + 99);
    EXPECT_EQ(b.word[8191], number(8) * 1000 + 8191);
  });
}

TEST(fork_results, of_three_that_would_fill_the_stack) {
  on_small_stacks([] {
    const auto [a, b, c] = fork_join([] { return wide(number(9)); }, [] { return number(8); }, [] { return wide(number(7)); });
    EXPECT_EQ(a.word[99], number(9) * 1000 + 99);
    EXPECT_EQ(b, number(8));
    EXPECT_EQ(c.word[8191], number(7) * 1000 + 8191);
  });
}

TEST(fork_results, of_hinted_forks_that_would_fill_the_stack) {
  on_small_stacks([] {
    const auto [a, b] = fork_join(
        takt::weights(2, 1), [] { return wide(number(9)); }, [] { return wide(number(8)); });
    EXPECT_EQ(a.word[99], number(9) * 1000 + 99);
    EXPECT_EQ(b.word[8191], number(8) * 1000 + 8191);
  });
}

TEST(fork_results, of_reductions_that_would_fill_the_stack) {
  using counters = std::array<std::uint64_t, 8192>;
  on_small_stacks([] {
    const auto add = [](counters&& a, const counters& b) -> counters&& {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
      return std::move(a);
    };
    const auto count = [](int i) {
      counters some{};
      some[static_cast<std::size_t>(i) % 7] = 1;
      return some;
    };
    const counters sum = takt::parallel_reduce(0, 70, counters{}, count, add);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(sum[i], i < 7 ? 10u : 0u);
  });
}

template <std::size_t Alignment>
struct alignas(Alignment) aligned {
  std::uint64_t value;
  explicit aligned(std::uint64_t v) : value(v) { check(); }
  aligned(const aligned& other) : value(other.value) { check(); }
  aligned& operator=(const aligned&) = default;
  // Not by an assertion of the test framework, which the compiler may reason about: by the address itself.
  void check() const {
    volatile auto address = reinterpret_cast<std::uintptr_t>(this);
    EXPECT_EQ(address % Alignment, 0u);
  }
  friend bool operator==(const aligned&, const aligned&) = default;
};

TEST(fork_results, aligned_to_16_bytes) { check_results<aligned<16>>(); }
TEST(fork_results, aligned_to_a_cache_line) { check_results<aligned<64>>(); }
TEST(fork_results, aligned_to_256_bytes) { check_results<aligned<256>>(); }

struct no_default : takt_test::counted<no_default> {
  explicit no_default(std::uint64_t v) : value(v) {}
  no_default() = delete;
  std::uint64_t value;
  friend bool operator==(const no_default& a, const no_default& b) { return a.value == b.value; }
};

TEST(fork_results, without_default_constructor) {
  check_results<no_default>();
  EXPECT_EQ(no_default::live(), 0);
}

struct move_only : takt_test::counted<move_only> {
  explicit move_only(std::uint64_t v) : value(std::make_unique<std::uint64_t>(v)) {}
  move_only(move_only&&) noexcept = default;
  move_only& operator=(move_only&&) noexcept = default;
  std::unique_ptr<std::uint64_t> value;
  std::array<std::uint64_t, 8> bulk{};  // beyond the slot
  friend bool operator==(const move_only& a, const move_only& b) { return *a.value == *b.value; }
};

TEST(fork_results, that_can_only_be_moved) {
  check_results<move_only>();
  EXPECT_EQ(move_only::live(), 0);
}

struct not_assignable {
  const std::uint64_t value;
  explicit not_assignable(std::uint64_t v) : value(v) {}
};

TEST(fork_results, that_cannot_be_assigned) {
  under_each_setting([] {
    const auto [a, b] = fork_join([] { return not_assignable(1); }, [] { return not_assignable(2); });
    EXPECT_EQ(a.value, 1u);
    EXPECT_EQ(b.value, 2u);
  });
}

TEST(fork_results, are_destroyed_when_the_other_branch_throws) {
  under_each_setting([] {
    for (int round = 0; round < 50; ++round) {
      EXPECT_THROW(fork_join(
                       [] {
                         (void)fib(5);
                         return move_only(1);
                       },
                       []() -> move_only { throw takt_test::planned_error(1); }),
                   takt_test::planned_error);
      EXPECT_THROW(fork_join([]() -> move_only { throw takt_test::planned_error(1); },
                             [] {
                               (void)fib(5);
                               return no_default(1);
                             }),
                   takt_test::planned_error);
    }
    EXPECT_EQ(move_only::live(), 0);
    EXPECT_EQ(no_default::live(), 0);
    EXPECT_EQ(takt_test::planned_error::live(), 0);
  });
}

TEST(fork_results, of_a_stolen_branch_are_destroyed_when_the_left_branch_throws) {
  takt::configure(takt_test::eager(2));
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(fork_apart([]() -> int { throw takt_test::planned_error(1); }, [] { return move_only(1); }),
                 takt_test::planned_error);
    EXPECT_THROW(fork_apart([]() -> int { throw takt_test::planned_error(1); }, [] { return no_default(1); }),
                 takt_test::planned_error);
    EXPECT_THROW(fork_apart([]() -> int { throw takt_test::planned_error(1); },
                            []() -> int { throw takt_test::planned_error(2); }),
                 takt_test::planned_error);
  }
  EXPECT_EQ(move_only::live(), 0);
  EXPECT_EQ(no_default::live(), 0);
  EXPECT_EQ(takt_test::planned_error::live(), 0);
}

TEST(fork_results, structured_bindings_and_tuples_of_moved_values) {
  under_each_setting([] {
    auto [text, pointer, numbers] =
        fork_join([] { return std::string(60, 'x'); }, [] { return std::make_unique<long>(fib(9)); },
                  [] { return std::vector<int>{1, 2, 3}; });
    EXPECT_EQ(text.size(), 60u);
    EXPECT_EQ(*pointer, 34);
    EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3}));
  });
}

}  // namespace
