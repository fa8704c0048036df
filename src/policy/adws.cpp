// Almost deterministic work stealing: what becomes of ranges and levels. See README.md, "adws" and "Levels".
#include "policy/adws_state.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace takt::core {

void adws::put(unsigned seat, waiting_task& t, bool from_here) noexcept {
  seat_state& s = *seats_[seat];
  s.put([&] { s.queues.put(t, from_here); }, relax());
}

// --- what was promoted

bool adws::reserve(worker& w, std::size_t count, bool may_grow) noexcept {
  seat_state& s = seat_of(w);
  s.in_handler = !may_grow;
  // Without one the range is not divided.
  if (may_grow && s.unused_group == nullptr) s.unused_group = group_to_use();
  return s.reserve(count, may_grow, relax());
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
    all = range_of(g->over.load(sync::relaxed));
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
  const locality& here = w.scheduler.current()->policy.locality;
  if (!plans_ || !w.seat.is_held() || !here.over.is_cross_worker()) return 0;
  const range given = oldest.is_loop() ? parts_of_loop(here, w.seat.index()).given : range{};
  learned known;
  if (learned_.find(position_of(here, oldest, given), known)) return static_cast<std::uint64_t>(known.ticks);
  // A part that has never been divided itself.
  return oldest.is_loop() && oldest.code == here.loop ? here.loop_ticks : 0;
}

// By plan it is who has the other part who gets it.
bool adws::is_wanted(worker& w) noexcept {
  if (!w.seat.is_held()) return false;
  seat_state& s = seat_of(w);
  if (plans_) {
    give_back_what_is_over(w);
    const locality& here = w.scheduler.current()->policy.locality;
    if (here.over.is_cross_worker()) {
      return owner_.is_looking(parts_of_loop(here, w.seat.index()).target, w.scheduler.current()->run.scope());
    }
    bool alone = false;
    if (steals_in(w, alone) == nullptr && !alone) return false;
  }
  return owner_.more_look_than(w, s.count.load(sync::relaxed));
}

bool adws::spreads(worker& w, std::uint64_t ticks) noexcept {
  if (!w.seat.is_held() || ticks < owner_.least_loop_ticks(w.scheduler.current()->run.is_parted())) return false;
  seat_state& s = seat_of(w);
  if (!plans_) return owner_.more_look_than(w, s.count.load(sync::relaxed));
  give_back_what_is_over(w);
  s.for_anybody = false;
  const range over = w.scheduler.current()->policy.locality.over;
  const auto seat = w.seat.index();
  if (over.is_cross_worker()) {
    // Who sleeps is woken if each half is worth a beat.
    if (ticks / 2 >= owner_.beat_ticks) return true;
    if (owner_.is_looking(parts_of_loop(w.scheduler.current()->policy.locality, seat).target,
                          w.scheduler.current()->run.scope())) {
      return true;
    }
  } else {
    // What is one seat's is its own until somebody may steal there. At the start of a loop those whose part is on its
    // way look, too.
    bool alone = false;
    if (steals_in(w, alone) == nullptr && !alone) return false;
  }
  return s.for_anybody = owner_.more_look_than(w, s.count.load(sync::relaxed));
}

// Loops go to seats: each of their iterations is run once, so that their parts share nothing that an order among them
// could keep. What is said of nothing is taken for something that fits.
cache_levels::place adws::place_of(const locality& here, unsigned seat, bool is_loop,
                                   const abi::hints* said) const noexcept {
  if (levels_.count() == 0) return {here.level, here.over};
  if (!is_loop && said != nullptr && said->bytes != 0) return levels_.place_of(here, seat, said->bytes, plans_);
  return {is_of_caches(here) ? locality::k_seats : here.level, here.over};
}

bool adws::hinted(worker& w, abi::slot*, const abi::hints& said) noexcept {
  if (levels_.count() == 0 || !w.seat.is_held() || said.branches == 0) return false;
  // What does not fit into a cache that is shared takes longer than any beat.
  give_back_what_is_over(w);
  return levels_.is_of_caches(place_of(w.scheduler.current()->policy.locality, w.seat.index(), false, &said).level);
}

