// Who gets a promoted task, and who takes what next: the concept. See README.md.
#pragma once

#include <takt/config.hpp>
#include <takt/hinted.hpp>

#include "policy/cuts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace takt::platform {
class cpu_set;
}

namespace takt::core {

class part_offer;
class runtime;
class worker;
struct fiber;

/// What may become tasks, as a policy sees it.
struct latent_frame {
  enum class kind { fork, loop, child } what;
  const void* construct;  ///< the fork's slot, the loop's frame, or the group of the child
  const void* code;       ///< names the branch, the loop's body or the child in the program
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< what is left of a loop
  bool is_loop() const noexcept { return what == kind::loop; }
};

/// A look at the tasks that nobody has begun, for whoever is about to sleep or to wake somebody.
class task_search {
 public:
  /// Whose tasks are looked for: those that the worker may run (worker_sleep::eligible), those that it may not, or all.
  enum class of { own, others, all };

  /// Ends at the first task.
  task_search(const worker& w, of whose) noexcept : worker_(w), whose_(whose) {}
  /// Goes past all tasks for the least scope beyond `scope`.
  task_search(const worker& w, of whose, std::uint32_t scope) noexcept
      : worker_(w), whose_(whose), goes_on_(true), beyond_(scope) {}

  /// Whether it matters that there is this task: for who has something dear to ask of it first.
  bool wants(std::uint64_t task) const noexcept;
  /// There is this task. @returns whether that is all that was looked for.
  bool ends_at(std::uint64_t task) noexcept;
  /// The scope that was looked for; 0: there is none.
  std::uint32_t scope() const noexcept { return scope_; }

 private:
  const worker& worker_;
  const of whose_;
  const bool goes_on_ = false;
  const std::uint32_t beyond_ = 0;
  std::uint32_t scope_ = 0;
};

/// One for each name in a runtime (policies.hpp). Tasks are deque entries (task/entry.hpp): a task and its scope.
/// Everything here happens at promotions, joins and steals, and once a poll at most: nothing of it is on a fast path.
/// The queues belong to seats; a worker that is named holds one unless it says otherwise.
class policy {
 public:
  virtual ~policy() = default;

  /// Where the worker of a seat is to run, or what the policy knows of caches would not be true; null: anywhere. Does
  /// not change, and lives as long as the policy.
  virtual const platform::cpu_set* cpus_of(unsigned seat) const noexcept {
    (void)seat;
    return nullptr;
  }

  // --- what was promoted: for each promotion reserve, promotes, cut (of a loop), publish for each task, wake_for
  /// Whether `count` more tasks can be published by `w`. Without `may_grow` nothing is allocated, and nothing waited
  /// for but a spin lock, here or in publish(): it is asked in a signal handler.
  virtual bool reserve(worker& w, std::size_t count, bool may_grow) noexcept = 0;
  /// A construct of the fiber that runs here is about to become one task or more. `said`: the hints that were given, or
  /// null; a child's are gone afterwards.
  virtual void promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept {
    (void)w, (void)frame, (void)said;
  }
  /// Where what is left of a loop, [begin, end), is cut: begin < cut <= end.
  virtual std::uint64_t cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept = 0;
  /// Where a loop of `w` can be offered to several who look for work at once; null: nowhere. `looking`: to how many.
  virtual part_offer* offer_for(worker& w, std::size_t& looking) noexcept {
    (void)w, (void)looking;
    return nullptr;
  }
  /// A task of `w`, for which reserve() has said that there is room. `near`: the half of a loop with which `w` goes on
  /// itself unless others take it. The one that others should have comes first.
  virtual void publish(worker& w, std::uint64_t task, bool near) noexcept = 0;
  /// A promotion is complete; `task` is the last that was published. Wakes whom it likes, and must wake somebody who
  /// may run it if all who may are asleep (runtime::announce_task does).
  virtual void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept = 0;

  // --- who runs it
  /// What `w`, which has nothing to do, is to run; entry::k_none if there is nothing for it.
  virtual std::uint64_t next(worker& w) noexcept = 0;
  /// The second look before `w`, which holds no seat any more, sleeps: shows `search` what next() would find, if `w`
  /// could run whatever that asks for, until it ends. @returns whether it has. Each access that decides it is seq_cst
  /// (src/worker/README.md).
  virtual bool is_anything_for(worker& w, task_search& search) noexcept = 0;
  /// The join of `wanted` asks for it; null: whoever waits for children asks for any. @returns it; or a task that lies
  /// in front of it, of which `runs_here` says that the computation which asks may run it; or entry::k_none if others
  /// have taken it. `w` may be without a seat.
  virtual std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept = 0;

