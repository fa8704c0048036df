#include "policy/policies.hpp"

#include "worker/invariant.hpp"
#include "memory/memory_observer.hpp"
#include "observe/trace.hpp"
#include "worker/runtime.hpp"

#include <algorithm>

namespace takt::core {

void count_steal(worker& w, const worker* holder, unsigned distance) noexcept {
  w.stats.steals_done.add();
  w.stats.steals_by_distance[std::min<std::size_t>(distance, counters::k_distances - 1)].add();
  // A simulated machine is told whose cache lines go to the thief.
  w.owner.simulator.note(platform::action::steal,
                         holder == nullptr ? 0 : holder->reach.name_of_thread() + 1);
  if (holder != nullptr) trace::note_steal(w, *holder);
}

policies::policies(runtime& r)
    : owner_(r), own_(new one{r.settings.policy, make_policy(r, r.settings.policy, r.settings.bind), nullptr}) {
  newest_.store(own_, sync::relaxed);
}

policies::~policies() {
  for (one* p = newest_.load(sync::relaxed); p != nullptr;) delete std::exchange(p, p->before);
}

policy* policies::named(takt::policy name) noexcept {
  if (name == takt::policy::automatic || own().excludes_others()) return &own();
  const auto find = [name](const one* from) {
    while (from != nullptr && from->name != name) from = from->before;
    return from;
  };
  one* seen = newest_.load(sync::acquire);
  if (const one* const there = find(seen); there != nullptr) return there->what.get();
  try {
    // Where threads have to run is for the policy of the settings to say: others know what is true without it.
    auto made = std::make_unique<one>(name, make_policy(owner_, name, !owner_.cpus_of_seat.empty()), nullptr);
    do {
      if (const one* const there = find(seen); there != nullptr) return there->what.get();
      made->before = seen;
      // EDGE policies.made
    } while (!newest_.compare_exchange_strong(seen, made.get(), sync::seq_cst, sync::acquire));
    return made.release()->what.get();
  } catch (...) {
    return nullptr;
  }
}

bool policies::reserve(worker& w, std::size_t count, bool may_grow) noexcept {
  if (owner_.scopes.is_full(w.scheduler.current()->run.part())) return false;
  return !w.seat.is_held() || of(w).reserve(w, count, may_grow);
}

part_offer* policies::offer_for(worker& w, std::size_t& looking) noexcept {
  if (!w.seat.is_held() || owner_.observer->keeps_order()) return nullptr;
  // In a part of the call there may be no place for those who look.
  return owner_.scopes.is_limited(w.scheduler.current()->run.part()) ? nullptr : of(w).offer_for(w, looking);
}

void policies::give(std::uint64_t task) noexcept {
  for (unsigned round = 0; !owner_.give_to_everybody(task); ++round) owner_.threading.relax(round);
}

// Whoever was served by one is likely to be in the middle of what it has planned.
std::uint64_t policies::next(worker& w) noexcept {
  policy* const last = w.policy.served_by != nullptr ? w.policy.served_by : &own();
  const auto ask = [&w](policy& p) {
    const std::uint64_t e = p.next(w);
    if (e != entry::k_none) w.policy.served_by = w.policy.taken_from = &p;
    return e;
  };
  // Before all, what a computation that was here has left and may already be waiting for elsewhere: under another
  // policy, so that a worker which always finds something with its last one would not come to it.
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (p->what.get() == last || p->what->may_leave(w)) continue;
    if (const std::uint64_t e = ask(*p->what); e != entry::k_none) return e;
  }
  if (const std::uint64_t e = ask(*last); e != entry::k_none) return e;
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (p->what.get() == last) continue;
    if (const std::uint64_t e = ask(*p->what); e != entry::k_none) return e;
  }
  return entry::k_none;
}

bool task_search::wants(std::uint64_t task) const noexcept {
  const std::uint32_t scope = entry::scope(task);
  if (scope <= beyond_ || (scope_ != 0 && scope_ <= scope)) return false;
  return whose_ == of::all || worker_.sleep.eligible(scope) == (whose_ == of::own);
}

bool task_search::ends_at(std::uint64_t task) noexcept {
  if (!wants(task)) return false;
  scope_ = entry::scope(task);
  return !goes_on_;
}

bool policy::spreads(worker& w, std::uint64_t ticks) noexcept {
  return ticks >= w.owner.least_loop_ticks(w.scheduler.current()->run.is_parted()) && is_wanted(w);
}

std::uint32_t policies::scope_of_any_for(worker& w) noexcept {
  task_search search(w, task_search::of::own);
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (p->what->is_anything_for(w, search)) break;
  }
  return search.scope();
}