// Of what is scheduled among caches, each part has whole ones, unless it is to be divided again.
division adws::parts_of(const locality& here, unsigned seat, double share) const noexcept {
  if (!is_of_caches(here)) return divide(here.over, seat, share, false);
  const range own = levels_.whole(here.level, levels_.own_cache(here.level, here.over, seat));
  if (!plans_ || !levels_.crosses(here.level, here.over)) return {own, own, own.first()};
  division parts = divide(here.over, own, share, false);
  // Who leads a cache leads it for one of them: the other has no fraction of it.
  if (parts.given.begin < own.begin) {
    parts.given.end = std::min(parts.given.end, own.begin);
  } else {
    parts.given.begin = std::max(parts.given.begin, own.end);
  }
  for (range* const part : {&parts.kept, &parts.given}) {
    if (!levels_.crosses(here.level, *part)) {
      *part = levels_.whole(here.level, levels_.cache_of(here.level, part->first()));
    }
  }
  return parts;
}

void adws::promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept {
  seat_state& s = seat_of(w);
  locality& here = w.scheduler.current()->policy.locality;
  const auto seat = w.seat.index();
  // A signal handler must not wait for the list of records.
  if (!s.in_handler) give_back_what_is_over(w);
  const cache_levels::place at = place_of(here, seat, frame.is_loop(), said);
  const bool of_caches = levels_.is_of_caches(at.level);
  const bool for_anybody = std::exchange(s.for_anybody, false);
  const bool parts_are_planned = plans_ && at.over.is_cross_worker() && !for_anybody;
  const bool changes = of_caches || parts_are_planned || at.level != here.level;
  s.divided = changes && s.unused_group != nullptr ? std::exchange(s.unused_group, nullptr) : nullptr;
  s.said = nullptr;
  s.target = seat;
  s.hands_over = s.divided != nullptr && (of_caches || parts_are_planned);
  if (s.divided == nullptr) return;
  charge(*w.scheduler.current());
  here.group = group_of(here);
  cross_group& g = *s.divided;
  g.before = here;
  // Of a row of tasks each has a record to its join: those that were given back are in nobody's way outwards.
  cross_group* around = here.group;
  for (g.open = own_group(here, *w.scheduler.current()); g.open != nullptr &&
      g.open->given_back; g.open = g.open->open) {
    around = g.open->around.load(sync::relaxed);
  }
  here.level = at.level;
  here.over = at.over;
  division parts{here.over, here.over, here.over.first()};
  std::uint64_t position = 0;
  learned known;
  if (frame.is_loop()) {
    if (parts_are_planned) parts = parts_of_loop(here, seat);
    position = position_of(here, frame, parts.given);
    (void)learned_.find(position, known);
  } else {
    position = position_of(here, frame, {});
    const double share = said != nullptr ? said_share(here, *w.scheduler.current(), frame.construct, *said)
                                         : planned_share(here.over, learned_.find(position, known) ? known.share : 0.5);
    if (s.hands_over) parts = parts_of(here, seat, share);
  }
  g.over.store(word_of(here.over), sync::relaxed);
  g.depth.store(here.depth + 1u, sync::relaxed);
  g.dominant.store(0, sync::relaxed);
  g.given_is_over.store(0, sync::relaxed);
  // A thief may come by from what the record served before, and go on to one that is new.
  g.around.store(around, sync::release);
  g.home.store(w.scheduler.current(), sync::relaxed);
  for (auto& t : g.ticks) t.store(0, sync::relaxed);
  g.frame = frame;
  g.position = position;
  g.given_back = false;
  g.is_planned = parts_are_planned;
  g.kept_share = static_cast<double>(parts.kept.end - parts.kept.begin) / (here.over.end - here.over.begin);
  s.given = parts.given;
  s.target = std::min(parts.target, seat_count() - 1);
  s.said = frame.is_loop() && !s.in_handler ? said : nullptr;
  engage(here.over, g);
  here.over = parts.kept;
  here.group = &g;
  here.serial = g.serial.load(sync::relaxed);
  here.position = position_within(position, 0);
  here.loop = frame.is_loop() ? frame.code : nullptr;
  here.loop_ticks = static_cast<std::uint64_t>(g.kept_share * known.ticks);
  s.given_ticks = static_cast<std::uint64_t>(known.ticks) - here.loop_ticks;
  here.of_given = false;
  if (here.depth != 0xffff) ++here.depth;
  if (!of_caches) return;
  s.target = levels_.first_seat(at.level, levels_.cache_of(at.level, s.target));
  levels_.lead(here, at.level, levels_.own_cache(at.level, here.over, seat));
}

