// Calls out of short loops that keep the loop's registers (detail/aside.hpp).
#include <takt/takt.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using takt::detail::aside_error;

// What the functions below are given and leave.
struct numbers {
  std::int64_t a, b, result;
};
struct large {
  std::uint64_t from;
  std::array<std::uint64_t, 7> all;
};
struct throwing {
  int i;
  aside_error error;
};

// What a function may do to registers that calls do not preserve.
[[gnu::noinline]] void spoil_registers() {
#if defined(__x86_64__)
  __asm__ volatile(
      "movq $-1, %%rax\n\tmovq %%rax, %%rcx\n\tmovq %%rax, %%rdx\n\tmovq %%rax, %%rsi\n\tmovq %%rax, %%rdi\n\t"
      "movq %%rax, %%r8\n\tmovq %%rax, %%r9\n\tmovq %%rax, %%r10\n\tmovq %%rax, %%r11\n\t"
      "movq %%rax, %%xmm0\n\tmovq %%rax, %%xmm1\n\tmovq %%rax, %%xmm7\n\tmovq %%rax, %%xmm15\n\t"
      "fld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfninit"
      :
      :
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm7", "xmm15", "st", "st(1)",
        "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "memory");
#endif
}

TAKT_ASIDE void add(numbers* given) noexcept {
  spoil_registers();
  given->result = given->a + given->b;
}

TAKT_ASIDE void fill(large* given) noexcept {
  for (std::uint64_t i = 0; i < given->all.size(); ++i) given->all[i] = given->from + i;
}

TAKT_ASIDE void tell_address(std::uintptr_t* there) noexcept {
  alignas(16) volatile char aligned[16] = {};
  *there = reinterpret_cast<std::uintptr_t>(&aligned[0]);
}

TAKT_ASIDE void throw_if_even(throwing* given) noexcept {
  try {
    if (given->i % 2 == 0) throw std::runtime_error(std::to_string(given->i));
  } catch (...) {
    given->error.keep(std::current_exception());
  }
}

TEST(aside, keeps_what_lives_across_it) {
  const std::vector<std::int64_t> given{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  const std::vector<double> reals{0.5, 1.5, 2.5};
  // As many values as there are registers, all of them needed before and after.
  std::int64_t total = 0;
  double real_total = 0;
  for (int round = 0; round < 3; ++round) {
    const std::int64_t a = given[0] + round, b = given[1] + round, c = given[2] + round, d = given[3] + round,
                       e = given[4] + round, f = given[5] + round, g = given[6] + round, h = given[7] + round,
                       i = given[8] + round, j = given[9] + round, k = given[10] + round, l = given[11] + round;
    const double x = reals[0] * round, y = reals[1] * round, z = reals[2] * round;
    const long double wide = static_cast<long double>(x) + y;
    total += a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
    numbers both{a, b, 0};
    add(&both);
    const std::int64_t result = both.result;
    total += a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + result;
    real_total += x + 2 * y + 3 * z + static_cast<double>(wide);
  }
  // Exclusive or, products and results of the three rounds.
  EXPECT_EQ(total, 12 + 0 + 12 + 650 + 728 + 806 + 3 + 5 + 7);
  EXPECT_EQ(real_total, 3 * (0.5 + 3 + 7.5 + 2));
}

TEST(aside, leaves_what_is_larger_than_a_register) {
  const volatile std::uint64_t given = 5;
  large made{given, {}};
  fill(&made);
  for (std::uint64_t i = 0; i < made.all.size(); ++i) EXPECT_EQ(made.all[i], made.from + i);
}

TEST(aside, has_an_aligned_stack) {
  std::uintptr_t address = 1;
  tell_address(&address);
  EXPECT_EQ(address % 16, 0u);
}

TEST(aside, lets_an_exception_through_and_ends_what_lives_around_it) {
  struct counts_its_end {
    int* ended;
    ~counts_its_end() { ++*ended; }
  };
  int ended = 0;
  for (int i = 0; i < 100; ++i) {
    try {
      const counts_its_end guard{&ended};
      throwing made{i, {}};
      throw_if_even(&made);
      made.error.rethrow();
      EXPECT_EQ(i % 2, 1);
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(i));
    }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }
  EXPECT_EQ(ended, 100);
}

// The loop over rows calls aside for a row that is long; what the row throws comes out of the loop over rows.
TEST(aside, rows_of_all_lengths_give_the_serial_answer) {
  const std::int64_t rows = 2000;
  std::vector<std::int64_t> begin{0};
  for (std::int64_t r = 0; r < rows; ++r) begin.push_back(begin.back() + (r % 97 == 0 ? 3000 : r % 5));
  std::vector<double> sums(static_cast<std::size_t>(rows));
  const std::int64_t* const from = begin.data();
  double* const to = sums.data();
  for (int times = 0; times < 3; ++times) {
    takt::parallel_for(std::int64_t{0}, rows, [=](std::int64_t r) {
      to[r] = takt::parallel_reduce(
          from[r], from[r + 1], 0.0, [=](std::int64_t k) { return static_cast<double>(k % 8); }, std::plus<>{});
    });
    for (std::int64_t r = 0; r < rows; ++r) {
      double expected = 0;
      for (std::int64_t k = from[r]; k < from[r + 1]; ++k) expected += static_cast<double>(k % 8);
      ASSERT_EQ(to[r], expected) << r;
    }
  }
  std::vector<int> ran(static_cast<std::size_t>(rows));
  int* const seen = ran.data();
  EXPECT_THROW(takt::parallel_for(std::int64_t{0}, rows,
                                  [=](std::int64_t r) {
                                    seen[r] = 1;
                                    to[r] = takt::parallel_reduce(
                                        from[r], from[r + 1], 0.0,
                                        [=](std::int64_t k) {
                                          if (k % 1000 == 999) throw std::out_of_range("k");
                                          return 1.0;
                                        },
                                        std::plus<>{});
                                  }),
               std::out_of_range);
  for (std::int64_t r = 0; r < rows; ++r) EXPECT_EQ(ran[static_cast<std::size_t>(r)], 1) << r;
}

}  // namespace
