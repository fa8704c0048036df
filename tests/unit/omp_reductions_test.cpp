// Reductions over OpenMP tasks: which copy a task gets, and what becomes of the copies.
#include <takt/omp.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace {

struct counter {
  long value;
};
long alive = 0;
long combined = 0;

// kmp_taskred_input_t, as Clang writes it.
struct reduced {
  void* address;
  void* original;
  std::uint64_t bytes;
  void (*initialise)(void* copy, void* original);
  void (*finalise)(void* copy);
  void (*combine)(void* into, void* from);
  std::uint32_t flags;
};

reduced sum_of(counter& c) {
  return {&c,
          &c,
          sizeof(counter),
          [](void* copy, void* original) {
            static_cast<counter*>(copy)->value = 10 * static_cast<counter*>(original)->value;
            ++alive;
          },
          [](void*) { --alive; },
          [](void* into, void* from) {
            static_cast<counter*>(into)->value += static_cast<counter*>(from)->value;
            ++combined;
          },
          0};
}

struct OmpReductions : testing::Test {
  void SetUp() override { alive = combined = 0; }
};

TEST_F(OmpReductions, ATaskHasItsCopyForItself) {
  counter c{1};
  const reduced what = sum_of(c);
  takt::abi::omp_reductions group{nullptr, &what, 1, nullptr};
  auto* const first = static_cast<counter*>(takt_omp_borrow(&group, &c));
  // It waits; another task begins, which knows the variable by the copy of the task around it.
  auto* const second = static_cast<counter*>(takt_omp_borrow(&group, first));
  EXPECT_NE(first, &c);
  EXPECT_NE(first, second);
  EXPECT_EQ(first->value, 10);
  EXPECT_EQ(second->value, 10);
  second->value += 1;
  takt_omp_give_back(second);
  // The next one goes on with what it left.
  auto* const third = static_cast<counter*>(takt_omp_borrow(&group, second));
  EXPECT_EQ(third, second);
  EXPECT_EQ(third->value, 11);
  takt_omp_give_back(first);
  takt_omp_give_back(third);
  EXPECT_EQ(c.value, 1);
  takt_omp_combine(&group);
  EXPECT_EQ(c.value, 1 + 10 + 11);
  EXPECT_EQ(combined, 2);
  EXPECT_EQ(alive, 0);
}

// Of reduction(task, ...): a function names the program's variable, not that of the thread which the group adds to.
TEST_F(OmpReductions, AVariableIsKnownByWhatTheProgramHas) {
  counter a{1}, of_thread{2};
  reduced what = sum_of(of_thread);
  what.original = &a;
  takt::abi::omp_reductions group{nullptr, &what, 1, nullptr};
  auto* const first = static_cast<counter*>(takt_omp_borrow(&group, &a));
  auto* const second = static_cast<counter*>(takt_omp_borrow(&group, &of_thread));
  EXPECT_NE(first, second);
  takt_omp_give_back(first);
  takt_omp_give_back(second);
  EXPECT_EQ(takt_omp_borrow(&group, &a), first);
  takt_omp_give_back(first);
  takt_omp_combine(&group);
  EXPECT_EQ(a.value, 1);
  EXPECT_EQ(of_thread.value, 2 + 2 * 10);
}

std::uint64_t seen_bytes[3];

TEST_F(OmpReductions, WhatMakesCombinesAndDestroysACopyIsToldHowLongItIs) {
  std::vector<long> a(7), b(3000);
  const auto described = [](std::vector<long>& all) {
    return reduced{all.data(),
                   all.data(),
                   all.size() * sizeof(long),
                   [](void* copy, void*) { seen_bytes[0] += takt_omp_reduced_bytes(copy); },
                   [](void* copy) { seen_bytes[2] += takt_omp_reduced_bytes(copy); },
                   [](void*, void* from) { seen_bytes[1] += takt_omp_reduced_bytes(from); },
                   1};
  };
  const reduced what[] = {described(a), described(b)};
  takt::abi::omp_reductions group{nullptr, what, 2, nullptr};
  void* const first = takt_omp_borrow(&group, a.data());
  void* const second = takt_omp_borrow(&group, b.data());
  void* const third = takt_omp_borrow(&group, second);
  EXPECT_EQ(takt_omp_reduced_bytes(first), 7 * sizeof(long));
  for (void* copy : {first, second, third}) takt_omp_give_back(copy);
  takt_omp_combine(&group);
  for (const std::uint64_t bytes : seen_bytes) EXPECT_EQ(bytes, (7 + 3000 + 3000) * sizeof(long));
}

