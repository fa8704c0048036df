// The state of almost deterministic work stealing, and of its seats. See README.md, "adws" and "Levels".
#pragma once

#include "policy/adws.hpp"
#include "policy/cache_levels.hpp"
#include "policy/cross_group.hpp"
#include "policy/learned.hpp"
#include "policy/others.hpp"
#include "policy/range.hpp"
#include "policy/seat_queues.hpp"
#include "worker/runtime.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace takt::core {

/// What belongs to a seat.
struct alignas(abi::k_cache_line) seat_state : locked_seat {
  seat_queues queues;

  /// The innermost construct that the seat has a share in; null: none. Who steals reads it.
  alignas(abi::k_cache_line) sync::atomic<cross_group*> shares{nullptr};
  sync::tally<std::uint32_t> times_shared{0};

  // Its holder's.
  alignas(abi::k_cache_line) cross_group* unused_group = nullptr;
  std::uint64_t idle_since = 0;  ///< ticks; 0: it has had something to do meanwhile
  std::uint32_t times_seen = 0;  ///< times_shared then
  locality taken;                ///< of what next() has returned last
  bool has_taken = false;
  // The promotion under way.
  cross_group* divided = nullptr;  ///< null: nothing of the fiber's locality changes
  bool hands_over = false;         ///< the task is one of two parts
  range given;
  std::uint64_t given_ticks = 0;  ///< locality::loop_ticks of that part
  unsigned target = 0;
  const abi::hints* said = nullptr;  ///< of a loop, unless a signal handler promotes it
  bool in_handler = false;
  bool for_anybody = false;  ///< who is to have the other part does not look for work, and others do
};

class adws final : public policy {
 public:
  adws(runtime& r, adws_kind kind)
      : owner_(r),
        plans_(kind.does_plan),
        patience_(r.spin_ticks / cost::k_patience_share),
        learned_(plans_ ? r.settings.workers : 1) {
    levels_ = cache_levels(r.topology, r.wanted_cpus, r.settings.workers, r.most_workers, kind.may_bind);
    if (!kind.levels) levels_.forget();
    seats_.reserve(r.most_workers);
    for (unsigned s = 0; s < r.most_workers; ++s) seats_.push_back(std::make_unique<seat_state>());
  }
  ~adws() override {
    for (const auto& s : seats_) {
      while (waiting_task* t = s->queues.any([](const waiting_task&) { return true; })) {
        s->queues.remove(*t);
        delete t;
      }
    }
  }

  const platform::cpu_set* cpus_of(unsigned seat) const noexcept override { return levels_.cpus_of(seat); }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override;
  bool wants_hints() const noexcept override { return true; }
  void promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept override;
  std::uint64_t cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept override;
  void publish(worker& w, std::uint64_t task, bool near) noexcept override;
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept override;

  std::uint64_t next(worker& w) noexcept override;
  bool is_anything_for(worker& w, task_search& search) noexcept override;
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept override;
  std::uint64_t take_awaited(worker& w, bool in_vain) noexcept override;

  void begins_call(worker& w, fiber& f) noexcept override;
  void begins(worker& w, fiber& f) noexcept override;
  void ends(worker& w, fiber& f) noexcept override;
  void joined(worker& w, const void* construct) noexcept override;
  int goes_on_at(const worker& w, const fiber& f) const noexcept override;

  bool offers(const worker& w, std::uint32_t scope) noexcept override;
  bool divides(const worker& w) noexcept override {
    return plans_ && w.scheduler.current()->policy.locality.over.is_cross_worker();
  }
  std::uint64_t known_ticks(worker& w, const latent_frame& oldest) noexcept override;
  bool is_wanted(worker& w) noexcept override;
  bool spreads(worker& w, std::uint64_t ticks) noexcept override;
  bool hinted(worker& w, abi::slot* pushed, const abi::hints& said) noexcept override;
  bool may_leave(const worker& w) noexcept override {
    return !w.seat.is_held() || !has(seat_of(w), [](const waiting_task& t) { return !t.where.is_part; });
  }
  void left_by(worker& w, task_search& search) noexcept override {
    (void)find(*seats_[w.seat.last()], [&search](const waiting_task& t) { return search.ends_at(t.task); });
  }
  void go_on_alone(worker& w) noexcept override;

