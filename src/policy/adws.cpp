// Almost deterministic work stealing. See README.md, "adws".
#include "policy/adws.hpp"

#include "policy/learned.hpp"
#include "policy/range.hpp"
#include "policy/seat_queues.hpp"
#include "sync/spin_lock.hpp"
#include "trace/trace.hpp"
#include "worker/runtime.hpp"

#include <bit>
#include <new>
#include <utility>
#include <vector>

namespace takt::core {

/// A construct that was promoted while the range of its task was cross-worker. Thieves read what is atomic at any time:
/// a record that serves another construct meanwhile misleads them about where to steal, and about nothing else.
struct cross_group {
  sync::atomic<std::uint64_t> over{0};  ///< a range
  sync::atomic<std::uint32_t> depth{0};
  sync::atomic<std::uint32_t> dominant{0};  ///< one of its parts is done (section 3.2)
  sync::atomic<std::uint32_t> given_is_over{0};  ///< the part that was handed over is done, or was taken back
  sync::atomic<cross_group*> around{nullptr};
  sync::atomic<std::uint32_t> serial{0};  ///< how many constructs it has served
  sync::atomic<std::uint64_t> ticks[2];   ///< what was kept and what was given took so far, on all seats

  /// The fiber that runs the construct. Read on others, for which it is not theirs, whatever they see.
  sync::atomic<const fiber*> home{nullptr};

  // Of that fiber alone.
  latent_frame frame;
  std::uint64_t position = 0;
  std::uint64_t cut = 0;    ///< of a loop
  double kept_share = 0;    ///< of the range
  bool given_back = false;  ///< the whole range is that of the code which goes on
  locality before;
  cross_group* next = nullptr;  ///< where nobody uses it
};

namespace {

std::uint64_t word_of(range r) noexcept { return std::bit_cast<std::uint64_t>(r); }
range range_of(std::uint64_t word) noexcept { return std::bit_cast<range>(word); }

/// The construct that `l` names; null once its record serves another one: a child of a group may outlive the call in
/// which the group was divided. Every step from a construct to the one around it asks.
cross_group* group_of(const locality& l) noexcept {
  return l.group != nullptr && l.group->serial.load(sync::relaxed) == l.serial ? l.group : nullptr;
}

/// The same, if `f` runs it: then nobody else closes it.
cross_group* own_group(const locality& l, const fiber& f) noexcept {
  cross_group* const g = group_of(l);
  return g != nullptr && g->home.load(sync::relaxed) == &f ? g : nullptr;
}

/// What belongs to a seat.
struct alignas(abi::k_cache_line) seat_state {
  spin_lock lock;
  sync::atomic<std::uint32_t> count{0};
  seat_queues queues;

  /// The innermost construct that the seat has a share in; null: none. Who steals reads it.
  alignas(abi::k_cache_line) sync::atomic<cross_group*> shares{nullptr};
  sync::tally<std::uint32_t> times_shared{0};

  // Its holder's.
  alignas(abi::k_cache_line) waiting_task* unused_tasks = nullptr;
  unsigned unused_task_count = 0;
  cross_group* unused_group = nullptr;
  std::uint64_t idle_since = 0;  ///< ticks; 0: it has had something to do meanwhile
  std::uint32_t times_seen = 0;  ///< times_shared then
  locality taken;                ///< of what next() has returned last
  bool has_taken = false;
  // The promotion under way.
  cross_group* divided = nullptr;  ///< null: the range is not
  range given;
  unsigned target = 0;
  const abi::hints* said = nullptr;  ///< of a loop, unless a signal handler promotes it
  bool in_handler = false;
};

class adws final : public policy {
 public:
  explicit adws(runtime& r) : owner_(r), patience_(r.spin_ticks / cost::k_patience_share) {
    seats_.reserve(r.most_workers);
    for (unsigned s = 0; s < r.most_workers; ++s) seats_.push_back(std::make_unique<seat_state>());
  }
  ~adws() override {
    for (const auto& s : seats_) {
      while (s->unused_tasks != nullptr) delete take_unused(*s);
      while (waiting_task* t = s->queues.any([](const waiting_task&) { return true; })) {
        s->queues.remove(*t);
        delete t;
      }
    }
  }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override;
  bool wants_hints() const noexcept override { return true; }
  void promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept override;
  std::uint64_t cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept override;
  void publish(worker& w, std::uint64_t task, bool near) noexcept override;
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept override;