  // --- what travels with a computation (fiber_policy::locality)
  /// `f` is about to begin: an outermost call of `w`'s thread, which may have got no seat.
  virtual void begins_call(worker& w, fiber& f) noexcept { (void)w, (void)f; }
  /// `f` is about to begin: a task that next() has just returned, or one that was handed to everybody.
  virtual void begins(worker& w, fiber& f) noexcept { (void)w, (void)f; }
  /// Its task is done, which its join does not know yet.
  virtual void ends(worker& w, fiber& f) noexcept { (void)w, (void)f; }
  /// A construct has been joined, and whatever was promoted inside it on this fiber.
  virtual void joined(worker& w, const void* construct) noexcept { (void)w, (void)construct; }
  /// The seat on which `f`, for which `w` has ended a join, is to go on; -1: this one.
  virtual int goes_on_at(const worker& w, const fiber& f) const noexcept {
    (void)w, (void)f;
    return -1;
  }

  // --- what a worker asks before it gives more
  /// Whether what runs here is to be divided among several seats: then what begins next polls, as it may be long, and a
  /// loop that is promoted before it begins is given away whole.
  virtual bool divides(const worker& w) noexcept {
    (void)w;
    return false;
  }
  /// How many ticks all of the oldest frame took the last time, on however many workers; 0: that is not known.
  virtual std::uint64_t known_ticks(worker& w, const latent_frame& oldest) noexcept {
    (void)w, (void)oldest;
    return 0;
  }
  /// Whether somebody looks for work who would get what is promoted now, beside what is on offer already.
  virtual bool is_wanted(worker& w) noexcept {
    (void)w;
    return false;
  }
  /// Whether the oldest frame, which is known to take so many ticks, is to be promoted at once, without a beat
  /// (README.md, "The static-like start").
  virtual bool spreads(worker& w, std::uint64_t ticks) noexcept;
  /// Whether others find a task there that `w` has published and nobody has taken, of that scope; of any, if 0.
  virtual bool offers(const worker& w, std::uint32_t scope) noexcept = 0;
  /// What `w` owes to thieves, at each poll and whenever it looks for work itself. Async-signal-safe.
  virtual void serve(worker& w, bool in_signal_handler) noexcept { (void)w, (void)in_signal_handler; }
  /// Whether thieves wait for that: somebody has to see to it that all poll. Does not change.
  virtual bool answers_thieves() const noexcept { return false; }
  /// As that of the settings: whether takt::with_policy changes nothing.
  virtual bool excludes_others() const noexcept { return false; }
  /// Whether `w` may give its seat up: others find what it leaves there.
  virtual bool may_leave(const worker& w) noexcept = 0;
  /// Whether half of a group's children may be one task, which whoever takes it divides again.
  virtual bool halves_groups() const noexcept { return false; }
  /// `w` waits for one thing alone, and may be without a seat. @returns a task that it awaits (is_awaited); or
  /// entry::k_none. `in_vain`: it has waited a while: tasks may lie with workers whose code is blocked, and those that
  /// cannot be looked at there are handed to everybody.
  virtual std::uint64_t take_awaited(worker& w, bool in_vain) noexcept = 0;
  /// `w` has given its seat up. Shows `search` the tasks for which somebody else may have waited for the seat, until it
  /// ends. Its accesses are seq_cst, as those of is_anything_for.
  virtual void left_by(worker& w, task_search& search) noexcept = 0;

  // --- what the program says of its forks, loops and groups (src/promotion/README.md, "Hints")
  /// Whether any of it is wanted. Asked each time a fiber goes on somewhere, and at both ends of a scope: does not
  /// change.
  virtual bool wants_hints() const noexcept { return false; }
  /// `w` has just pushed the slot of a fork or loop, of which this is said. `said` stays where it is until the slot is
  /// popped, and is not read by other threads unless the policy hands it to them. @returns whether the frame, and all
  /// older ones, become tasks at once.
  virtual bool hinted(worker& w, abi::slot* pushed, const abi::hints& said) noexcept {
    (void)w, (void)pushed, (void)said;
    return false;
  }

  /// In a child of fork(2), where `w` is alone: what other threads had published is theirs.
  virtual void go_on_alone(worker& w) noexcept = 0;
};

/// `w` has taken a task of a seat that `holder`, or nobody (null), holds. `distance`: see cache_levels::distance.
void count_steal(worker& w, const worker* holder, unsigned distance) noexcept;

using policy_maker = std::unique_ptr<policy> (*)(runtime&);

/// Of the policies there are (list.cpp). `may_bind`: whether it may say where workers are to run.
/// @throws std::bad_alloc
std::unique_ptr<policy> make_policy(runtime& r, takt::policy name, bool may_bind);
/// From the next runtime on that one in place of the one that the settings say; null: theirs. For tests; only while no
/// runtime is being made.
/// @returns the one before.
policy_maker replace_policy(policy_maker maker) noexcept;

}  // namespace takt::core
