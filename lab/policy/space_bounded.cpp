// A space-bounded scheduler: what computations have of caches, and what becomes of their forks. See README.md, "sb".
#include "lab/policy/space_bounded_state.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace takt::core {

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
  if (!w.seat.is_held()) return;
  const auto seat = w.seat.index();
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
  if (w.seat.is_held() && seat_of(w).unused_fork == nullptr) {
    seat_of(w).unused_fork = fork;
  } else {
    delete fork;
  }
  return any;
}

void space_bounded::begins(worker& w, fiber& f) noexcept {
  seat_tasks& s = seat_of(w);
  s.stock_up(relax());
  f.policy.locality = {};
  if (std::exchange(s.has_taken, false)) f.policy.locality.anchor = s.taken;
}

void space_bounded::ends(worker& w, fiber& f) noexcept {
  anchoring& here = f.policy.locality.anchor;
  bool any = false;
  while (here.forks != nullptr) any |= close(w, here);
  any |= gives_back(here);
  here = {};
  if (any) wake_for_what_waits();
}

void space_bounded::joined(worker& w, const void* construct) noexcept {
  anchoring& here = w.scheduler.current()->policy.locality.anchor;
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
  // Without one the branches are not tied.
  if (may_grow && s.unused_fork == nullptr) s.unused_fork = new (std::nothrow) anchored_fork;
  return s.reserve(count, may_grow, relax());
}

bool space_bounded::hinted(worker& w, abi::slot*, const abi::hints& said) noexcept {
  if (levels_.count() == 0 || !w.seat.is_held() || said.branches == 0) return false;
  // What does not fit takes longer than any beat.
  return fits_in(said.bytes, w.seat.index()) < levels_.count();
}

void space_bounded::promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept {
  seat_tasks& s = seat_of(w);
  anchoring& here = w.scheduler.current()->policy.locality.anchor;
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
  const auto seat = w.seat.index();
  waiting_task& t = mine.unused(relax());
  const std::uint8_t around = level_of(mine.around.level);
  t.task = task;
  t.by = &w;
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
  s.put([&] { s.lists[around].put_near(t); }, relax());
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
      if (!may_wait(t)) return false;
      // One seat of each innermost cache: of that it may want something beside what it is tied to.
      const seats all = seats_of(a.around, s);
      for (unsigned seat = all.first; seat <= all.last; seat = inside.last + 1) {
        inside = seats_of(levels_.count(), seat);
        if (has_room(a, seat)) return true;
      }
      return false;
    });
    if (e == entry::k_none) continue;
    owner_.announce_task(entry::scope(e), false, inside.first, inside.last);
    return;
  }
}

bool space_bounded::offers(const worker& w, std::uint32_t scope) noexcept {
  return w.seat.is_held() && find(seat_of(w), [&](const waiting_task& t) {
                          // What may have to wait for room is not what others can begin now.
                          return !may_wait(t) && (scope == 0 || entry::scope(t.task) == scope);
                        }) != entry::k_none;
}

void space_bounded::left_by(worker& w, task_search& search) noexcept {
  (void)find(*seats_[w.seat.last()], [&search](const waiting_task& t) { return search.ends_at(t.task); });
}

void space_bounded::go_on_alone(worker& w) noexcept {
  for (unsigned n = 0; n < seat_count(); ++n) {
    seat_tasks& s = *seats_[n];
    const bool whole = s.lock.go_on_alone();
    std::uint32_t left = 0;
    if (whole && w.seat.is(n)) {
      // There is one level from here on.
      std::array<task_list, k_most_cache_levels + 1> lists = std::exchange(s.lists, {});
      for (task_list& list : lists) {
        while (waiting_task* t = any_of(list)) {
          list.remove(*t);
          t->where.anchor = {};
          s.lists[0].put_far(*t);
          ++left;
        }
      }
    } else {
      s.lists = {};
      s.unused_tasks.forget();
      s.is_stocked = false;
    }
    s.count.store(left, sync::relaxed);
  }
  levels_.forget();
  room_.forget();
}

std::unique_ptr<policy> make_space_bounded(runtime& r, bool may_bind) {
  return std::make_unique<space_bounded>(r, may_bind);
}

}  // namespace takt::core
