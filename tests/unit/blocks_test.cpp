// The table of the library that watches allocations: what is put in is found once, whoever else puts and takes.
#include "preload/blocks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using takt::preload::blocks;

const void* address(std::uintptr_t n) { return reinterpret_cast<const void*>(n << 12); }

TEST(blocks, what_is_put_is_taken_once) {
  blocks table;
  ASSERT_TRUE(table.begin());
  EXPECT_EQ(table.take(address(1)).bytes, 0u);
  ASSERT_TRUE(table.put(address(1), {70'000, 0}));
  ASSERT_TRUE(table.put(address(2), {80'000, 0}));
  EXPECT_EQ(table.take(address(1)).bytes, 70'000u);
  EXPECT_EQ(table.take(address(1)).bytes, 0u);
  ASSERT_TRUE(table.put(address(1), {90'000, 0}));
  EXPECT_EQ(table.take(address(2)).bytes, 80'000u);
  EXPECT_EQ(table.take(address(1)).bytes, 90'000u);
}

TEST(blocks, have_their_place) {
  blocks table;
  ASSERT_TRUE(table.begin());
  constexpr std::uint64_t k_largest = (std::uint64_t{1} << 48) - 1;
  ASSERT_TRUE(table.put(address(1), {k_largest, 0xfedc}));
  const auto found = table.take(address(1));
  EXPECT_EQ(found.bytes, k_largest);
  EXPECT_EQ(found.place, 0xfedc);
  EXPECT_FALSE(table.put(address(1), {k_largest + 1, 0})) << "it would be another place";
}

// Addresses of one bucket.
std::vector<const void*> neighbours(std::size_t count) {
  std::vector<const void*> found;
  for (std::uintptr_t n = 1; found.size() < count; ++n) {
    if (blocks::bucket_of(address(n)) == 5) found.push_back(address(n));
  }
  return found;
}

TEST(blocks, a_full_bucket_refuses) {
  blocks table;
  ASSERT_TRUE(table.begin());
  const auto them = neighbours(blocks::k_in_bucket + 1);
  for (std::size_t i = 0; i < blocks::k_in_bucket; ++i) EXPECT_TRUE(table.put(them[i], {i + 1, 0}));
  EXPECT_FALSE(table.put(them.back(), {99, 0}));
  EXPECT_EQ(table.take(them[3]).bytes, 4u);
  EXPECT_TRUE(table.put(them.back(), {99, 0}));
  EXPECT_EQ(table.take(them.back()).bytes, 99u);
}

TEST(blocks, threads_in_one_bucket_find_their_own) {
  blocks table;
  ASSERT_TRUE(table.begin());
  const auto them = neighbours(4);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < them.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 1; i <= 20'000; ++i) {
        const std::size_t bytes = i * 8 + t;
        if (!table.put(them[t], {bytes, 0}) || table.take(them[t]).bytes != bytes) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
