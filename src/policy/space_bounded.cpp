#include "policy/space_bounded.hpp"

#include "invariant/invariant.hpp"
#include "policy/cache_levels.hpp"
#include "policy/cache_room.hpp"
#include "policy/seat_queues.hpp"
#include "trace/trace.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace takt::core {

/// A fork whose branches are tied to caches: what is to be once its left branch is over. Of the fiber that runs it.
struct anchored_fork {
  const void* construct = nullptr;
  anchoring before;
  std::uint64_t given = 0;  ///< bytes of the right branch
};

namespace {

std::uint64_t part_of(std::uint64_t bytes, double share) noexcept {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * std::min(share, 1.0));
}

/// What belongs to a seat.
struct alignas(abi::k_cache_line) seat_tasks {
  spin_lock lock;
  sync::atomic<std::uint32_t> count{0};
  /// By the level of the cache that the code which made them is tied to: the seat is one of its seats.
  std::array<task_list, k_most_cache_levels + 1> lists;

  // Its holder's.
  alignas(abi::k_cache_line) waiting_task* unused_tasks = nullptr;
  std::size_t unused_task_count = 0;
  anchored_fork* unused_fork = nullptr;
  anchoring taken;  ///< of what next() has returned last
  bool has_taken = false;
  // The promotion under way.
  anchoring around;         ///< of the code that it is a part of
  std::uint64_t given = 0;  ///< bytes of the task; 0: not known
  bool in_handler = false;
};

class space_bounded final : public policy {
 public:
  space_bounded(runtime& r, bool may_bind) : owner_(r), levels_(r.os, r.settings.workers, r.most_workers, may_bind) {
    std::vector<std::uint64_t> bytes;
    for (std::uint8_t level = 1; level <= levels_.count(); ++level) {
      first_of_level_[level] = static_cast<unsigned>(bytes.size());
      for (unsigned c = 0; c < levels_.caches(level); ++c) bytes.push_back(levels_.bytes(level, c));
    }
    room_.have(bytes);
    seats_.reserve(r.most_workers);
    for (unsigned s = 0; s < r.most_workers; ++s) seats_.push_back(std::make_unique<seat_tasks>());
  }
  ~space_bounded() override {
    // Whoever has taken any has given it back.
    TAKT_ASSERT(room_.is_all_free());
    for (const auto& s : seats_) {
      delete s->unused_fork;
      while (s->unused_tasks != nullptr) delete take_unused(*s);
      for (const task_list& list : s->lists) {
        for (waiting_task* t = any_of(list); t != nullptr;) delete std::exchange(t, t->farther);
      }
    }
  }

  const platform::cpu_set* cpus_of(unsigned seat) const noexcept override { return levels_.cpus_of(seat); }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override;
  bool wants_hints() const noexcept override { return true; }
  bool hinted(worker& w, abi::slot* pushed, const abi::hints& said) noexcept override;
  void promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept override;
  std::uint64_t cut(worker&, std::uint64_t begin, std::uint64_t end) noexcept override {
    return cut_in_half(begin, end);
  }
  void publish(worker& w, std::uint64_t task, bool near) noexcept override;
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept override;

  std::uint64_t next(worker& w) noexcept override;
  bool is_anything_for(worker& w) noexcept override;
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept override;

  void begins_call(worker&, fiber& f) noexcept override { f.locality = {}; }
  void begins(worker& w, fiber& f) noexcept override;
  void ends(worker& w, fiber& f) noexcept override;
  void joined(worker& w, const void* construct) noexcept override;

  bool offers(const worker& w, std::uint32_t scope) noexcept override;
  void serve(worker&, bool) noexcept override {}
  bool may_leave(const worker& w) noexcept override {
    return w.seat < 0 || find(
                             seat_of(w),
                             [&w](const waiting_task& t) {
                               return is_own(t) && (!may_wait(t) || !w.eligible(entry::scope(t.task)));
                             }) == entry::k_none;
  }
  std::uint64_t left_by(worker& w) noexcept override;
  void go_on_alone(worker& w) noexcept override;