  std::uint64_t next(worker& w) noexcept override;
  bool is_anything_for(worker& w) noexcept override;
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept override;

  void begins_call(worker& w, fiber& f) noexcept override;
  void begins(worker& w, fiber& f) noexcept override;
  void ends(worker& w, fiber& f) noexcept override;
  void joined(worker& w, const void* construct) noexcept override;
  int goes_on_at(const worker& w, const fiber& f) const noexcept override;

  bool offers(const worker& w, std::uint32_t scope) noexcept override;
  bool divides(const worker& w) noexcept override { return w.current->locality.over.is_cross_worker(); }
  std::uint64_t known_ticks(worker& w, const latent_frame& oldest) noexcept override;
  bool spreads(worker& w, std::uint64_t ticks) noexcept override {
    if (ticks / cost::k_spread_beats < owner_.beat_ticks) return false;
    give_back_what_is_over(w);
    return w.current->locality.over.is_cross_worker();
  }
  void serve(worker&, bool) noexcept override {}
  bool may_leave(const worker& w) noexcept override {
    return w.seat < 0 || !has(seat_of(w), [](const waiting_task& t) { return !t.where.is_part; });
  }
  std::uint64_t left_by(worker& w) noexcept override {
    return find(*seats_[w.last_seat], [](const waiting_task&) { return true; });
  }
  void go_on_alone(worker& w) noexcept override;

 private:
  static constexpr unsigned k_unused_tasks = 64;
  /// Nested further than that, constructs are of no more interest to a thief.
  static constexpr unsigned k_most_around = 64;

  static bool may_run(const worker& w, const waiting_task& t) noexcept { return w.eligible(entry::scope(t.task)); }
  seat_state& seat_of(const worker& w) const noexcept { return *seats_[static_cast<unsigned>(w.seat)]; }
  unsigned seat_count() const noexcept { return static_cast<unsigned>(seats_.size()); }

