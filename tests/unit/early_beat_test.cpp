// A fork that may be long and follows a promotion closely: its beat may fall into code that never polls. Where a signal
// will bring it, it waits; where none arrives, it is spent before it is due.
#include <takt/takt.hpp>

#include "support/settings.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

struct fork_of {
  bool signals_arrive;
  std::uint64_t beats;  ///< how long the fork took lately
  bool promoted = false;
};

// Pushes the oldest frame of the call.
void push(void* given) {
  auto& fork = *static_cast<fork_of*>(given);
  takt::core::worker& w = *takt::core::this_worker();
  w.reach.hears.store(fork.signals_arrive ? 1 : 0, takt::sync::relaxed);
  // A call begins with one.
  w.beat.kept = false;
  takt::abi::site where;
  where.span_ticks = fork.beats * w.owner.beat_ticks;
  takt::abi::slot* const pushed = takt::detail::head();
  pushed->run = [](takt::abi::slot*) {};
  takt::detail::set_head(pushed + 1);
  takt_fork_pushed(&where);
  fork.promoted = takt::detail::is_promoted(pushed);
  takt::detail::set_head(pushed);
  if (fork.promoted) (void)takt_join(pushed);
}

// Whether such a fork became a task when it was pushed, no beat being due.
bool promoted_when_pushed(bool signals_arrive, std::uint64_t beats, takt::trigger trigger = takt::trigger::lazy) {
  takt::configure(takt_test::settings(2, trigger, std::chrono::seconds(1)));
  fork_of fork{signals_arrive, beats};
  EXPECT_TRUE(takt_enter(&push, &fork));
  return fork.promoted;
}

TEST(early_beat, is_spent_where_no_signal_arrives) { EXPECT_TRUE(promoted_when_pushed(false, 2)); }

TEST(early_beat, waits_where_a_signal_will_bring_it) { EXPECT_FALSE(promoted_when_pushed(true, 2)); }

TEST(early_beat, is_not_for_what_is_short) { EXPECT_FALSE(promoted_when_pushed(false, 1)); }

TEST(early_beat, is_the_lazy_triggers_alone) {
  EXPECT_FALSE(promoted_when_pushed(false, 2, takt::lab::beat));
}

}  // namespace