 private:
  static constexpr std::size_t k_unused_tasks = 64;

  using shares = std::array<cache_share, k_most_cache_levels>;
  /// What `a` has of caches, or would have, if its seat were `seat`.
  std::span<const cache_share> shares_of(const anchoring& a, unsigned seat, shares& of) const noexcept;
  bool takes_room(const anchoring& a, unsigned seat) noexcept {
    shares of;
    return room_.take(shares_of(a, seat, of), relax());
  }
  bool has_room(const anchoring& a, unsigned seat) noexcept {
    shares of;
    return room_.has(shares_of(a, seat, of), relax());
  }
  bool gives_back(const anchoring& a) noexcept;
  /// @returns whether anything was given back. So do those below.
  bool end_strand(anchoring& here) noexcept;
  bool end_branch(anchoring& here) noexcept;
  bool close(worker& w, anchoring& here) noexcept;
  void tie(worker& w, anchoring& here, std::uint64_t bytes) noexcept;
  /// The innermost level of the seat's caches in which so much may be tied; 0: none.
  std::uint8_t fits_in(std::uint64_t bytes, unsigned seat) const noexcept;
  /// Room has been given back.
  void wake_for_what_waits() noexcept;

  /// It has been made in the seat in which it lies: by its holder, whoever that was.
  static bool is_own(const waiting_task& t) noexcept { return !t.where.is_part; }
  /// For room.
  static bool may_wait(const waiting_task& t) noexcept { return t.where.anchor.strand != 0; }

  /// The seats where tasks lie that a worker of `seat` takes from code which is tied to its cache of that level.
  struct seats {
    unsigned first;
    unsigned last;
  };
  seats seats_of(unsigned level, unsigned seat) const noexcept {
    if (level == 0) return {0, seat_count() - 1};
    const auto l = static_cast<std::uint8_t>(level);
    const range all = levels_.whole(l, levels_.cache_of(l, seat));
    // Seats for CPUs that may come count to the last cache.
    const bool is_last = levels_.cache_of(l, seat) + 1 == levels_.caches(l);
    return {all.first(), is_last ? seat_count() - 1 : all.last()};
  }
  static waiting_task* any_of(const task_list& list) noexcept {
    return list.from_near([](const waiting_task&) { return true; });
  }
  template <class Choose>
  std::uint64_t take(seat_tasks& s, Choose choose, waiting_task& taken, seat_tasks* mine) noexcept;
  template <class Accept>
  const waiting_task* find_in(const seat_tasks& s, Accept accept) const noexcept;
  template <class Accept>
  std::uint64_t find(seat_tasks& s, Accept accept) noexcept;
  static waiting_task* take_unused(seat_tasks& s) noexcept {
    waiting_task* const t = s.unused_tasks;
    s.unused_tasks = t->farther;
    --s.unused_task_count;
    return t;
  }
  seat_tasks& seat_of(const worker& w) const noexcept { return *seats_[static_cast<unsigned>(w.seat)]; }
  unsigned seat_count() const noexcept { return static_cast<unsigned>(seats_.size()); }
  /// Of a computation that a child of fork(2) goes on with, too.
  std::uint8_t level_of(std::uint8_t level) const noexcept {
    return std::min(level, static_cast<std::uint8_t>(levels_.count()));
  }
  relax_on_platform relax() const noexcept { return {&owner_.os}; }
  void lock(seat_tasks& s) const noexcept { s.lock.lock(relax()); }

  runtime& owner_;
  cache_levels levels_;
  cache_room room_;
  std::array<unsigned, k_most_cache_levels + 1> first_of_level_{};
  std::vector<std::unique_ptr<seat_tasks>> seats_;
};

// --- what a computation has of caches

