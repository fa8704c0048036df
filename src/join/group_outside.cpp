// Groups of threads in no call: lent ones, and waits. See README.md beside this file.
#include "join/group_parts.hpp"

namespace takt::core {

namespace {

// How long it was that the last one that was lent lay there, until it had been waited for. A hint.
sync::atomic<std::uint64_t> last_lent_ticks{~std::uint64_t{0}};

// For a thread without a fiber, which has no list of its own.
group_child* take_latent_outside(group_state& g) noexcept {
  if (!g.anything_shared()) return nullptr;
  const guarded guard(g);
  collect(g);
  group_child* const c = take_one(g.shared, g.order);
  if (c != nullptr) count_out(g);
  return c;
}

// On a thread that is not a worker.
bool run_injected_child(group_state& g) {
  process::begin_call();
  runtime* r = process::current();
  const bool ran = r != nullptr && run_injected(*r, g.word);
  process::end_call();
  return ran;
}

}  // namespace

void begin_lending(group_state& g) noexcept {
  // Of several threads one does so.
  if (g.lends.exchange(1, sync::acq_rel) != 0) return;
  // Without a runtime nobody would ever look.
  if (process::current() == nullptr) {
    auto nothing = [] {};
    (void)enter_with(nothing);
  }
  {
    const guarded guard(g);
    g.is_lent = true;
    g.lent_at.store(takt::platform::current().now(), sync::relaxed);
    if (!g.shared.empty()) lent_children::with_some.fetch_add(1, sync::seq_cst);
  }
  lent_children::add(g);
}

// Where such a group was over before one who is woken would have come, it is enough that somebody wakes by itself.
void wake_for_lent() noexcept {
  process::begin_call();
  if (runtime* const r = process::current(); r != nullptr) {
    const bool is_short = last_lent_ticks.load(sync::relaxed) < r->beat_ticks;
    if (!is_short || r->sentinel.load(sync::relaxed) == 0) lent_children::wake_for_some(*r);
  }
  process::end_call();
}

void take_back_lent(group_state& g) noexcept {
  if (g.lends.load(sync::acquire) == 0) return;
  lent_children::remove(g);
  {
    const guarded guard(g);
    if (!g.shared.empty()) lent_children::with_some.fetch_sub(1, sync::relaxed);
    g.is_lent = false;
  }
  g.lends.store(0, sync::release);
}

void wait_outside(group_state& g) {
  auto body = [&g] { wait_inside(g, *this_fiber()); };
  if ((has_latent(g) || !g.word.children_done()) && !enter_with(body)) {
    // No stack: the children run here, and may add more. Others may have handed theirs to everybody; if there is no
    // thread either, nobody else takes them. A worker that has taken some may lack a stack, too, for what these wait
    // for: so it is tried again.
    for (unsigned round = 0;; ++round) {
      if (group_child* c = take_latent_outside(g); c != nullptr) {
        run_child(&c->task);
      } else if (g.word.children_done()) {
        break;
      } else if (!run_injected_child(g)) {
        if (enter_with(body)) break;
        relax_here(round);
      }
    }
  }
  g.home.store(nullptr, sync::relaxed);
  g.scope.store(0, sync::relaxed);
  if (const std::uint64_t since = g.lent_at.load(sync::relaxed); since != 0) {
    g.lent_at.store(0, sync::relaxed);
    last_lent_ticks.store(takt::platform::current().now() - since, sync::relaxed);
  }
}

// In a child of fork(2).
void group_state::is_lent_no_more() noexcept {
  lends.store(0, sync::relaxed);
  is_lent = false;
  is_lost = !word.children_done();
  (void)lock.go_on_alone();
  shared.go_on_alone();
}

}  // namespace takt::core