std::uint64_t adws::cut(worker& w, std::uint64_t begin, std::uint64_t end) noexcept {
  const seat_state& s = seat_of(w);
  if (s.divided == nullptr || !s.divided->is_planned) return cut_in_half(begin, end);
  cross_group& g = *s.divided;
  learned known;
  if (s.said != nullptr && s.said->work_of != nullptr) {
    const abi::hints& said = *s.said;
    g.cut = cut_by_work(begin, end, g.kept_share, [&said](std::uint64_t from, std::uint64_t to) {
      return said.work_of(said.context, said.first + static_cast<std::int64_t>(from),
                          said.first + static_cast<std::int64_t>(to));
    });
  } else {
    const auto count = static_cast<double>(end - begin);
    double kept = g.kept_share * count;
    if (learned_.find(g.position, known)) kept = kept_iterations(kept, known.cut - static_cast<double>(begin), count);
    g.cut = cut_at(begin, std::clamp<std::uint64_t>(static_cast<std::uint64_t>(kept), 1, end - begin));
  }
  return g.cut;
}

void adws::publish(worker& w, std::uint64_t task, bool near) noexcept {
  seat_state& s = seat_of(w);
  waiting_task& t = s.unused(relax());
  t.task = task;
  t.by = &w;
  t.where = w.scheduler.current()->policy.locality;
  t.where.charged = 0;
  std::ranges::fill(t.where.leads, std::uint16_t{0});
  // Without a record its join could not give up the cache.
  if (s.divided == nullptr && is_of_caches(t.where)) t.where.level = locality::k_seats;
  // Nor is it divided: it is for whoever has nothing to do, not for who is to divide it further.
  if (s.divided == nullptr && plans_ && t.where.over.is_cross_worker()) {
    t.where.over = range::of_seats(w.seat.index(), 1);
  }
  const bool handed_over = s.hands_over && !near;
  t.where.is_part = handed_over;
  if (handed_over) {
    w.stats.tasks_handed.add();
    t.where.over = s.given;
    t.where.migrated = true;
    t.where.of_given = true;
    t.where.position = position_within(s.divided->position, 1);
    t.where.loop_ticks = s.given_ticks;
  }
  const bool among_caches = is_of_caches(t.where);
  t.where.crosses =
      plans_ && (among_caches ? levels_.crosses(t.where.level, t.where.over) : t.where.over.is_cross_worker());
  // The leader's last is its next, and others take its first.
  if (among_caches) t.where.migrated = false;
  put(handed_over ? s.target : w.seat.index(), t, !handed_over || among_caches);
}

void adws::wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept {
  if (is_of_caches(w.scheduler.current()->policy.locality)) {
    wake_leader(w, task, in_signal_handler);
    return;
  }
  const unsigned target = seat_of(w).target;
  // Whoever looks for work in that seat finds it, and looks once more before it sleeps.
  if (target != w.seat.index()) {
    if (owner_.is_looking(target, entry::scope(task))) return;
  } else if (!in_signal_handler && w.scheduler.current()->policy.locality.level == 0) {
    // Whoever looks may have it, within a moment.
    if (owner_.enough_look(w, seat_of(w).count.load(sync::relaxed))) return;
  }
  owner_.announce_task(entry::scope(task), in_signal_handler, static_cast<int>(target));
}