std::span<const cache_share> space_bounded::shares_of(const anchoring& a, unsigned seat, shares& of) const noexcept {
  std::size_t n = 0;
  for (auto level = static_cast<std::uint8_t>(a.around + 1); level <= levels_.count(); ++level) {
    const unsigned cache = levels_.cache_of(level, seat);
    const std::uint64_t bytes =
        level <= a.level ? a.held : std::min(a.strand, part_of(levels_.bytes(level, cache), cost::k_strand_share));
    if (bytes != 0) of[n++] = {first_of_level_[level] + cache, bytes};
  }
  return {of.data(), n};
}

bool space_bounded::gives_back(const anchoring& a) noexcept {
  shares of;
  const auto all = shares_of(a, a.seat, of);
  if (all.empty()) return false;
  room_.give_back(all, relax());
  return true;
}

bool space_bounded::end_strand(anchoring& here) noexcept {
  if (here.strand == 0) return false;
  anchoring farther_in = here;
  farther_in.around = here.level;
  here.strand = 0;
  return gives_back(farther_in);
}

std::uint8_t space_bounded::fits_in(std::uint64_t bytes, unsigned seat) const noexcept {
  auto level = static_cast<std::uint8_t>(levels_.count());
  while (level != 0 && bytes > part_of(levels_.bytes(level, levels_.cache_of(level, seat)), cost::k_fitting_share)) {
    --level;
  }
  return level;
}

// A branch that runs where it is does not wait for room: it goes on untied, as a part of what is around.
void space_bounded::tie(worker& w, anchoring& here, std::uint64_t bytes) noexcept {
  if (w.seat < 0) return;
  const auto seat = static_cast<unsigned>(w.seat);
  anchoring inside{.forks = here.forks,
                   .held = bytes,
                   .seat = static_cast<std::uint16_t>(seat),
                   .level = fits_in(bytes, seat),
                   .around = here.level};
  if (inside.level > here.level && takes_room(inside, seat)) here = inside;
}

bool space_bounded::end_branch(anchoring& here) noexcept {
  anchored_fork* const fork = here.forks;
  const bool is_tied = here.level > fork->before.level;
  const bool any = is_tied && gives_back(here);
  here = fork->before;
  here.forks = fork;
  return any;
}

bool space_bounded::close(worker& w, anchoring& here) noexcept {
  anchored_fork* const fork = here.forks;
  const bool any = end_branch(here);
  here.forks = fork->before.forks;
  if (w.seat >= 0 && seat_of(w).unused_fork == nullptr) {
    seat_of(w).unused_fork = fork;
  } else {
    delete fork;
  }
  return any;
}

void space_bounded::begins(worker& w, fiber& f) noexcept {
  seat_tasks& s = seat_of(w);
  f.locality = {};
  if (std::exchange(s.has_taken, false)) f.locality.anchor = s.taken;
}

void space_bounded::ends(worker& w, fiber& f) noexcept {
  anchoring& here = f.locality.anchor;
  bool any = false;
  while (here.forks != nullptr) any |= close(w, here);
  any |= gives_back(here);
  here = {};
  if (any) wake_for_what_waits();
}

void space_bounded::joined(worker& w, const void* construct) noexcept {
  anchoring& here = w.current->locality.anchor;
  const anchored_fork* it = here.forks;
  while (it != nullptr && it->construct != construct) it = it->before.forks;
  if (it == nullptr) return;
  bool any = false;
  for (bool was_it = false; !was_it;) {
    was_it = here.forks == it;
    any |= close(w, here);
  }
  if (any) wake_for_what_waits();
}

// --- what was promoted

bool space_bounded::reserve(worker& w, std::size_t count, bool may_grow) noexcept {
  seat_tasks& s = seat_of(w);
  s.in_handler = !may_grow;
  // For a promotion in a signal handler, too.
  while (may_grow && s.unused_task_count < 2 * count) {
    auto* const t = new (std::nothrow) waiting_task;
    if (t == nullptr) break;
    t->farther = std::exchange(s.unused_tasks, t);
    ++s.unused_task_count;
  }
  // Without one the branches are not tied.
  if (may_grow && s.unused_fork == nullptr) s.unused_fork = new (std::nothrow) anchored_fork;
  return s.unused_task_count >= count;
}