TEST_F(OmpReductions, VariablesAreToldApartByTheirAddressAndThatOfEachCopy) {
  counter a{1}, b{2};
  const reduced what[] = {sum_of(a), sum_of(b)};
  takt::abi::omp_reductions group{nullptr, what, 2, nullptr};
  std::vector<counter*> of_a, of_b;
  std::set<counter*> different;
  void* at_a = &a;
  void* at_b = &b;
  for (int i = 0; i < 1000; ++i) {
    at_a = of_a.emplace_back(static_cast<counter*>(takt_omp_borrow(&group, at_a)));
    at_b = of_b.emplace_back(static_cast<counter*>(takt_omp_borrow(&group, at_b)));
    EXPECT_EQ(of_a.back()->value, 10);
    EXPECT_EQ(of_b.back()->value, 20);
    different.insert({of_a.back(), of_b.back()});
  }
  EXPECT_EQ(different.size(), 2000u);
  EXPECT_EQ(alive, 2000);
  for (counter* copy : of_a) takt_omp_give_back(copy);
  for (counter* copy : of_b) takt_omp_give_back(copy);
  takt_omp_combine(&group);
  EXPECT_EQ(a.value, 1 + 1000 * 10);
  EXPECT_EQ(b.value, 2 + 1000 * 20);
  EXPECT_EQ(alive, 0);
}

TEST_F(OmpReductions, AVariableIsThatOfTheInnermostGroupThatReducesIt) {
  counter a{1}, b{2}, c{3};
  const reduced of_outer[] = {sum_of(a), sum_of(b)};
  takt::abi::omp_reductions outer{nullptr, of_outer, 2, nullptr};
  auto* const own = static_cast<counter*>(takt_omp_borrow(&outer, &a));
  // Inside the task that has it: a group of that copy, of a variable that the other one reduces, too, and one more.
  const reduced of_inner[] = {sum_of(*own), sum_of(b)};
  takt::abi::omp_reductions inner{nullptr, of_inner, 2, &outer};
  const reduced of_innermost = sum_of(c);
  takt::abi::omp_reductions innermost{nullptr, &of_innermost, 1, &inner};

  auto* const outer_a = static_cast<counter*>(takt_omp_borrow(&innermost, &a));
  EXPECT_EQ(inner.made, nullptr);
  EXPECT_EQ(innermost.made, nullptr);
  auto* const inner_a = static_cast<counter*>(takt_omp_borrow(&innermost, own));
  auto* const inner_b = static_cast<counter*>(takt_omp_borrow(&innermost, &b));
  auto* const innermost_c = static_cast<counter*>(takt_omp_borrow(&innermost, &c));
  // By the address of a copy, from a group in which nobody has taken one of its own.
  auto* const again = static_cast<counter*>(takt_omp_borrow(&innermost, inner_a));
  outer_a->value += 1;
  inner_a->value += 100;
  inner_b->value += 1000;
  innermost_c->value += 10000;
  for (counter* copy : {outer_a, inner_a, inner_b, innermost_c, again}) takt_omp_give_back(copy);
  takt_omp_combine(&innermost);
  EXPECT_EQ(c.value, 3 + 10 * 3 + 10000);
  takt_omp_combine(&inner);
  EXPECT_EQ(own->value, 10 + 2 * 10 * 10 + 100);
  EXPECT_EQ(b.value, 2 + 10 * 2 + 1000);
  takt_omp_give_back(own);
  takt_omp_combine(&outer);
  EXPECT_EQ(a.value, 1 + (10 + 200 + 100) + (10 + 1));
  EXPECT_EQ(alive, 0);
}

TEST_F(OmpReductions, TheFirstTasksMayBeginAtOneTime) {
  for (int round = 0; round < 200; ++round) {
    counter c{1};
    const reduced what{&c, &c, sizeof(counter), nullptr, nullptr, sum_of(c).combine, 0};
    takt::abi::omp_reductions group{nullptr, &what, 1, nullptr};
    std::atomic<int> ready{0};
    const auto task = [&] {
      ++ready;
      while (ready.load() != 2) std::this_thread::yield();
      auto* const copy = static_cast<counter*>(takt_omp_borrow(&group, &c));
      copy->value += 1;
      takt_omp_give_back(copy);
    };
    std::thread other(task);
    task();
    other.join();
    combined = 0;
    takt_omp_combine(&group);
    ASSERT_EQ(c.value, 3);
  }
}

TEST_F(OmpReductions, CopiesShareNoCacheLine) {
  char c = 1;
  reduced what{&c,
               &c,
               1,
               nullptr,
               nullptr,
               [](void* into, void* from) {
                 *static_cast<char*>(into) = static_cast<char>(*static_cast<char*>(into) + *static_cast<char*>(from));
               },
               0};
  takt::abi::omp_reductions group{nullptr, &what, 1, nullptr};
  void* const first = takt_omp_borrow(&group, &c);
  void* const second = takt_omp_borrow(&group, &c);
  for (void* copy : {first, second}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy) % 64, 0u);
    EXPECT_EQ(*static_cast<char*>(copy), 0);
    *static_cast<char*>(copy) = 3;
    takt_omp_give_back(copy);
  }
  takt_omp_combine(&group);
  EXPECT_EQ(c, 7);
}

using OmpReductionsDeathTest = OmpReductions;

TEST_F(OmpReductionsDeathTest, AnAddressOfNoVariableIsNamed) {
  counter c{1}, other{1};
  const reduced what = sum_of(c);
  takt::abi::omp_reductions group{nullptr, &what, 1, nullptr};
  EXPECT_DEATH((void)takt_omp_borrow(&group, &other), "takt: a task has in_reduction of a variable that no taskgroup");
}

}  // namespace
