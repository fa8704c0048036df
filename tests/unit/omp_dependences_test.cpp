// Tasks with depend clauses: which come after one that waits.
#include <takt/omp.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

// kmp_depend_info, as Clang writes it.
struct dependence {
  const void* address;
  std::uint64_t bytes;
  std::uint8_t kind;
};
constexpr std::uint8_t k_in = 1, k_inout = 3, k_mutexinoutset = 4, k_inoutset = 8, k_all_memory = 0x80;

struct waiting {
  ~waiting() { takt_omp_forget(&known); }
  void add(const std::vector<dependence>& list) {
    takt_omp_depend(&known, static_cast<std::int32_t>(list.size()), list.data());
  }
  bool are_before(const std::vector<dependence>& list) const {
    return takt_omp_is_in_conflict(known, static_cast<std::int32_t>(list.size()), list.data());
  }
  void* known = nullptr;
};

char memory[20000];

TEST(OmpDependences, ReadersGoTogetherAndNobodyElse) {
  waiting tasks;
  tasks.add({{memory, 1, k_in}, {memory + 1, 1, k_inout}});
  EXPECT_FALSE(tasks.are_before({{memory, 1, k_in}}));
  for (const std::uint8_t kind : {k_inout, k_mutexinoutset, k_inoutset}) {
    EXPECT_TRUE(tasks.are_before({{memory, 1, kind}})) << int{kind};
  }
  EXPECT_TRUE(tasks.are_before({{memory + 1, 1, k_in}}));
  EXPECT_TRUE(tasks.are_before({{memory + 2, 1, k_inout}, {memory + 1, 1, k_in}}));
  EXPECT_FALSE(tasks.are_before({{memory + 2, 1, k_inout}}));
  EXPECT_FALSE(tasks.are_before({}));
  // A reader becomes a writer, and stays one.
  tasks.add({{memory, 1, k_inoutset}});
  tasks.add({{memory, 1, k_in}});
  EXPECT_TRUE(tasks.are_before({{memory, 1, k_in}}));
}

TEST(OmpDependences, ManyAddressesAreToldApart) {
  waiting tasks;
  for (int i = 0; i < 20000; i += 2) tasks.add({{memory + i, 1, i % 4 == 0 ? k_in : k_inout}});
  for (int i = 0; i < 20000; ++i) {
    EXPECT_EQ(tasks.are_before({{memory + i, 1, k_in}}), i % 4 == 2) << i;
    EXPECT_EQ(tasks.are_before({{memory + i, 1, k_inout}}), i % 2 == 0) << i;
  }
}

TEST(OmpDependences, AllMemoryIsInConflictWithAllThatWaits) {
  waiting tasks;
  tasks.add({});
  EXPECT_FALSE(tasks.are_before({{nullptr, 0, k_all_memory}}));
  tasks.add({{memory, 1, k_in}});
  EXPECT_TRUE(tasks.are_before({{nullptr, 0, k_all_memory}}));
  tasks.add({{nullptr, 0, k_all_memory}});
  EXPECT_TRUE(tasks.are_before({{memory + 5, 1, k_in}}));
}

TEST(OmpDependences, NothingIsLeftBehindAWait) {
  waiting tasks;
  tasks.add({{memory, 1, k_inout}});
  takt_omp_forget(&tasks.known);
  EXPECT_EQ(tasks.known, nullptr);
  tasks.add({{memory + 1, 1, k_inout}});
  EXPECT_FALSE(tasks.are_before({{memory, 1, k_inout}}));
}

}  // namespace