bool space_bounded::hinted(worker& w, abi::slot*, const abi::hints& said) noexcept {
  if (levels_.count() == 0 || w.seat < 0 || said.branches == 0) return false;
  // What does not fit takes longer than any beat.
  return fits_in(said.bytes, static_cast<unsigned>(w.seat)) < levels_.count();
}

void space_bounded::promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept {
  seat_tasks& s = seat_of(w);
  anchoring& here = w.current->locality.anchor;
  s.around = here;
  s.given = 0;
  if (said == nullptr || said->bytes == 0 || frame.is_loop()) return;
  if (frame.what == latent_frame::kind::child) {
    const bool knows = said->group_work > 0 && said->work >= 0;
    s.given = knows ? part_of(said->bytes, said->work / said->group_work) : said->bytes;
    return;
  }
  s.given = part_of(said->bytes, said->weights[1] / (said->weights[0] + said->weights[1]));
  // A signal handler wakes nobody for what it would give back.
  if (s.in_handler || s.unused_fork == nullptr || levels_.count() == 0) return;
  const bool any = end_strand(here);
  anchored_fork* const fork = std::exchange(s.unused_fork, nullptr);
  *fork = {.construct = frame.construct, .before = here, .given = s.given};
  here.forks = fork;
  tie(w, here, said->bytes - s.given);
  if (any) wake_for_what_waits();
}

void space_bounded::publish(worker& w, std::uint64_t task, bool) noexcept {
  seat_tasks& mine = seat_of(w);
  const auto seat = static_cast<unsigned>(w.seat);
  waiting_task& t = *take_unused(mine);
  const std::uint8_t around = level_of(mine.around.level);
  t.task = task;
  t.where = {};
  t.where.anchor = {.strand = mine.given,
                    .level = mine.given == 0 ? around : std::max(around, fits_in(mine.given, seat)),
                    .around = around};
  if (t.where.anchor.level > around) t.where.anchor.held = mine.given;
  // Where the workers of that cache look, and nobody else.
  unsigned target = seat;
  if (around != 0) {
    const unsigned cache = levels_.cache_of(around, mine.around.seat);
    if (levels_.cache_of(around, seat) != cache) target = levels_.first_seat(around, cache);
    t.where.is_part = target != seat;
  }
  seat_tasks& s = *seats_[target];
  lock(s);
  s.lists[around].put_near(t);
  // EDGE wake.task: seq_cst, because whoever puts something in looks for sleepers next (src/worker/README.md).
  s.count.fetch_add(1, sync::seq_cst);
  s.lock.unlock();
}

void space_bounded::wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept {
  const anchoring& around = seat_of(w).around;
  const seats all = seats_of(level_of(around.level), around.seat);
  owner_.announce_task(entry::scope(task), in_signal_handler, all.first, all.last);
}

void space_bounded::wake_for_what_waits() noexcept {
  for (unsigned s = 0; s < seat_count(); ++s) {
    // EDGE wake.task
    if (seats_[s]->count.load(sync::seq_cst) == 0) continue;
    seats inside{};
    const std::uint64_t e = find(*seats_[s], [&](const waiting_task& t) {
      const anchoring& a = t.where.anchor;
      if (a.level == a.around) return false;
      // One seat of each cache that it could be tied to.
      const seats all = seats_of(a.around, s);
      for (unsigned seat = all.first; seat <= all.last; seat = inside.last + 1) {
        inside = seats_of(a.level, seat);
        if (has_room(a, seat)) return true;
      }
      return false;
    });
    if (e == entry::k_none) continue;
    owner_.announce_task(entry::scope(e), false, inside.first, inside.last);
    return;
  }
}

// --- who runs it

