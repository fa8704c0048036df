// Random stealing: each keeps what it promotes, and who has nothing takes the oldest task of somebody. `Tasks` is what a
// seat keeps its tasks in: see task_deque.hpp.
#pragma once

#include "cost/numbers.hpp"
#include "policy/part_offer.hpp"
#include "policy/policies.hpp"
#include "policy/task_deque.hpp"
#include "worker/runtime.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace takt::core {

template <class Tasks>
class random_stealing : public policy {
 public:
  explicit random_stealing(runtime& r) : owner_(r) {
    queues_.reserve(r.most_workers);
    for (unsigned s = 0; s < r.most_workers; ++s) queues_.push_back(std::make_unique<queue>());
  }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override {
    return tasks_of(w).reserve(count, may_grow);
  }
  void publish(worker& w, std::uint64_t task, bool) noexcept override { tasks_of(w).push(task); }
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept override {
    if (!in_signal_handler && owner_.enough_look(w, offered_by(w))) return;
    owner_.announce_task(entry::scope(task), in_signal_handler);
  }

  std::uint64_t next(worker& w) noexcept override;
  bool is_anything_for(worker& w, task_search& search) noexcept override;
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept override;

  bool is_wanted(worker& w) noexcept override {
    return w.seat.is_held() && owner_.more_look_than(w, offered_by(w));
  }
  part_offer* offer_for(worker& w, std::size_t& looking) noexcept override {
    part_offer& offer = queue_of(w).parts;
    if (!k_is_shown || !offer.is_unused() || !entry::can_name(offer.rest())) return nullptr;
    const std::size_t offered = offered_by(w);
    looking = owner_.how_many_look(w, owner_.most_workers);
    looking -= std::min(looking, offered);
    return &offer;
  }

  bool offers(const worker& w, std::uint32_t scope) noexcept override {
    if (!w.seat.is_held()) return false;
    if (scope == 0) return !tasks_of(w).looks_empty();
    const std::uint64_t oldest = tasks_of(w).peek();
    return oldest != entry::k_none && entry::scope(oldest) == scope;
  }
  bool may_leave(const worker& w) noexcept override { return !w.seat.is_held() || tasks_of(w).is_empty(); }

  bool halves_groups() const noexcept override { return true; }
  std::uint64_t take_awaited(worker& w, bool in_vain) noexcept override;

  void left_by(worker&, task_search&) noexcept override {}

  std::uint64_t cut(worker&, std::uint64_t begin, std::uint64_t end) noexcept override {
    return cut_in_half(begin, end);
  }

  void go_on_alone(worker& w) noexcept override {
    for (unsigned s = 0; s < queues_.size(); ++s) {
      if (!w.seat.is(s)) queues_[s]->tasks.forget();
    }
  }

 protected:
  /// What belongs to a seat.
  struct alignas(abi::k_cache_line) queue {
    Tasks tasks{cost::k_handler_room};
    part_offer parts;
  };
  /// Whether thieves see a task before they take it.
  static constexpr bool k_is_shown = std::is_same_v<Tasks, task_deque>;
  queue& queue_of(const worker& w) noexcept { return *queues_[w.seat.index()]; }
  Tasks& tasks_of(const worker& w) noexcept { return queue_of(w).tasks; }
  /// How many others can have a task of `w`'s.
  std::size_t offered_by(const worker& w) noexcept {
    const queue& q = queue_of(w);
    // One of the tasks stands for the parts that are left.
    return q.tasks.offered() + std::max(q.parts.left(), 1u) - 1;
  }

  runtime& owner_;

 private:
  void put_back(worker& w, std::uint64_t newest) noexcept;
  /// Whether the oldest task of the seat stands for parts of a loop; of these `w` takes one, if there is one for it.
  bool shows_parts(worker& w, unsigned seat, std::uint32_t only, std::uint64_t& taken) noexcept;
  /// As whom `w` steals; null: it has no seat.
  struct thief {
    random_stealing& by;
    worker& w;
    Tasks* own() const noexcept { return w.seat.is_held() ? &by.tasks_of(w) : nullptr; }
    policy& served_by() const noexcept { return by; }
  };

  std::vector<std::unique_ptr<queue>> queues_;
};

