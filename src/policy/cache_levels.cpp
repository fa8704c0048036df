#include "policy/cache_levels.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

cache_levels::cache_levels(platform::topology& machine, const platform::placement& wanted, unsigned workers, unsigned seats,
                           bool workers_keep_to_cpus) {
  std::vector<platform::shared_cache> all;
  // Who may use which CPUs may change in between.
  for (std::size_t count = 2 * std::size_t{workers}; count > all.size();) {
    all.resize(count);
    count = machine.shared_caches(workers, wanted, all.data(), all.size());
    if (count <= all.size()) all.resize(count);
  }
  const bool keeps = workers_keep_to_cpus && machine.can_keep_to();
  for (auto first = all.begin(); first != all.end() && levels_.size() < k_most_cache_levels;) {
    const auto end = std::find_if(first, all.end(), [first](const auto& c) { return c.level != first->level; });
    const bool binds = std::any_of(first, end, [](const auto& c) { return c.cpus.count() != 0; });
    if (!binds || keeps) add_level({first, end}, seats);
    first = end;
  }
}

void cache_levels::add_level(std::span<const platform::shared_cache> caches, unsigned seats) {
  one_level l;
  l.cache_of_seat.resize(seats);
  for (const platform::shared_cache& c : caches) {
    for (unsigned s = c.first; s < seats; ++s) l.cache_of_seat[s] = static_cast<std::uint16_t>(l.caches.size());
    l.caches.push_back({c.first, c.workers, c.bytes});
    if (c.cpus.count() == 0) continue;
    cpus_of_seat_.resize(seats);
    cpus_.push_back(std::make_unique<platform::cpu_set>(c.cpus));
    for (unsigned s = c.first; s < c.first + c.workers; ++s) cpus_of_seat_[s] = cpus_.back().get();
  }
  l.leaders = std::make_unique<sync::atomic<std::uint32_t>[]>(l.caches.size());
  for (std::size_t c = 0; c < l.caches.size(); ++c) l.leaders[c].store(0, sync::relaxed);
  levels_.push_back(std::move(l));
}

unsigned cache_levels::distance(unsigned a, unsigned b) const noexcept {
  return static_cast<unsigned>(std::count_if(
      levels_.begin(), levels_.end(), [&](const one_level& l) { return l.cache_of_seat[a] != l.cache_of_seat[b]; }));
}

unsigned cache_levels::last_of(range r) const noexcept {
  return std::min(r.last(), static_cast<unsigned>(levels_.front().cache_of_seat.size()) - 1);
}

cache_levels::place cache_levels::place_of(const locality& here, unsigned seat, std::uint64_t bytes,
                                           bool flattens) const noexcept {
  place found{here.level == 0 ? std::uint8_t{1} : here.level, here.over};
  while (found.level <= count()) {
    const std::vector<one_cache>& caches = at(found.level).caches;
    unsigned first = own_cache(found.level, found.over, seat);
    unsigned last = first;
    if (flattens && crosses(found.level, found.over)) {
      first = cache_of(found.level, found.over.first());
      last = cache_of(found.level, last_of(found.over));
      // One that the range has only the beginning of has tasks of its own.
      if (whole(found.level, last).end > found.over.end) --last;
    }
    std::uint64_t room = 0;
    for (unsigned c = first; c <= last; ++c) room += caches[c].bytes;
    if (bytes > room) break;
    found.over = {whole(found.level, first).begin, whole(found.level, last).end};
    ++found.level;
    if (!flattens) break;
  }
  if (found.level > count()) found.level = locality::k_seats;
  return found;
}

bool cache_levels::is_open(unsigned seat, const locality& task) const noexcept {
  if (task.level == 0) return true;
  for (std::uint8_t level = 1; level <= count(); ++level) {
    const unsigned mine = cache_of(level, seat);
    if (level < task.level && cache_of(level, task.over.first()) == mine) continue;
    // EDGE levels.leader: seq_cst, as whoever gives it up looks for tasks and sleepers then (README.md).
    if (leaders(level, mine).load(sync::seq_cst) != 0) return false;
  }
  return true;
}

void cache_levels::lead(locality& here, std::uint8_t level, unsigned cache) noexcept {
  std::uint16_t& leads = here.leads[level - 1u];
  if (leads != 0) return;
  leaders(level, cache).fetch_add(1, sync::seq_cst);
  leads = static_cast<std::uint16_t>(cache + 1);
}

bool cache_levels::lead_as(locality& here, const locality& before) noexcept {
  bool any_free = false;
  for (std::uint8_t level = 1; level <= count(); ++level) {
    std::uint16_t& now = here.leads[level - 1u];
    const std::uint16_t then = before.leads[level - 1u];
    if (now == then) continue;
    if (then != 0) leaders(level, then - 1u).fetch_add(1, sync::seq_cst);
    // EDGE levels.leader
    if (now != 0) any_free |= leaders(level, now - 1u).fetch_sub(1, sync::seq_cst) == 1;
    now = then;
  }
  return any_free;
}

int cache_levels::without_leader(std::uint8_t level, unsigned wanted) const noexcept {
  const auto caches = static_cast<unsigned>(at(level).caches.size());
  for (unsigned i = 0; i < caches; ++i) {
    const unsigned c = (wanted + i) % caches;
    if (leaders(level, c).load(sync::seq_cst) == 0) return static_cast<int>(c);
  }
  return -1;
}

// Where threads are to run is not forgotten with it: they have been told.
void cache_levels::forget() noexcept { levels_.clear(); }

}  // namespace takt::core
