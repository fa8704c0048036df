// Worksharing: constructs that the members of a team come to one after the other, and how loops are divided there.
#include <algorithm>
#include <cstdlib>

#include "state.hpp"

namespace takt::openmp {

workshare& enter_share(member& m, void (*init)(workshare&, const void*), const void* what) noexcept {
  team& t = *m.in;
  const std::uint64_t number = m.constructs++;
  workshare& s = t.shares[number % k_workshares];
  for (;;) {
    // EDGE workshare.number: it is set up.
    if (s.number.load(std::memory_order_acquire) == number) return s;
    s.lock.lock();
    if (s.number.load(std::memory_order_relaxed) == number || s.is_free) break;
    s.lock.unlock();
    // Somebody is still in one that came long before.
    t.turn.wait([&] {
      s.lock.lock();
      const bool may = s.is_free || s.number.load(std::memory_order_relaxed) == number;
      s.lock.unlock();
      return may;
    });
  }
  if (s.number.load(std::memory_order_relaxed) != number) {
    s.is_free = false;
    s.left = 0;
    s.next.store(0, std::memory_order_relaxed);
    s.turn.store(0, std::memory_order_relaxed);
    s.is_cancelled.store(false, std::memory_order_relaxed);
    s.count = 0;
    s.copied = nullptr;
    s.reductions = nullptr;
    init(s, what);
    s.number.store(number, std::memory_order_release);
  }
  s.lock.unlock();
  return s;
}

void leave_share(member& m, workshare& s) noexcept {
  s.lock.lock();
  const bool is_last = ++s.left == m.in->size;
  if (is_last) {
    std::free(s.posted);
    s.posted = nullptr;
    std::free(s.memory);
    s.memory = nullptr;
    s.is_free = true;
  }
  s.lock.unlock();
  if (is_last) m.in->turn.notify();
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

bool take(member& m, loop_position& l, loop_range& out) noexcept {
  workshare& s = *l.in;
  const std::uint64_t size = m.in->size;
  if (s.how.what == kind::fixed) {
    if (s.how.chunk == 0) {
      if (l.next != 0) return false;
      l.next = 1;
      out = static_part(s.count, size, m.number);
      return out.begin < out.end;
    }
    // Round robin: of each `size` chunks one.
    const std::uint64_t chunks = (s.count - 1) / s.how.chunk + 1;
    const std::uint64_t mine = l.next * size + m.number;
    if (s.count == 0 || mine >= chunks) return false;
    ++l.next;
    out.begin = mine * s.how.chunk;
    out.end = s.count - out.begin < s.how.chunk ? s.count : out.begin + s.how.chunk;
    return true;
  }
  std::uint64_t at = s.next.load(std::memory_order_relaxed);
  for (;;) {
    if (at >= s.count) return false;
    std::uint64_t part = s.how.chunk;
    if (s.how.what == kind::guided) part = std::max(part, (s.count - at) / (2 * size));
    part = std::min(part, s.count - at);
    if (s.next.compare_exchange_weak(at, at + part, std::memory_order_relaxed)) {
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