template <class Choose>
std::uint64_t space_bounded::take(seat_tasks& s, Choose choose, waiting_task& taken, seat_tasks* mine) noexcept {
  // EDGE wake.task
  if (s.count.load(sync::seq_cst) == 0) return entry::k_none;
  lock(s);
  waiting_task* const t = choose(s);
  if (t != nullptr) {
    s.lists[t->where.anchor.around].remove(*t);
    s.count.fetch_sub(1, sync::seq_cst);
  }
  s.lock.unlock();
  if (t == nullptr) return entry::k_none;
  taken = *t;
  if (mine != nullptr && mine->unused_task_count < k_unused_tasks) {
    t->farther = std::exchange(mine->unused_tasks, t);
    ++mine->unused_task_count;
  } else {
    delete t;
  }
  return taken.task;
}

template <class Accept>
const waiting_task* space_bounded::find_in(const seat_tasks& s, Accept accept) const noexcept {
  for (const task_list& list : s.lists) {
    if (const waiting_task* t = list.from_near(accept)) return t;
  }
  return nullptr;
}

template <class Accept>
std::uint64_t space_bounded::find(seat_tasks& s, Accept accept) noexcept {
  // EDGE wake.task
  if (s.count.load(sync::seq_cst) == 0) return entry::k_none;
  lock(s);
  const waiting_task* const t = find_in(s, accept);
  const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
  s.lock.unlock();
  return e;
}

std::uint64_t space_bounded::next(worker& w) noexcept {
  seat_tasks& mine = seat_of(w);
  const auto seat = static_cast<unsigned>(w.seat);
  waiting_task taken;
  const auto accept = [&](const waiting_task& t) {
    return w.eligible(entry::scope(t.task)) && takes_room(t.where.anchor, seat);
  };
  // What this worker has made is of any scope: the fiber may have been another call's, resumed here, and there may be
  // nobody else. Then it does not wait for room, either.
  const auto is_nobody_elses = [&w](const waiting_task& t) { return is_own(t) && !w.eligible(entry::scope(t.task)); };
  const auto accept_own = [&](const waiting_task& t) { return is_nobody_elses(t) || accept(t); };
  std::uint64_t e = entry::k_none;
  bool stolen = false;
  unsigned victim = seat;
  for (unsigned level = levels_.count() + 1; e == entry::k_none && level-- > 0;) {
    // What it has made last; of others what they have made first.
    victim = seat;
    e = take(mine, [&](const seat_tasks& s) { return s.lists[level].from_near(accept_own); }, taken, &mine);
    const seats all = seats_of(level, seat);
    const unsigned count = all.last - all.first + 1;
    const auto from = static_cast<unsigned>(w.next_random() % count);
    for (unsigned i = 0; e == entry::k_none && i < count; ++i) {
      victim = all.first + (from + i) % count;
      if (victim == seat || seats_[victim]->count.load(sync::relaxed) == 0) continue;
      w.stats.steals_tried.add();
      e = take(*seats_[victim], [&](const seat_tasks& s) { return s.lists[level].from_far(accept); }, taken, &mine);
      stolen = e != entry::k_none;
    }
  }
  if (e == entry::k_none) return e;
  if (stolen) {
    w.stats.steals_done.add();
    owner_.os.note(platform::action::steal);
    if (const worker* holder = owner_.holder(victim); holder != nullptr) trace::note_steal(w, *holder);
  }
  mine.taken = taken.where.anchor;
  mine.taken.seat = static_cast<std::uint16_t>(seat);
  if (!stolen && is_nobody_elses(taken)) mine.taken = {.seat = mine.taken.seat, .level = mine.taken.around};
  mine.has_taken = true;
  return e;
}

