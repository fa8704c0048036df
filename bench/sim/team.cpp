#include "sim/team.hpp"

#include <algorithm>
#include <new>
#include <vector>

namespace takt::bench {

namespace {

struct shared {
  sim::virtual_time& on;
  const team_loop& loop;
  std::uint64_t count;
  const std::function<void(std::uint64_t, std::uint64_t)>& range;
  std::uint64_t next = 0;
  std::uint64_t counter_free_at = 0;
  std::uint64_t last_end = 0;
};

struct member {
  shared* all;
  unsigned number;
};

// Whoever comes while another thread has the counter's cache line waits for it.
std::uint64_t take(shared& s, std::uint64_t& end) {
  const std::uint64_t came = s.on.now();
  s.counter_free_at = std::max(came, s.counter_free_at) + s.loop.cost.counter;
  const std::uint64_t waits = s.counter_free_at - came;
  const std::uint64_t left = s.count - s.next;
  std::uint64_t chunk = s.loop.chunk;
  if (s.loop.how == schedule::guided) chunk = std::max(chunk, left / s.loop.threads);
  const std::uint64_t begin = s.next;
  end = s.next = begin + std::min(chunk, left);
  s.on.spend(waits);
  return begin;
}

void run_member(void* self) {
  const member& m = *static_cast<member*>(self);
  shared& s = *m.all;
  if (m.number != 0) s.on.spend(s.loop.cost.begin);
  if (s.loop.how == schedule::fixed) {
    const std::uint64_t part = s.count / s.loop.threads;
    const std::uint64_t more = s.count % s.loop.threads;
    const std::uint64_t begin = part * m.number + std::min<std::uint64_t>(m.number, more);
    const std::uint64_t end = begin + part + (m.number < more ? 1 : 0);
    if (begin < end) s.range(begin, end);
  } else {
    for (std::uint64_t begin, end; (begin = take(s, end)) < end;) s.range(begin, end);
  }
  s.last_end = std::max(s.last_end, s.on.time());
}

}  // namespace

void run(sim::virtual_time& on, const team_loop& loop, std::uint64_t count,
         const std::function<void(std::uint64_t, std::uint64_t)>& range) {
  shared s{.on = on, .loop = loop, .count = count, .range = range};
  std::vector<member> members;
  for (unsigned t = 0; t < loop.threads; ++t) members.push_back({&s, t});
  std::vector<platform::thread*> threads;
  for (unsigned t = 1; t < loop.threads; ++t) {
    platform::thread* started = on.start_thread(&run_member, &members[t], false);
    if (started == nullptr) throw std::bad_alloc();
    threads.push_back(started);
  }
  run_member(&members[0]);
  for (platform::thread* t : threads) on.join_thread(t);
  // A thread may have ended in the future of who waits for it.
  const std::uint64_t now = on.time();
  if (s.last_end > now) on.spend(s.last_end - now);
}

}  // namespace takt::bench
