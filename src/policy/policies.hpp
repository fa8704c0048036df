// The policies of a runtime: that of its settings, and those that takt::with_policy has named since. See README.md,
// "A policy for one computation".
#pragma once

#include <takt/config.hpp>

#include "policy/policy.hpp"
#include "sync/atomic.hpp"
#include "worker/worker.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace takt::core {

/// What the runtime asks. Each function is described at core::policy: what is asked of the computation that runs on `w`
/// goes to the policy of its fiber; what is asked of a worker, to all there are.
class policies {
 public:
  /// With the one of the runtime's settings.
  /// @throws std::bad_alloc
  explicit policies(runtime& r);
  ~policies();
  policies(const policies&) = delete;
  policies& operator=(const policies&) = delete;

  /// That of the settings.
  policy& own() const noexcept { return *own_->what; }
  /// It is made if it is not there yet; automatic: that of the settings. Null: no memory.
  policy* named(takt::policy name) noexcept;
  const platform::cpu_set* cpus_of(unsigned seat) const noexcept { return own().cpus_of(seat); }

  // --- of the fiber's
  /// Nor may a frame become a task of a part in which there is no place for who would run it.
  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept;
  // Without a seat what is promoted is handed to everybody, and no policy hears of it.
  void promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept {
    if (w.seat.is_held()) of(w).promotes(w, frame, said);
  }
  std::uint64_t cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept {
    return w.seat.is_held() ? of(w).cut(w, begin, end) : cut_in_half(begin, end);
  }
  /// Nowhere where the order of halves matters, or a part of the call has places of its own.
  part_offer* offer_for(worker& w, std::size_t& looking) noexcept;
  void publish(worker& w, std::uint64_t task, bool near) noexcept {
    w.seat.is_held() ? of(w).publish(w, task, near) : give(task);
  }
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept {
    if (w.seat.is_held()) of(w).wake_for(w, task, in_signal_handler);
  }
  /// To everybody. Without memory it cannot be left to others, and must not be lost.
  void give(std::uint64_t task) noexcept;
  void begins_call(worker& w, fiber& f) noexcept {
    f.policy.current = &own();
    f.policy.scopes = nullptr;
    f.policy.current->begins_call(w, f);
  }
  void begins(worker& w, fiber& f) noexcept {
    policy* const served = std::exchange(w.policy.taken_from, nullptr);
    f.policy.current = served != nullptr ? served : &own();
    f.policy.scopes = nullptr;
    // Without a seat it is as a call that has got none.
    w.seat.is_held() ? f.policy.current->begins(w, f) : f.policy.current->begins_call(w, f);
  }
  void ends(worker& w, fiber& f) noexcept { f.policy.current->ends(w, f); }
  void joined(worker& w, const void* construct) noexcept { of(w).joined(w, construct); }
  /// Who has found work of that scope looks no more. If there is more, somebody else is woken for it. @returns whether
  /// there is a task.
  bool stop_looking(worker& w, std::uint32_t scope) noexcept;
  int goes_on_at(const worker& w, const fiber& f) const noexcept { return f.policy.current->goes_on_at(w, f); }
  bool divides(const worker& w) noexcept { return of(w).divides(w); }
  std::uint64_t known_ticks(worker& w, const latent_frame& oldest) noexcept { return of(w).known_ticks(w, oldest); }
  bool is_wanted(worker& w) noexcept { return of(w).is_wanted(w); }
  bool spreads(worker& w, std::uint64_t ticks) noexcept { return of(w).spreads(w, ticks); }
  bool hinted(worker& w, abi::slot* pushed, const abi::hints& said) noexcept { return of(w).hinted(w, pushed, said); }

  // --- of all
  std::uint64_t next(worker& w) noexcept;
  bool is_anything_for(worker& w) noexcept { return scope_of_any_for(w) != 0; }
  /// The scope of a task that `w` may run; 0: there is none.
  std::uint32_t scope_of_any_for(worker& w) noexcept;
  /// For each scope of which there is such a task somebody is woken who may run it. @returns one of the scopes; 0:
  /// there is no such task.
  std::uint32_t wake_for_each_scope(worker& w, task_search::of whose) noexcept;
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept;
  bool offers(const worker& w, std::uint32_t scope) noexcept;
  void serve(worker& w, bool in_signal_handler) noexcept;
  bool answers_thieves() const noexcept;
  bool may_leave(const worker& w) noexcept;
  std::uint64_t take_awaited(worker& w, bool in_vain) noexcept;
  /// `w` has given its seat up: for each scope of what it has left there somebody is woken who may run it.
  void wake_for_left_by(worker& w) noexcept;
  void go_on_alone(worker& w) noexcept;

 private:
  /// `look(policy, search)`, once for each scope.
  template <class Look>
  std::uint32_t wake_for_each_scope(worker& w, task_search::of whose, Look look) noexcept;
  struct one {
    takt::policy name;
    std::unique_ptr<policy> what;
    one* before;  ///< there are no more than names
  };
  static policy& of(const worker& w) noexcept { return *w.scheduler.current()->policy.current; }
  // EDGE policies.made: seq_cst, so that who is about to sleep sees the policy of a task that was published before it
  // was listed as a sleeper (README.md).
  const one* newest() const noexcept { return newest_.load(sync::seq_cst); }

  runtime& owner_;
  one* own_;
  sync::atomic<one*> newest_;
};

/// Around code that runs under another policy than what is around it, or in a part of its own. On the stack of that code,
/// whose frames it knows from those around it by where they are on the latent stack.
class policy_scope {
 public:
  policy_scope() = default;
  policy_scope(const policy_scope&) = delete;
  policy_scope& operator=(const policy_scope&) = delete;

  /// From here on, on the fiber that `w` runs. @returns false, and nothing has happened, if that is its policy already.
  bool begin(worker& w, policy& inside) noexcept;
  /// The same policy, in a part of the call (takt::with_workers).
  void begin_part(worker& w, std::uint32_t part) noexcept;
  /// On the same fiber, which `w` runs now.
  void end(worker& w) noexcept;

 private:
  friend class frame_owner;
  void open(worker& w, policy& inside, std::uint32_t part) noexcept;

  policy_scope* outer_ = nullptr;
  const abi::slot* first_ = nullptr;  ///< what is pushed inside comes here or later
  // Of the code around: its policy, what that knows of it, and the part that it is in.
  policy* policy_ = nullptr;
  locality locality_;
  std::uint32_t part_ = 0;
};

/// While it lives, the fiber is what it was when the frame `s` of it was pushed: under the policy, and in the part, of
/// then. A frame from outside of a scope is promoted by the policy outside. Async-signal-safe.
class frame_owner {
 public:
  frame_owner(fiber& f, const abi::slot* s) noexcept : fiber_(f) {
    for (policy_scope* p = f.policy.scopes; p != nullptr && s < p->first_; p = p->outer_) scope_ = p;
    exchange();
  }
  ~frame_owner() { exchange(); }
  frame_owner(const frame_owner&) = delete;
  frame_owner& operator=(const frame_owner&) = delete;

 private:
  void exchange() noexcept {
    if (scope_ == nullptr) return;
    std::swap(fiber_.policy.current, scope_->policy_);
    std::swap(fiber_.policy.locality, scope_->locality_);
    fiber_.run.change_part(scope_->part_);
  }

  fiber& fiber_;
  policy_scope* scope_ = nullptr;
};

}  // namespace takt::core