bool space_bounded::is_anything_for(worker& w) noexcept {
  const unsigned seat = w.seat < 0 ? w.last_seat : static_cast<unsigned>(w.seat);
  for (unsigned level = 0; level <= levels_.count(); ++level) {
    const seats all = seats_of(level, seat);
    for (unsigned s = all.first; s <= all.last; ++s) {
      const auto is_for = [&](const waiting_task& t) {
        const anchoring& a = t.where.anchor;
        return a.around == level && w.eligible(entry::scope(t.task)) && has_room(a, seat);
      };
      if (find(*seats_[s], is_for) != entry::k_none) return true;
    }
  }
  return false;
}

std::uint64_t space_bounded::take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept {
  seat_tasks* const mine = w.seat < 0 ? nullptr : &seat_of(w);
  // Whoever clears up after a call asks without a fiber. What it has made goes with it, waiting for room or not; of
  // what lies elsewhere only that call's is its own.
  const auto chosen = [&](const waiting_task& t) {
    return wanted != nullptr ? entry::task(t.task) == wanted : runs_here(entry::task(t.task));
  };
  const auto left = [&](const waiting_task& t) {
    return is_own(t) || (entry::scope(t.task) == w.scope && runs_here(entry::task(t.task)));
  };
  const auto of_ended_call = [&](const waiting_task& t) { return entry::scope(t.task) == w.scope && chosen(t); };
  const auto by = [this](auto accept) {
    return [this, accept](const seat_tasks& s) { return const_cast<waiting_task*>(find_in(s, accept)); };
  };
  const bool clears_up = w.current == nullptr;
  waiting_task taken;
  std::uint64_t e = entry::k_none;
  if (mine != nullptr) e = clears_up ? take(*mine, by(left), taken, mine) : take(*mine, by(chosen), taken, mine);
  for (unsigned s = 0; e == entry::k_none && s < seat_count(); ++s) {
    if (seats_[s].get() == mine) continue;
    e = clears_up ? take(*seats_[s], by(of_ended_call), taken, mine) : take(*seats_[s], by(chosen), taken, mine);
  }
  // What another policy knows of the computation is not for this one.
  if (clears_up || w.current->policy != this) return e;
  anchoring& here = w.current->locality.anchor;
  bool any = false;
  if (here.forks != nullptr && wanted != nullptr && here.forks->construct == wanted) {
    // The left branch is over, and the right one runs here.
    any |= end_branch(here);
    if (e != entry::k_none) tie(w, here, here.forks->given);
  }
  // Code that waits uses nothing.
  if (e == entry::k_none) any |= end_strand(here);
  if (any) wake_for_what_waits();
  return e;
}

bool space_bounded::offers(const worker& w, std::uint32_t scope) noexcept {
  return w.seat >= 0 && find(seat_of(w), [&](const waiting_task& t) {
                          // What may have to wait for room is not what others can begin now.
                          return t.where.anchor.level == t.where.anchor.around &&
                                 (scope == 0 || entry::scope(t.task) == scope);
                        }) != entry::k_none;
}

std::uint64_t space_bounded::left_by(worker& w) noexcept {
  return find(*seats_[w.last_seat], [](const waiting_task&) { return true; });
}

void space_bounded::go_on_alone(worker& w) noexcept {
  for (unsigned n = 0; n < seat_count(); ++n) {
    seat_tasks& s = *seats_[n];
    const bool whole = s.lock.go_on_alone();
    std::uint32_t left = 0;
    if (whole && static_cast<int>(n) == w.seat) {
      // There is one level from here on.
      std::array<task_list, k_most_cache_levels + 1> lists = std::exchange(s.lists, {});
      for (const task_list& list : lists) {
        while (waiting_task* t = any_of(list)) {
          const_cast<task_list&>(list).remove(*t);
          t->where.anchor = {};
          s.lists[0].put_far(*t);
          ++left;
        }
      }
    } else {
      s.lists = {};
    }
    s.count.store(left, sync::relaxed);
  }
  levels_.forget();
  room_.forget();
}

}  // namespace

std::unique_ptr<policy> make_space_bounded(runtime& r, bool may_bind) {
  return std::make_unique<space_bounded>(r, may_bind);
}

}  // namespace takt::core
