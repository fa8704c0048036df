// Scope ids and deque entries.
#include "worker/scopes.hpp"
#include "worker/worker.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using takt::abi::slot;
using takt::core::scope_table;
namespace entry = takt::core::entry;

TEST(scopes, ids_are_different_while_they_are_held) {
  scope_table scopes;
  std::set<std::uint32_t> taken;
  for (std::uint32_t i = 0; i < scope_table::k_most; ++i) {
    const std::uint32_t id = scopes.take();
    ASSERT_NE(id, 0u);
    ASSERT_LE(id, scope_table::k_most);
    ASSERT_TRUE(taken.insert(id).second);
  }
  EXPECT_EQ(scopes.take(), 0u);
  scopes.release(77);
  EXPECT_EQ(scopes.take(), 77u);
}

TEST(scopes, an_id_that_is_held_is_not_given_out) {
  scope_table scopes;
  const std::uint32_t id = scopes.take();
  EXPECT_TRUE(scopes.is_alone(id));
  scopes.hold(id);
  EXPECT_FALSE(scopes.is_alone(id));
  scopes.release(id);  // the call is over; a child is not
  for (std::uint32_t i = 1; i < scope_table::k_most; ++i) ASSERT_NE(scopes.take(), id);
  EXPECT_EQ(scopes.take(), 0u);
  scopes.release(id);
  EXPECT_EQ(scopes.take(), id);
}

TEST(entries, name_every_task_of_57_bits) {
  for (const std::uint64_t address : {std::uint64_t{64}, std::uint64_t{0x7fff'ffff'ffc0},
                                      std::uint64_t{0xffff'8000'1000}, std::uint64_t{0x01ff'ffff'ffff'ffc0}}) {
    auto* const task = reinterpret_cast<slot*>(address);
    for (const std::uint32_t scope : {0u, 1u, scope_table::k_most}) {
      EXPECT_EQ(entry::task(entry::make(task, scope)), task);
      EXPECT_EQ(entry::scope(entry::make(task, scope)), scope);
    }
    EXPECT_TRUE(entry::can_name(task));
  }
  EXPECT_FALSE(entry::can_name(reinterpret_cast<slot*>(0x0b00'ffff'8000'1000)));
}

}  // namespace