template <class Tasks>
std::uint64_t random_stealing<Tasks>::next(worker& w) noexcept {
  const std::uint32_t only = w.sleep.runs_only();
  std::uint64_t e = entry::k_none;
  // Empty whenever a fiber suspends, except that one which waits for a group may leave tasks of its outer frames.
  // So this takes tasks of any scope: the fiber may have been another call's, resumed here, and there may be nobody
  // else. The newest one: it is the innermost, and an outer one may want a lock that is held across what needs it.
  if (const std::uint64_t newest = tasks_of(w).pop(); newest != entry::k_none) return newest;
  if (owner_.worker_count() == 1) return entry::k_none;
  const unsigned seats = owner_.seats_used();
  const auto first = static_cast<unsigned>(w.policy.next_random() % seats);
  for (unsigned i = 0; i < seats; ++i) {
    const unsigned s = first + i < seats ? first + i : first + i - seats;
    worker* const holder = owner_.holder(s);
    if (holder == nullptr || holder == &w) continue;
    Tasks& victim = queues_[s]->tasks;
    if (victim.has_nothing_for(only)) continue;
    w.stats.steals_tried.add();
    if (shows_parts(w, s, only, e) ? e != entry::k_none
                                   : victim.steal(e, only, thief{*this, w}) == steal_result::taken) {
      w.policy.promoted_by = holder;
      count_steal(w, holder, 0);
      return e;
    }
  }
  return entry::k_none;
}

template <class Tasks>
bool random_stealing<Tasks>::shows_parts(worker& w, unsigned seat, std::uint32_t only, std::uint64_t& taken) noexcept {
  if constexpr (k_is_shown) {
    queue& from = *queues_[seat];
    const std::uint64_t oldest = from.tasks.peek();
    if (!from.parts.is_rest(oldest) || !entry::is_for(oldest, only)) return false;
    // By seats: in the next loop over the same data it is the same part.
    const unsigned seats = owner_.seats_used();
    const unsigned behind = (w.seat.index() + seats - seat) % seats;
    const part_offer::part part = from.parts.take(behind * from.parts.parts() / seats);
    if (part.index == part_offer::k_none) return false;
    taken = from.parts.entry_of(part.index);
    if (!entry::is_for(taken, only)) {
      // Another loop is offered there by now.
      owner_.policy->give(std::exchange(taken, entry::k_none));
    }
    return true;
  } else {
    return false;
  }
}

template <class Tasks>
bool random_stealing<Tasks>::is_anything_for(worker& w, task_search& search) noexcept {
  const unsigned seats = owner_.seats_used_in_order();
  for (unsigned s = 0; s < seats; ++s) {
    const worker* holder = owner_.holder_in_order(s);
    if (holder == nullptr || holder == &w || queues_[s]->tasks.looks_empty()) continue;
    const std::uint64_t oldest = queues_[s]->tasks.peek();
    if (oldest != entry::k_none && search.ends_at(oldest)) return true;
  }
  return false;
}

// A deque shows one task at a time: what is in front of those that are looked for is handed to everybody.
template <class Tasks>
std::uint64_t random_stealing<Tasks>::take_awaited(worker& w, bool in_vain) noexcept {
  while (w.seat.is_held()) {
    const std::uint64_t newest = tasks_of(w).pop();
    if (newest == entry::k_none) break;
    if (is_awaited(w, newest)) return newest;
    if (owner_.give_to_everybody(newest)) continue;
    put_back(w, newest);
    break;
  }
  const unsigned seats = in_vain ? owner_.seats_used() : 0;
  for (unsigned s = 0; s < seats; ++s) {
    const worker* const holder = owner_.holder(s);
    if (holder == nullptr || holder == &w || !owner_.is_silent(*holder)) continue;
    Tasks& victim = queues_[s]->tasks;
    for (std::uint64_t e = entry::k_none; !victim.looks_empty();) {
      const steal_result result = victim.steal(e, 0, thief{*this, w});
      if (result == steal_result::lost) continue;
      if (result != steal_result::taken) break;
      if (is_awaited(w, e)) return e;
      for (unsigned round = 0; !owner_.give_to_everybody(e); ++round) owner_.threading.relax(round);
    }
  }
  return entry::k_none;
}

// A second look that came meanwhile has not seen it.
template <class Tasks>
void random_stealing<Tasks>::put_back(worker& w, std::uint64_t newest) noexcept {
  tasks_of(w).push(newest);
  owner_.announce_task(entry::scope(newest), false);
}

template <class Tasks>
std::uint64_t random_stealing<Tasks>::take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept {
  if (!w.seat.is_held()) return entry::k_none;
  for (;;) {
    const std::uint64_t newest = tasks_of(w).pop();
    if (newest == entry::k_none) return entry::k_none;
    abi::slot* const task = entry::task(newest);
    if (task == wanted || runs_here(task)) return newest;
    // It lies in front of what is wanted.
    if (wanted != nullptr && w.scheduler.current() != nullptr && owner_.give_to_everybody(newest)) continue;
    put_back(w, newest);
    return entry::k_none;
  }
}

}  // namespace takt::core