void adws::wake_leader(worker& w, std::uint64_t task, bool in_signal_handler) noexcept {
  const std::uint8_t level = w.scheduler.current()->policy.locality.level;
  const int cache = levels_.without_leader(level, levels_.cache_of(level, seat_of(w).target));
  // Then whoever gives one up looks (wake_for_what_waits).
  if (cache < 0) return;
  const range seats = levels_.whole(level, static_cast<unsigned>(cache));
  for (unsigned s = seats.first(); s <= seats.last() && s < seat_count(); ++s) {
    if (owner_.is_looking(s)) return;
  }
  owner_.announce_task(entry::scope(task), in_signal_handler, static_cast<int>(seats.first()));
}

void adws::wake_for_what_waits() noexcept {
  for (const auto& s : seats_) {
    const std::uint64_t e = find(*s, [](const waiting_task&) { return true; });
    if (e == entry::k_none) continue;
    owner_.announce_task(entry::scope(e), false);
    return;
  }
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
  const range over = range_of(g.over.load(sync::relaxed));
  for (unsigned s = over.first(); s <= over.last() && s < seat_count(); ++s) {
    if (seats_[s]->shares.load(sync::relaxed) != &g) continue;
    seats_[s]->shares.store(g.around.load(sync::relaxed), sync::release);
  }
}

