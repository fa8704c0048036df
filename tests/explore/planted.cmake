# The mistakes of the twins that are not in an access: each is made when sync::planted names it.
include("${PROJECT_SOURCE_DIR}/tests/support/plant.cmake")

takt_plant(explore src/promotion/promote.cpp
[[      own_join(s)->begin(1, start);
      takt_hot.split = s + 1;]]
[[      own_join(s)->begin(1, start);
      if (!sync::makes_mistake("stale split")) takt_hot.split = s + 1;]])

takt_plant(explore src/join/join.cpp
[[  f->split = takt_hot.split;
  end_free_loops]]
[[  if (!sync::makes_mistake("split stays behind")) f->split = takt_hot.split;
  end_free_loops]])

takt_plant(explore src/join/join.cpp
[[  if (join.finish()) {
    worker& w]]
[[  if (join.finish() && !sync::makes_mistake("nobody resumes another waiter")) {
    worker& w]])

takt_plant(explore src/worker/scheduler.cpp
[[  if (loop_ends(root) || (may_work && work_visible(w))]]
[[  if ((!sync::makes_mistake("sleeps without a second look") && loop_ends(root)) || (may_work && work_visible(w))]])
takt_plant(explore src/worker/scheduler.cpp
[[    if (!sleepers_.cancel(w)) os.park(w.parker, 0);
    return;]]
[[    if (!sleepers_.cancel(w) && !sync::makes_mistake("leaves the token")) os.park(w.parker, 0);
    return;]])
takt_plant(explore src/worker/scheduler.cpp
[[    if (join->arrive()) w.resume_next = f;]]
[[    if (join->arrive() || sync::makes_mistake("does not wait")) w.resume_next = f;]])

takt_plant(explore src/group/group.cpp
[[      if (g.oldest == nullptr || !g.join.add()) return;]]
[[      if (g.oldest == nullptr || !g.join.add()) return;
      if (sync::makes_mistake("a batch does not count")) (void)g.join.finish();]])
takt_plant(explore src/group/group.cpp
[[    if (!g.join.finish()) return;]]
[[    if (sync::makes_mistake("a batch does not count") || !g.join.finish()) return;]])
takt_plant(explore src/group/group.cpp
[[      wait_for(g.join, &g.held);
      g.join.reopen();]]
[[      wait_for(g.join, &g.held);
      if (!sync::makes_mistake("does not reopen")) g.join.reopen();]])
takt_plant(explore src/group/group.cpp
[[  } while (has_latent(g));]]
[[  } while (has_latent(g) && !sync::makes_mistake("waits once"));]])

foreach(header IN ITEMS detail/fork.hpp detail/loop.hpp parallel_reduce.hpp)
  takt_plant(explore include/takt/${header} "#pragma once" "#pragma once\n#include \"sync/explored.hpp\"")
endforeach()
takt_plant(explore include/takt/detail/fork.hpp
[=[    left_result first = left();
    set_head(s);
    if (is_promoted(s)) [[unlikely]]
      return {std::move(first), detail::join_promoted<G, right_result>(s)};
    // The]=]
[=[    left_result first = left();
    const bool early = is_promoted(s);
    set_head(s);
    if (sync::makes_mistake("compares before the pop") ? early : is_promoted(s)) [[unlikely]]
      return {std::move(first), detail::join_promoted<G, right_result>(s)};
    // The]=])
takt_plant(explore include/takt/detail/loop.hpp
[[  *const_cast<volatile std::uint64_t*>(&frame.next) = next;
  TAKT_POINT();
  const std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);]]
[[  const std::uint64_t early = frame.end;
  TAKT_POINT();
  *const_cast<volatile std::uint64_t*>(&frame.next) = next;
  TAKT_POINT();
  std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);
  if (sync::makes_mistake("reads the bound first")) end = early;]])
takt_plant(explore include/takt/detail/loop.hpp
[[    for (std::size_t h = 1; h <= halves; ++h) {
      if (kept_[h]) keep(0, at(h));
    }]]
[[    for (std::size_t h = 1; h <= halves; ++h) {
      const std::size_t from = sync::makes_mistake("later error first") ? halves + 1 - h : h;
      if (kept_[from]) keep(0, at(from));
    }]])
takt_plant(explore include/takt/parallel_reduce.hpp
[[own.sum_ = combine(std::move(own.sum_), std::move(own.half(h)));]]
[[{
        const std::uint64_t from = sync::makes_mistake("wrong reduction order") ? halves - 1 - h : h;
        own.sum_ = combine(std::move(own.sum_), std::move(own.half(from)));
      }]])