  void lock(seat_state& s) const noexcept {
    s.lock.lock([this](unsigned round) { owner_.os.relax(round); });
  }
  static double said_share(const locality& here, const fiber& f, const void* construct,
                           const abi::hints& said) noexcept;
  static std::uint64_t position_of(const locality& here, const latent_frame& frame, range given) noexcept;
  static division parts_of_loop(const locality& here, unsigned seat) noexcept {
    return divide(here.over, seat, 0.5, true);
  }
  template <class Choose>
  bool take(seat_state& s, Choose choose, waiting_task& taken, seat_state* for_holder) noexcept;
  template <class Accept>
  std::uint64_t find(seat_state& s, Accept accept) const noexcept;
  template <class Accept>
  bool has(seat_state& s, Accept accept) const noexcept {
    return find(s, accept) != entry::k_none;
  }
  void put(unsigned seat, waiting_task& t, bool from_here) noexcept;
  static waiting_task* take_unused(seat_state& s) noexcept {
    waiting_task* const t = s.unused_tasks;
    s.unused_tasks = t->farther;
    --s.unused_task_count;
    return t;
  }

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
  const std::uint64_t patience_;  ///< ticks for which an idle worker looks within its steal range alone
  std::vector<std::unique_ptr<seat_state>> seats_;
  learned_table learned_;
  sync::mutex groups_mutex_;
  // Under the mutex: all there are, and those that nobody uses and no seat has.
  std::vector<std::unique_ptr<cross_group>> groups_;
  cross_group* unused_groups_ = nullptr;
};

// --- what lies in a seat

template <class Choose>
bool adws::take(seat_state& s, Choose choose, waiting_task& taken, seat_state* mine) noexcept {
  // EDGE wake.task
  if (s.count.load(sync::seq_cst) == 0) return false;
  lock(s);
  waiting_task* const t = choose(s.queues);
  if (t != nullptr) {
    s.queues.remove(*t);
    s.count.fetch_sub(1, sync::seq_cst);
  }
  s.lock.unlock();
  if (t == nullptr) return false;
  taken = *t;
  if (mine != nullptr && mine->unused_task_count < k_unused_tasks) {
    t->farther = std::exchange(mine->unused_tasks, t);
    ++mine->unused_task_count;
  } else {
    delete t;
  }
  return true;
}

template <class Accept>
std::uint64_t adws::find(seat_state& s, Accept accept) const noexcept {
  // EDGE wake.task
  if (s.count.load(sync::seq_cst) == 0) return entry::k_none;
  lock(s);
  const waiting_task* const t = s.queues.any(accept);
  const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
  s.lock.unlock();
  return e;
}

void adws::put(unsigned seat, waiting_task& t, bool from_here) noexcept {
  seat_state& s = *seats_[seat];
  lock(s);
  s.queues.put(t, from_here);
  // EDGE wake.task: seq_cst, because whoever puts something in looks for sleepers next (src/worker/README.md).
  s.count.fetch_add(1, sync::seq_cst);
  s.lock.unlock();
}

// --- what was promoted

bool adws::reserve(worker& w, std::size_t count, bool may_grow) noexcept {
  seat_state& s = seat_of(w);
  s.in_handler = !may_grow;
  if (may_grow) {
    // For a promotion in a signal handler, too.
    while (s.unused_task_count < 2 * count) {
      auto* t = new (std::nothrow) waiting_task;
      if (t == nullptr) break;
      t->farther = std::exchange(s.unused_tasks, t);
      ++s.unused_task_count;
    }
    // Without one the range is not divided.
    if (s.unused_group == nullptr) s.unused_group = group_to_use();
  }
  return s.unused_task_count >= count;
}

cross_group* adws::group_to_use() noexcept {
  const std::lock_guard guard(groups_mutex_);
  if (unused_groups_ != nullptr) return std::exchange(unused_groups_, unused_groups_->next);
  try {
    return groups_.emplace_back(std::make_unique<cross_group>()).get();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

double adws::said_share(const locality& here, const fiber& f, const void* construct, const abi::hints& said) noexcept {
  if (said.branches != 0) return said.weights[0] / (said.weights[0] + said.weights[1]);
  if (said.group_work <= 0 || said.work < 0) return 0.5;
  // The child's part of what the group had before any of its children were handed over.
  range all = here.over;
  for (const cross_group* g = own_group(here, f); g != nullptr && g->frame.construct == construct;
       g = own_group(g->before, f)) {
    all = g->before.over;
  }
  const double given = (all.end - all.begin) * std::min(said.work / said.group_work, 1.0);
  return 1 - std::min(given / (here.over.end - here.over.begin), 1.0);
}

// A loop's halves are named by where the boundary between their seats is, and a loop by how far it goes, too: the cuts
// within it move.
std::uint64_t adws::position_of(const locality& here, const latent_frame& frame, range given) noexcept {
  const auto code = reinterpret_cast<std::uintptr_t>(frame.code);
  const std::uint64_t at = position_within(here.position, code);
  if (!frame.is_loop()) return at;
  return position_within(position_within(at, frame.code == here.loop ? 0 : frame.end), given.begin);
}

std::uint64_t adws::known_ticks(worker& w, const latent_frame& oldest) noexcept {
  give_back_what_is_over(w);
  const locality& here = w.current->locality;
  if (w.seat < 0 || !here.over.is_cross_worker()) return 0;
  const range given = oldest.is_loop() ? parts_of_loop(here, static_cast<unsigned>(w.seat)).given : range{};
  learned known;
  return learned_.find(position_of(here, oldest, given), known) ? static_cast<std::uint64_t>(known.ticks) : 0;
}

void adws::promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept {
  seat_state& s = seat_of(w);
  locality& here = w.current->locality;
  // A signal handler must not wait for the list of records.
  if (!s.in_handler) give_back_what_is_over(w);
  const bool divides = here.over.is_cross_worker() && s.unused_group != nullptr;
  s.divided = divides ? std::exchange(s.unused_group, nullptr) : nullptr;
  s.said = nullptr;
  s.target = static_cast<unsigned>(w.seat);
  if (!divides) return;
  charge(*w.current);
  here.group = group_of(here);
  division parts;
  std::uint64_t position = 0;
  if (frame.is_loop()) {
    parts = parts_of_loop(here, s.target);
    position = position_of(here, frame, parts.given);
  } else {
    position = position_of(here, frame, {});
    learned known;
    const double share = said != nullptr                  ? said_share(here, *w.current, frame.construct, *said)
                         : learned_.find(position, known) ? share_to_seat(here.over, known.share)
                                                          : 0.5;
    parts = divide(here.over, s.target, share, false);
  }
  cross_group& g = *s.divided;
  g.over.store(word_of(here.over), sync::relaxed);
  g.depth.store(here.depth + 1u, sync::relaxed);
  g.dominant.store(0, sync::relaxed);
  g.given_is_over.store(0, sync::relaxed);
  // A thief may come by from what the record served before, and go on to one that is new.
  g.around.store(here.group, sync::release);
  g.home.store(w.current, sync::relaxed);
  for (auto& t : g.ticks) t.store(0, sync::relaxed);
  g.frame = frame;
  g.position = position;
  g.given_back = false;
  g.before = here;
  g.kept_share = static_cast<double>(parts.kept.end - parts.kept.begin) / (here.over.end - here.over.begin);
  s.given = parts.given;
  s.target = std::min(parts.given.first(), seat_count() - 1);
  s.said = frame.is_loop() && !s.in_handler ? said : nullptr;
  here.over = parts.kept;
  here.group = &g;
  here.serial = g.serial.load(sync::relaxed);
  here.position = position_within(position, 0);
  here.loop = frame.is_loop() ? frame.code : nullptr;
  here.of_given = false;
  if (here.depth != 0xffff) ++here.depth;
  engage(g.before.over, g);
}

std::uint64_t adws::cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept {
  const seat_state& s = seat_of(w);
  if (s.divided == nullptr) return cut_in_half(begin, end);
  cross_group& g = *s.divided;
  learned known;
  if (s.said != nullptr && s.said->work_of != nullptr) {
    const abi::hints& said = *s.said;
    g.cut = cut_by_work(begin, end, g.kept_share, [&said](std::uint64_t from, std::uint64_t to) {
      return said.work_of(said.context, said.first + static_cast<std::int64_t>(from),
                          said.first + static_cast<std::int64_t>(to));
    });
  } else if (learned_.find(g.position, known) && begin < known.cut && known.cut < end) {
    g.cut = cut_at(begin, known.cut - begin);
  } else {
    const auto kept = static_cast<std::uint64_t>(g.kept_share * static_cast<double>(end - begin));
    g.cut = cut_at(begin, std::clamp<std::uint64_t>(kept, 1, end - begin));
  }
  return g.cut;
}

void adws::publish(worker& w, std::uint64_t task, bool near) noexcept {
  seat_state& s = seat_of(w);
  waiting_task& t = *take_unused(s);
  t.task = task;
  t.where = w.current->locality;
  t.where.charged = 0;
  const bool handed_over = s.divided != nullptr && !near;
  t.where.is_part = handed_over;
  if (handed_over) {
    w.stats.tasks_handed.add();
    t.where.over = s.given;
    t.where.migrated = true;
    t.where.of_given = true;
    t.where.position = position_within(s.divided->position, 1);
  }
  put(handed_over ? s.target : static_cast<unsigned>(w.seat), t, !handed_over);
}

void adws::wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept {
  const unsigned target = seat_of(w).target;
  // Whoever looks for work in that seat finds it, and looks once more before it sleeps.
  if (target != static_cast<unsigned>(w.seat) && owner_.is_looking(target)) return;
  owner_.announce_task(entry::scope(task), in_signal_handler, static_cast<int>(target));
}

// --- who runs it

std::uint64_t adws::start(worker& w, const waiting_task& t, bool stolen) noexcept {
  seat_state& s = seat_of(w);
  s.idle_since = 0;
  s.taken = t.where;
  s.taken.owner = static_cast<std::uint16_t>(w.seat);
  if (stolen) {
    s.taken.migrated = false;
    if (!s.taken.over.is_cross_worker()) s.taken.over = range::of_seats(static_cast<unsigned>(w.seat), 1);
  }
  s.has_taken = true;
  return t.task;
}

const cross_group* adws::steals_in(const worker& w, bool& alone) const noexcept {
  const auto seat = static_cast<unsigned>(w.seat);
  const cross_group* g = seat_of(w).shares.load(sync::acquire);
  alone = g == nullptr;
  const cross_group* topmost = nullptr;
  for (unsigned n = 0; g != nullptr && n < k_most_around; ++n, g = g->around.load(sync::acquire)) {
    if (g->dominant.load(sync::acquire) != 0 && range_of(g->over.load(sync::acquire)).covers(seat)) topmost = g;
  }
  return topmost;
}

bool adws::steal(worker& w, const cross_group* within, bool alone, waiting_task& taken) noexcept {
  seat_state& mine = seat_of(w);
  range over = range::of_seats(0, seat_count());
  unsigned depth = 0;
  if (within != nullptr) {
    over = range_of(within->over.load(sync::acquire));
    depth = within->depth.load(sync::acquire);
  }
  const unsigned first = over.first();
  const unsigned last = std::min(over.last(), seat_count() - 1);
  if (first > last) return false;
  const unsigned count = last - first + 1;
  const auto from = static_cast<unsigned>(w.next_random() % count);
  const auto accept = [&w](const waiting_task& t) { return may_run(w, t); };
  for (unsigned i = 0; i < count; ++i) {
    const unsigned victim = first + (from + i) % count;
    seat_state& s = *seats_[victim];
    if (&s == &mine || s.count.load(sync::relaxed) == 0) continue;
    w.stats.steals_tried.add();
    const auto choose = [&](const seat_queues& q) -> waiting_task* {
      // A construct in which this seat has a share is seen before its tasks are: it was divided before.
      if (alone && mine.shares.load(sync::acquire) != nullptr) return nullptr;
      if (within == nullptr) return q.any(accept);
      // The ends of the range may lie within the share of a seat, which then has tasks of others (section 3.2).
      const bool migrated = victim != first || over.begin % range::k_seat == 0;
      const bool primary = victim != last || over.end % range::k_seat == 0;
      return q.stealable(depth, migrated, primary, accept);
    };
    if (!take(s, choose, taken, &mine)) continue;
    w.stats.steals_done.add();
    owner_.os.note(platform::action::steal);
    if (const worker* holder = owner_.holder(victim); holder != nullptr) trace::note_steal(w, *holder);
    return true;
  }
  return false;
}

std::uint64_t adws::next(worker& w) noexcept {
  seat_state& mine = seat_of(w);
  waiting_task taken;
  // What this worker has pushed is of any scope: the fiber may have been another call's, resumed here, and there may be
  // nobody else.
  const auto mine_or_eligible = [&w](const waiting_task& t) { return !t.where.is_part || may_run(w, t); };
  if (take(mine, [&](const seat_queues& q) { return q.next(mine_or_eligible); }, taken, &mine)) {
    return start(w, taken, false);
  }
  bool alone = false;
  const cross_group* const within = steals_in(w, alone);
  const std::uint64_t now = owner_.os.now();
  // A share in something new: what is planned for this seat may be on its way.
  const std::uint32_t times = mine.times_shared.load(sync::relaxed);
  if (mine.idle_since == 0 || times != mine.times_seen) mine.idle_since = now;
  mine.times_seen = times;
  const bool anywhere = alone || now - mine.idle_since >= patience_;
  if (!anywhere && within == nullptr) return entry::k_none;
  if (!steal(w, anywhere ? nullptr : within, alone, taken)) return entry::k_none;
  return start(w, taken, true);
}

bool adws::is_anything_for(worker& w) noexcept {
  for (const auto& s : seats_) {
    if (has(*s, [&w](const waiting_task& t) { return may_run(w, t); })) return true;
  }
  return false;
}

std::uint64_t adws::take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept {
  const auto choose = [&](const seat_queues& q) {
    return q.wanted([&](const waiting_task& t) {
      return wanted != nullptr ? entry::task(t.task) == wanted : runs_here(entry::task(t.task));
    });
  };
  seat_state* const mine = w.seat < 0 ? nullptr : &seat_of(w);
  waiting_task taken;
  bool found = mine != nullptr && take(*mine, choose, taken, mine);
  // Whoever clears up after a call asks without a fiber: what lies elsewhere is not its own.
  for (unsigned s = 0; !found && w.current != nullptr && s < seat_count(); ++s) {
    if (seats_[s].get() != mine) found = take(*seats_[s], choose, taken, mine);
  }
  cross_group* const g = w.current != nullptr ? own_group(w.current->locality, *w.current) : nullptr;
  // What was kept is done, and others have the rest.
  if (!found && wanted != nullptr && g != nullptr) g->dominant.store(1, sync::release);
  if (!found) return entry::k_none;
  // Nobody else has that part any more.
  if (w.current != nullptr && taken.where.is_part) {
    cross_group* const its = own_group(taken.where, *w.current);
    if (its != nullptr) its->given_is_over.store(1, sync::relaxed);
    give_back_what_is_over(w);
    // It runs here.
    charge(*w.current);
    if (its != nullptr && its == w.current->locality.group) w.current->locality.of_given = true;
  }
  return taken.task;
}

// --- ranges travel with computations

void adws::engage(range over, cross_group& to) noexcept {
  for (unsigned s = over.first(); s <= over.last() && s < seat_count(); ++s) {
    // Where another call has a share, too, the last one is seen.
    seats_[s]->shares.store(&to, sync::release);
    seats_[s]->times_shared.fetch_add(1, sync::relaxed);
  }
}

// Nobody steals within it any more.
void adws::disengage(const cross_group& g) noexcept {
  const range over = g.before.over;
  for (unsigned s = over.first(); s <= over.last() && s < seat_count(); ++s) {
    if (seats_[s]->shares.load(sync::relaxed) == &g) seats_[s]->shares.store(g.before.group, sync::release);
  }
}

void adws::close(worker& w, locality& here) noexcept {
  cross_group& g = *here.group;
  disengage(g);
  charge(*w.current);
  const std::uint64_t kept = g.ticks[0].load(sync::relaxed);
  const std::uint64_t given = g.ticks[1].load(sync::relaxed);
  learn(g, kept, given);
  const std::uint64_t charged = here.charged;
  here = g.before;
  here.charged = charged;
  if (cross_group* const around = group_of(here)) around->ticks[here.of_given].fetch_add(kept + given, sync::relaxed);
  g.home.store(nullptr, sync::relaxed);
  g.serial.fetch_add(1, sync::relaxed);
  // The one who closes it need not be the one who will divide next.
  if (w.seat >= 0 && seat_of(w).unused_group == nullptr) {
    seat_of(w).unused_group = &g;
  } else {
    const std::lock_guard guard(groups_mutex_);
    g.next = std::exchange(unused_groups_, &g);
  }
}

// A part that is over goes back to the code beside it, which may be long: a loop beside a short branch, or code that
// hands one child after another to a group. Otherwise that would have less of the range each time, until its join. A
// fork or loop keeps its record, as what it takes is still counted; a group would have one for each of its children.
void adws::give_back_what_is_over(worker& w) noexcept {
  const fiber& f = *w.current;
  locality& here = w.current->locality;
  // EDGE adws.over
  const auto is_over = [](const cross_group* g) { return g != nullptr && g->given_is_over.load(sync::acquire) != 0; };
  cross_group* g = own_group(here, f);
  while (is_over(g) && g->frame.what == latent_frame::kind::child) {
    close(w, here);
    g = own_group(here, f);
  }
  for (; is_over(g); g = own_group(g->before, f)) {
    here.over = g->before.over;
    if (std::exchange(g->given_back, true)) continue;
    g->dominant.store(0, sync::relaxed);
    disengage(*g);
  }
}

// --- what is learned

// What `f` has run since the last time belongs to the part that it is in.
void adws::charge(fiber& f) const noexcept {
  const std::uint64_t ticks = f.ran + (owner_.os.now() - f.resumed_at);
  locality& here = f.locality;
  if (cross_group* const g = group_of(here)) g->ticks[here.of_given].fetch_add(ticks - here.charged, sync::relaxed);
  here.charged = ticks;
}

// Not of children: how many the group will have is not known when they are handed over.
void adws::learn(const cross_group& g, std::uint64_t kept, std::uint64_t given) noexcept {
  const double first = static_cast<double>(kept);
  const double second = static_cast<double>(given);
  if (g.frame.what == latent_frame::kind::child || first + second == 0) return;
  learned now{.ticks = first + second, .share = first / (first + second)};
  if (g.frame.is_loop()) {
    if (g.cut >= g.frame.end) return;
    now.cut = balanced_cut(g.frame.begin, g.cut, g.frame.end, first, second, g.kept_share);
  }
  learned known;
  learned_.store(g.position, learned_after(learned_.find(g.position, known) ? &known : nullptr, now));
}

void adws::begins_call(worker& w, fiber& f) noexcept {
  f.locality = {};
  f.locality.over = range::of_seats(0, std::min(owner_.worker_count(), seat_count()));
  f.locality.owner = static_cast<std::uint16_t>(std::max(w.seat, 0));
}

void adws::begins(worker& w, fiber& f) noexcept {
  seat_state& s = seat_of(w);
  if (std::exchange(s.has_taken, false)) {
    f.locality = s.taken;
    return;
  }
  f.locality = {};
  f.locality.over = range::of_seats(static_cast<unsigned>(w.seat), 1);
  f.locality.owner = static_cast<std::uint16_t>(w.seat);
}

void adws::ends(worker& w, fiber& f) noexcept {
  locality& here = f.locality;
  while (own_group(here, f) != nullptr) close(w, here);
  charge(f);
  if (cross_group* const g = group_of(here); g != nullptr && here.is_part) {
    g->dominant.store(1, sync::release);
    // EDGE adws.over: the record may serve another construct from here on.
    g->given_is_over.store(1, sync::release);
  }
}

void adws::joined(worker& w, const void* construct) noexcept {
  locality& here = w.current->locality;
  // A group has one for each child that was handed over.
  const fiber& f = *w.current;
  for (const cross_group* g = own_group(here, f); g != nullptr;) {
    const bool is_it = g->frame.construct == construct;
    const cross_group* const around = own_group(g->before, f);
    while (is_it && own_group(here, f) != around) close(w, here);
    g = around;
  }
}

int adws::goes_on_at(const worker& w, const fiber& f) const noexcept {
  const unsigned seat = f.locality.owner;
  if (static_cast<int>(seat) == w.seat || seat >= seat_count() || !owner_.is_looking(seat)) return -1;
  return static_cast<int>(seat);
}

bool adws::offers(const worker& w, std::uint32_t scope) noexcept {
  return w.seat >= 0 &&
         has(seat_of(w), [scope](const waiting_task& t) { return scope == 0 || entry::scope(t.task) == scope; });
}

void adws::go_on_alone(worker& w) noexcept {
  for (unsigned n = 0; n < seat_count(); ++n) {
    seat_state& s = *seats_[n];
    const bool whole = s.lock.go_on_alone();
    s.shares.store(nullptr, sync::relaxed);
    if (whole && static_cast<int>(n) == w.seat) continue;
    s.queues = {};
    s.count.store(0, sync::relaxed);
  }
  new (&groups_mutex_) sync::mutex;
}

}  // namespace

std::unique_ptr<policy> make_adws(runtime& r) { return std::make_unique<adws>(r); }

}  // namespace takt::core