void adws::close(worker& w, locality& here) noexcept {
  cross_group& g = *here.group;
  disengage(g);
  charge(*w.scheduler.current());
  const std::uint64_t kept = g.ticks[0].load(sync::relaxed);
  const std::uint64_t given = g.ticks[1].load(sync::relaxed);
  // A fork's branch that was taken back runs after its join.
  if (g.frame.is_loop() || !here.of_given) learn(g, kept, given);
  const std::uint64_t charged = here.charged;
  const auto leads = std::to_array(here.leads);
  here = g.before;
  std::ranges::copy(leads, here.leads);
  here.charged = charged;
  if (levels_.lead_as(here, g.before)) wake_for_what_waits();
  if (cross_group* const around = group_of(here)) around->ticks[here.of_given].fetch_add(kept + given, sync::relaxed);
  g.home.store(nullptr, sync::relaxed);
  g.serial.fetch_add(1, sync::relaxed);
  // The one who closes it need not be the one who will divide next.
  if (w.seat.is_held() && seat_of(w).unused_group == nullptr) {
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
  const fiber& f = *w.scheduler.current();
  locality& here = w.scheduler.current()->policy.locality;
  // EDGE adws.over
  const auto is_over = [](const cross_group* g) { return g != nullptr && g->given_is_over.load(sync::acquire) != 0; };
  cross_group* g = own_group(here, f);
  while (is_over(g) && g->frame.what == latent_frame::kind::child) {
    close(w, here);
    g = own_group(here, f);
  }
  for (; is_over(g); g = g->open) {
    here.over = range_of(g->over.load(sync::relaxed));
    if (std::exchange(g->given_back, true)) continue;
    g->dominant.store(0, sync::relaxed);
    disengage(*g);
  }
}

// --- what is learned

// What `f` has run since the last time belongs to the part that it is in.
void adws::charge(fiber& f) const noexcept {
  const std::uint64_t ticks = f.run.ticks_until(owner_.clock.now());
  locality& here = f.policy.locality;
  if (cross_group* const g = group_of(here)) g->ticks[here.of_given].fetch_add(ticks - here.charged, sync::relaxed);
  here.charged = ticks;
}

// Not of children: how many the group will have is not known when they are handed over.
void adws::learn(const cross_group& g, std::uint64_t kept, std::uint64_t given) noexcept {
  const double first = static_cast<double>(kept);
  const double second = static_cast<double>(given);
  if (!g.is_planned || g.frame.what == latent_frame::kind::child || first + second == 0) return;
  learned now{.ticks = first + second, .share = first / (first + second)};
  if (g.frame.is_loop()) {
    if (g.cut >= g.frame.end) return;
    now.cut = balanced_cut(static_cast<double>(g.frame.begin), static_cast<double>(g.cut),
                           static_cast<double>(g.frame.end), first, second, g.kept_share);
  }
  learned known;
  learned_.store(g.position, learned_after(learned_.find(g.position, known) ? &known : nullptr, now));
}

void adws::begins_call(worker& w, fiber& f) noexcept {
  if (w.seat.is_held()) seat_of(w).stock_up(relax());
  f.policy.locality = {};
  f.policy.locality.over = range::of_seats(0, std::min(owner_.worker_count(), seat_count()));
  f.policy.locality.owner = static_cast<std::uint16_t>(std::max(w.seat.number(), 0));
}

void adws::begins(worker& w, fiber& f) noexcept {
  seat_state& s = seat_of(w);
  s.stock_up(relax());
  if (std::exchange(s.has_taken, false)) {
    f.policy.locality = s.taken;
    return;
  }
  f.policy.locality = {};
  f.policy.locality.over = range::of_seats(w.seat.index(), 1);
  f.policy.locality.level = levels_.count() == 0 ? std::uint8_t{0} : locality::k_seats;
  f.policy.locality.owner = static_cast<std::uint16_t>(w.seat.number());
}

void adws::ends(worker& w, fiber& f) noexcept {
  locality& here = f.policy.locality;
  while (own_group(here, f) != nullptr) close(w, here);
  charge(f);
  if (cross_group* const g = group_of(here); g != nullptr && here.is_part) {
    g->dominant.store(1, sync::release);
    // EDGE adws.over: the record may serve another construct from here on.
    g->given_is_over.store(1, sync::release);
  }
  if (levels_.let_go(here)) wake_for_what_waits();
}

void adws::joined(worker& w, const void* construct) noexcept {
  locality& here = w.scheduler.current()->policy.locality;
  // A group has one for each child that was handed over, and may be waited for later than what is around it.
  const fiber& f = *w.scheduler.current();
  for (const cross_group* g = own_group(here, f); g != nullptr;) {
    const bool is_it = g->frame.construct == construct;
    const bool is_child = g->frame.what == latent_frame::kind::child;
    const cross_group* const around = own_group(g->before, f);
    while (is_it && own_group(here, f) != around) close(w, here);
    if (!is_it && !is_child) return;
    g = around;
  }
}

int adws::goes_on_at(const worker& w, const fiber& f) const noexcept {
  const unsigned seat = f.policy.locality.owner;
  if (w.seat.is(seat) || seat >= seat_count() || !owner_.is_looking(seat)) return -1;
  return static_cast<int>(seat);
}

bool adws::offers(const worker& w, std::uint32_t scope) noexcept {
  return w.seat.is_held() && has(seat_of(w), [&](const waiting_task& t) {
           // A cache has no use for what waits for its leader.
           return !is_of_caches(t.where) && (scope == 0 || entry::scope(t.task) == scope);
         });
}

void adws::go_on_alone(worker& w) noexcept {
  for (unsigned n = 0; n < seat_count(); ++n) {
    seat_state& s = *seats_[n];
    const bool whole = s.lock.go_on_alone();
    s.shares.store(nullptr, sync::relaxed);
    if (whole && w.seat.is(n)) continue;
    s.queues = {};
    s.unused_tasks.forget();
    s.is_stocked = false;
    s.count.store(0, sync::relaxed);
  }
  new (&groups_mutex_) sync::mutex;
  levels_.forget();
}

std::unique_ptr<policy> make_adws(runtime& r, adws_kind kind) { return std::make_unique<adws>(r, kind); }

}  // namespace takt::core