 private:
  /// May be said of a task that `w` is going to take, and of no other.
  bool takes(const worker& w, const waiting_task& t) noexcept {
    const auto seat = w.seat.index();
    if (!levels_.is_open(seat, t.where)) return false;
    return !is_of_caches(t.where) || levels_.try_lead(t.where.level, levels_.cache_of(t.where.level, seat));
  }
  bool is_of_caches(const locality& l) const noexcept { return levels_.is_of_caches(l.level); }
  cache_levels::place place_of(const locality& here, unsigned seat, bool is_loop,
                               const abi::hints* said) const noexcept;
  division parts_of(const locality& here, unsigned seat, double share) const noexcept;
  void wake_leader(worker& w, std::uint64_t task, bool in_signal_handler) noexcept;
  /// A cache has no leader any more.
  void wake_for_what_waits() noexcept;
  seat_state& seat_of(const worker& w) const noexcept { return *seats_[w.seat.index()]; }
  unsigned seat_count() const noexcept { return static_cast<unsigned>(seats_.size()); }

  relax_on_platform relax() const noexcept { return {&owner_.threading}; }
  static double said_share(const locality& here, const fiber& f, const void* construct,
                           const abi::hints& said) noexcept;
  static std::uint64_t position_of(const locality& here, const latent_frame& frame, range given) noexcept;
  static division parts_of_loop(const locality& here, unsigned seat) noexcept {
    return divide(here.over, seat, 0.5, true);
  }
  template <class Choose>
  bool take(seat_state& s, Choose choose, waiting_task& taken) noexcept {
    return s.take([&] { return choose(s.queues); }, [&s](waiting_task& t) { s.queues.remove(t); }, taken, relax());
  }
  template <class Accept>
  std::uint64_t find(seat_state& s, Accept accept) const noexcept {
    return s.look([&] { return s.queues.any(accept); }, relax());
  }
  template <class Accept>
  bool has(seat_state& s, Accept accept) const noexcept {
    return find(s, accept) != entry::k_none;
  }
  void put(unsigned seat, waiting_task& t, bool from_here) noexcept;

  /// The construct whose range `w` may steal in; null: none. `alone`: it has a share in no construct at all.
  const cross_group* steals_in(const worker& w, bool& alone) const noexcept;
  /// Null: anywhere. `alone`: only as long as that is so.
  bool steal(worker& w, const cross_group* within, bool alone, waiting_task& taken) noexcept;
  std::uint64_t start(worker& w, const waiting_task& t, bool stolen) noexcept;
  void engage(range over, cross_group& to) noexcept;
  void disengage(const cross_group& g) noexcept;
  void close(worker& w, locality& here) noexcept;
  void give_back_what_is_over(worker& w) noexcept;
  void charge(fiber& f) const noexcept;
  void learn(const cross_group& g, std::uint64_t kept, std::uint64_t given) noexcept;
  /// Null: no memory.
  cross_group* group_to_use() noexcept;

  runtime& owner_;
  cache_levels levels_;
  [[no_unique_address]] const plans plans_;
  const std::uint64_t patience_;  ///< ticks for which an idle worker looks within its steal range alone
  std::vector<std::unique_ptr<seat_state>> seats_;
  learned_table learned_;
  sync::mutex groups_mutex_;
  // Under the mutex: all there are, and those that nobody uses and no seat has.
  std::vector<std::unique_ptr<cross_group>> groups_;
  cross_group* unused_groups_ = nullptr;
};

}  // namespace takt::core
