// Worksharing: constructs that the members of a team come to one after the other, and how loops are divided there.
#include <algorithm>
#include <cstdlib>

#include "state.hpp"

namespace takt::openmp {

void workshare::forget() noexcept {
  std::free(posted);
  posted = nullptr;
  std::free(memory);
  memory = nullptr;
}

namespace {

// Constructs of a region follow each other, those of another one have nothing to do with them.
constexpr unsigned k_region_shift = 32;

std::uint64_t region_of(std::uint64_t number) noexcept { return number >> (k_region_shift + 1); }

// The record of the construct that `m` has come to. @returns whether it is the first, and has it to set up.
bool come_to_share(member& m, workshare*& share) noexcept {
  team& t = *m.in;
  const std::uint64_t number = 2 * m.constructs++;
  workshare& s = t.shares[number / 2 % k_workshares];
  share = &s;
  for (short_wait brief;;) {
    // EDGE workshare.number: it is set up.
    std::uint64_t seen = s.number.load(std::memory_order_acquire);
    if (seen == number) return false;
    if (seen == number + 1) {
      brief.pause();
      continue;
    }
    // Members may have left out constructs of an earlier region that was cancelled.
    const auto is_free = [&] { return s.is_free.load(std::memory_order_seq_cst) || region_of(seen) != region_of(number); };
    if (!is_free()) {
      // Somebody is still in one that came long before.
      t.turn.wait([&] { return is_free() || s.number.load(std::memory_order_seq_cst) != seen; });
      continue;
    }
    if (s.number.compare_exchange_strong(seen, number + 1, std::memory_order_acquire, std::memory_order_relaxed)) break;
  }
  s.forget();
  s.left.store(0, std::memory_order_relaxed);
  s.is_free.store(false, std::memory_order_relaxed);
  return true;
}

void is_set_up(workshare& s) noexcept {
  // EDGE workshare.number
  s.number.store(s.number.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

}  // namespace

workshare& enter_share(member& m, void (*init)(workshare&, const void*), const void* what) noexcept {
  workshare* s = nullptr;
  if (come_to_share(m, s)) {
    s->next.store(0, std::memory_order_relaxed);
    s->turn.store(0, std::memory_order_relaxed);
    s->is_cancelled.store(false, std::memory_order_relaxed);
    s->count = 0;
    s->reductions = nullptr;
    init(*s, what);
    is_set_up(*s);
  }
  return *s;
}

bool pass_share(member& m) noexcept {
  workshare* s = nullptr;
  const bool is_first = come_to_share(m, s);
  if (is_first) is_set_up(*s);
  leave_share(m, *s);
  return is_first;
}

void leave_share(member& m, workshare& s) noexcept {
  // EDGE workshare.left: the last one sees what the others did, and frees it.
  if (s.left.fetch_add(1, std::memory_order_acq_rel) + 1 != m.in->size) return;
  s.forget();
  s.is_free.store(true, std::memory_order_seq_cst);
  m.in->turn.notify();
}

loop_range static_part(std::uint64_t count, std::uint64_t parts, std::uint64_t part) noexcept {
  const std::uint64_t each = count / parts;
  const std::uint64_t more = count % parts;
  const std::uint64_t begin = each * part + std::min(part, more);
  return {begin, begin + each + (part < more ? 1 : 0)};
}

namespace {

struct loop_start {
  std::uint64_t count;
  schedule how;
};

void init_loop(workshare& s, const void* what) {
  const auto& start = *static_cast<const loop_start*>(what);
  s.count = start.count;
  s.how = start.how;
}

schedule resolved(schedule how) noexcept {
  if (how.what == kind::automatic) how = {kind::fixed, 0, false};
  if (how.chunk == 0 && how.what != kind::fixed) how.chunk = 1;
  return how;
}

bool take(const member& m, loop_position& l, loop_range& out) noexcept {
  const std::uint64_t size = m.in->size, count = l.count, chunk = l.how.chunk;
  if (l.how.what == kind::fixed) {
    if (chunk == 0) {
      if (l.next != 0) return false;
      l.next = 1;
      out = static_part(count, size, m.number);
      return out.begin < out.end;
    }
    // Round robin: of each `size` chunks one.
    const std::uint64_t chunks = (count - 1) / chunk + 1;
    const std::uint64_t mine = l.next * size + m.number;
    if (count == 0 || mine >= chunks) return false;
    ++l.next;
    out.begin = mine * chunk;
    out.end = count - out.begin < chunk ? count : out.begin + chunk;
    return true;
  }
  std::atomic<std::uint64_t>& next = l.in->next;
  // Each member goes beyond the end once.
  if (l.how.what == kind::dynamic && chunk < (~std::uint64_t{0} - count) / size) {
    const std::uint64_t at = next.fetch_add(chunk, std::memory_order_relaxed);
    if (at >= count) return false;
    out = {at, std::min(at + chunk, count)};
    return true;
  }
  std::uint64_t at = next.load(std::memory_order_relaxed);
  for (;;) {
    if (at >= count) return false;
    std::uint64_t part = chunk;
    if (l.how.what == kind::guided) part = std::max(part, (count - at) / size / part * part);
    part = std::min(part, count - at);
    if (next.compare_exchange_weak(at, at + part, std::memory_order_relaxed)) {
      out = {at, at + part};
      return true;
    }
  }
}

// The chunk is done: the next one may run its ordered regions.
void pass_turn(member& m) noexcept {
  loop_position& l = m.loop;
  if (!l.is_ordered || !l.has_chunk) return;
  l.has_chunk = false;
  ordered_begin(m);
  l.in->turn.store(l.end, std::memory_order_seq_cst);
  m.in->turn.notify();
}

}  // namespace

void begin_loop(member& m, std::uint64_t count, schedule how, bool is_ordered) noexcept {
  const loop_start start{count, resolved(how)};
  m.loop.in = &enter_share(m, &init_loop, &start);
  m.loop.count = m.loop.in->count;
  m.loop.how = m.loop.in->how;
  m.loop.next = 0;
  m.loop.is_ordered = is_ordered;
  m.loop.has_chunk = false;
}

bool next_chunk(member& m, loop_range& chunk) noexcept {
  loop_position& l = m.loop;
  pass_turn(m);
  if (l.in->is_cancelled.load(std::memory_order_relaxed) || !take(m, l, chunk)) return false;
  l.begin = chunk.begin;
  l.end = chunk.end;
  l.has_chunk = true;
  return true;
}

void end_loop(member& m) noexcept {
  if (m.loop.in == nullptr) return;
  pass_turn(m);
  leave_share(m, *m.loop.in);
  m.loop.in = nullptr;
}

void ordered_begin(member& m) noexcept {
  const loop_position& l = m.loop;
  if (l.in == nullptr || !l.is_ordered) return;
  workshare& s = *l.in;
  m.in->turn.wait([&] {
    return s.turn.load(std::memory_order_seq_cst) == l.begin || s.is_cancelled.load(std::memory_order_relaxed);
  });
}

void ordered_end(member&) noexcept {}

// --- doacross

namespace {

// Of the collapsed loop; false outside of it.
bool number_of(const workshare& s, const std::int64_t* vector, std::uint64_t& number) noexcept {
  number = 0;
  for (std::size_t d = 0; d < s.dimensions.size() / 3; ++d) {
    const std::int64_t lower = s.dimensions[3 * d], step = s.dimensions[3 * d + 1], count = s.dimensions[3 * d + 2];
    const std::int64_t at = (vector[d] - lower) / step;
    if ((step > 0 ? vector[d] < lower : vector[d] > lower) || at >= count) return false;
    number = number * static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(at);
  }
  return true;
}

struct doacross_start {
  loop_start loop;
  std::vector<std::int64_t>* bounds;
};

void init_doacross(workshare& s, const void* what) {
  const auto& start = *static_cast<const doacross_start*>(what);
  init_loop(s, &start.loop);
  s.dimensions = *start.bounds;
  s.posted = static_cast<std::atomic<std::uint32_t>*>(std::calloc(start.loop.count / 32 + 1, sizeof(std::uint32_t)));
  if (s.posted == nullptr) fail("no memory for a loop with doacross dependences");
}

}  // namespace

void begin_doacross(member& m, std::vector<std::int64_t> bounds, schedule how) noexcept {
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < bounds.size() / 3; ++d) count *= static_cast<std::uint64_t>(bounds[3 * d + 2]);
  const doacross_start start{{count, resolved(how)}, &bounds};
  m.doacross = &enter_share(m, &init_doacross, &start);
}

void end_doacross(member& m) noexcept {
  if (m.doacross == nullptr) return;
  leave_share(m, *m.doacross);
  m.doacross = nullptr;
}

void doacross_post(member& m, const std::int64_t* vector) noexcept {
  workshare* const s = m.doacross;
  std::uint64_t number;
  if (s == nullptr || !number_of(*s, vector, number)) return;
  // EDGE doacross.posted
  s->posted[number / 32].fetch_or(1u << number % 32, std::memory_order_seq_cst);
  m.in->turn.notify();
}

void doacross_wait(member& m, const std::int64_t* vector) noexcept {
  workshare* const s = m.doacross;
  std::uint64_t number;
  if (s == nullptr || !number_of(*s, vector, number)) return;
  m.in->turn.wait([&] {
    // EDGE doacross.posted
    return (s->posted[number / 32].load(std::memory_order_seq_cst) & 1u << number % 32) != 0;
  });
}

}  // namespace takt::openmp