template <class Look>
std::uint32_t policies::wake_for_each_scope(worker& w, task_search::of whose, Look look) noexcept {
  task_search first(w, whose);
  for (const one* p = newest(); p != nullptr && first.scope() == 0; p = p->before) look(*p->what, first);
  if (first.scope() == 0) return 0;
  // After the look: who sees another call's task sees that there is one.
  if (process::is_only_call()) {
    owner_.announce_task(first.scope(), false);
    return first.scope();
  }
  for (std::uint32_t scope = 0;;) {
    task_search search(w, whose, scope);
    for (const one* p = newest(); p != nullptr; p = p->before) look(*p->what, search);
    scope = search.scope();
    if (scope == 0) return first.scope();
    owner_.announce_task(scope, false);
  }
}

std::uint32_t policies::wake_for_each_scope(worker& w, task_search::of whose) noexcept {
  return wake_for_each_scope(w, whose, [&w](policy& p, task_search& search) { (void)p.is_anything_for(w, search); });
}

bool policies::stop_looking(worker& w, std::uint32_t scope) noexcept {
  // EDGE worker.looks: seq_cst, so that either who left something to this worker sees that it does not look any more,
  // or this sees it.
  w.sleep.end_look();
  runtime& r = w.owner;
  // What is left may be another call's, or of several, and who is woken for the one cannot take the other.
  const std::uint32_t left = wake_for_each_scope(w, task_search::of::own);
  const bool several = !process::is_only_call();
  const bool injected = r.any_injected_task();
  if ((left == 0 || several) && (r.any_ready() || (injected && !r.is_alone()))) r.announce_injected(scope);
  // Likewise.
  const std::uint32_t asleep = r.observer->scope_of_any_for(w);
  if (asleep != 0 && asleep != left) r.announce_task(asleep, false);
  return left != 0 || injected;
}

// A frame goes with the policy of the code that has pushed it, which is that of the code here: scopes and frames nest.
// A group may have children of several.
std::uint64_t policies::take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept {
  policy* const first = w.scheduler.current() != nullptr ? w.scheduler.current()->policy.current : &own();
  // With the others nothing lies in front of it: what they would return is older.
  if (wanted != nullptr) return first->take_back(w, wanted, runs_here);
  if (const std::uint64_t e = first->take_back(w, wanted, runs_here); e != entry::k_none) return e;
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (p->what.get() == first) continue;
    if (const std::uint64_t e = p->what->take_back(w, wanted, runs_here); e != entry::k_none) return e;
  }
  return entry::k_none;
}

bool policies::offers(const worker& w, std::uint32_t scope) noexcept {
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (p->what->offers(w, scope)) return true;
  }
  return false;
}

void policies::serve(worker& w, bool in_signal_handler) noexcept {
  for (const one* p = newest(); p != nullptr; p = p->before) p->what->serve(w, in_signal_handler);
}

bool policies::answers_thieves() const noexcept {
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (p->what->answers_thieves()) return true;
  }
  return false;
}

bool policies::may_leave(const worker& w) noexcept {
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (!p->what->may_leave(w)) return false;
  }
  return true;
}

std::uint64_t policies::take_awaited(worker& w, bool in_vain) noexcept {
  for (const one* p = newest(); p != nullptr; p = p->before) {
    if (const std::uint64_t e = p->what->take_awaited(w, in_vain); e != entry::k_none) return e;
  }
  return entry::k_none;
}

void policies::wake_for_left_by(worker& w) noexcept {
  wake_for_each_scope(w, task_search::of::all, [&w](policy& p, task_search& search) { p.left_by(w, search); });
}

void policies::go_on_alone(worker& w) noexcept {
  for (const one* p = newest(); p != nullptr; p = p->before) p->what->go_on_alone(w);
}

void policy_scope::open(worker& w, policy& inside, std::uint32_t part) noexcept {
  fiber& f = *w.scheduler.current();
  outer_ = f.policy.scopes;
  first_ = takt_hot.head;
  policy_ = f.policy.current;
  locality_ = f.policy.locality;
  part_ = part;
  f.run.change_part(part_);
  f.policy.scopes = this;
  f.policy.current = &inside;
  // As an outermost call: on all seats.
  inside.begins_call(w, f);
}

bool policy_scope::begin(worker& w, policy& inside) noexcept {
  const fiber& f = *w.scheduler.current();
  if (f.policy.current == &inside) return false;
  open(w, inside, f.run.part());
  return true;
}

void policy_scope::begin_part(worker& w, std::uint32_t part) noexcept {
  open(w, *w.scheduler.current()->policy.current, part);
}

void policy_scope::end(worker& w) noexcept {
  fiber& f = *w.scheduler.current();
  TAKT_ASSERT(f.policy.scopes == this);
  f.policy.current->ends(w, f);
  f.policy.current = policy_;
  f.policy.locality = locality_;
  f.run.change_part(part_);
  f.policy.scopes = outer_;
}

}  // namespace takt::core
