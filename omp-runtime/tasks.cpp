// Tasks: made, queued, taken, and waited for. See README.md.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <unordered_map>
#include <utility>

#include "state.hpp"

namespace takt::openmp {

void task_queue::push(task& t) noexcept {
  lock_.lock();
  t.newer = nullptr;
  t.older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = &t;
  newest_ = &t;
  // EDGE condition.waiting
  state_.store(state_.load(std::memory_order_relaxed) + k_pushed + 1, std::memory_order_seq_cst);
  lock_.unlock();
}

void task_queue::unlink(task& t) noexcept {
  (t.newer != nullptr ? t.newer->older : newest_) = t.older;
  (t.older != nullptr ? t.older->newer : oldest_) = t.newer;
  state_.store(state_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

bool team::any_queued() const noexcept {
  if (!has_tasks.load(std::memory_order_seq_cst)) return false;
  return std::any_of(members, members + size, [](const member& m) { return m.queue.count() != 0; });
}

std::uint64_t team::pushed() const noexcept {
  std::uint64_t all = 0;
  for (const member* m = members; m != members + size; ++m) all += m->queue.pushed();
  return all;
}

// A task is counted before it is done. So if there were as many done as are made afterwards, there was none in between.
bool team::all_done() const noexcept {
  if (!has_tasks.load(std::memory_order_seq_cst)) return true;
  std::uint64_t left = 0;
  // EDGE member.done
  for (const member* m = members; m != members + size; ++m) left -= m->done.load(std::memory_order_seq_cst);
  for (const member* m = members; m != members + size; ++m) left += m->made.load(std::memory_order_seq_cst);
  return left == 0;
}

// What a task's children have said of addresses. Its own thread's alone.
struct dependences {
  struct place {
    std::vector<task*> writers;  ///< the newest, or the newest set of those that may run together
    std::vector<task*> before;   ///< of such a set: what it depends on
    std::vector<task*> readers;  ///< since then
    bool is_set = false;
  };
  std::unordered_map<std::uintptr_t, place> places;
};

namespace {

// A member that has so many waiting runs the next ones at once.
constexpr std::uint32_t k_most_waiting = 256;

void hold(std::vector<task*>& list, task& t) {
  t.references.fetch_add(1, std::memory_order_relaxed);
  list.push_back(&t);
}

void drop_all(std::vector<task*>& list) noexcept {
  for (task* const t : list) drop(*t);
  list.clear();
}

// Done ones are forgotten.
void add_edges(task& t, const std::vector<task*>& on) {
  for (task* const before : on) {
    if (before == &t) continue;
    before->lock.lock();
    if (!before->is_done) {
      t.unmet.fetch_add(1, std::memory_order_relaxed);
      t.references.fetch_add(1, std::memory_order_relaxed);
      before->successors.push_back(&t);
    }
    before->lock.unlock();
  }
}

void note(task& t, dependences::place& p, dependence::how what) {
  if (what == dependence::how::in) {
    add_edges(t, p.writers);
    hold(p.readers, t);
    return;
  }
  if (what == dependence::how::set && p.is_set && p.readers.empty()) {
    add_edges(t, p.before);
    hold(p.writers, t);
    return;
  }
  add_edges(t, p.readers);
  add_edges(t, p.writers);
  drop_all(p.before);
  if (what == dependence::how::set) {
    p.before.swap(p.readers.empty() ? p.writers : p.readers);
    // Readers depend on the writers themselves.
  }
  drop_all(p.writers);
  drop_all(p.readers);
  hold(p.writers, t);
  p.is_set = what == dependence::how::set;
}

void note_all(task& parent, task& t, const std::vector<dependence>& on) {
  if (parent.of_children == nullptr) parent.of_children = new dependences;
  auto& places = parent.of_children->places;
  for (const dependence& d : on) {
    if (d.what == dependence::how::all) {
      places.try_emplace(0);
      for (auto& [address, p] : places) note(t, p, dependence::how::out);
      return;
    }
  }
  // What is for all memory comes before places that nobody has named yet.
  const auto all = places.find(0);
  for (const dependence& d : on) {
    if (all != places.end()) add_edges(t, all->second.writers);
    note(t, places[d.address], d.what);
  }
}

void queue_up(member& m, task& t) noexcept {
  team& in = *t.in;
  m.queue.push(t);
  in.changed.notify();
}

// Whoever the caller is, the task's team has a first member.
void becomes_ready(task& t) noexcept {
  member& m = me();
  queue_up(m.in == t.in ? m : t.in->members[0], t);
}

void complete(task& t, member* by) noexcept {
  team& in = *t.in;
  if (by == nullptr) by = me().in == &in ? &me() : nullptr;
  // The task is not done: its team is there, and stays.
  // EDGE team.outsiders
  if (by == nullptr) in.outsiders.fetch_add(1, std::memory_order_relaxed);
  if (t.has_dependences) {
    t.lock.lock();
    t.is_done = true;
    std::vector<task*> successors = std::move(t.successors);
    t.lock.unlock();
    for (task* const s : successors) {
      // EDGE task.unmet
      if (s->unmet.fetch_sub(1, std::memory_order_seq_cst) == 1 && s->run != nullptr) becomes_ready(*s);
      drop(*s);
    }
    if (!successors.empty()) in.changed.notify();
  }
  drop_dependences(t);
  bool is_awaited = false;
  // EDGE task.children
  if (t.of != nullptr) is_awaited = t.of->count.fetch_sub(1, std::memory_order_seq_cst) == 1;
  if (t.parent->children.fetch_sub(1, std::memory_order_seq_cst) == 1) is_awaited = true;
  drop(t, by != nullptr ? &by->memory : nullptr);
  if (is_awaited) in.changed.notify();
  // EDGE member.done
  (by != nullptr ? *by : in.members[0]).done.fetch_add(1, std::memory_order_seq_cst);
  // Who takes one of those looks as well.
  if (by == nullptr || by->queue.count() == 0) task_is_done(in);
  // EDGE team.outsiders: the team may be gone from here on.
  if (by == nullptr) in.outsiders.fetch_sub(1, std::memory_order_release);
}

bool is_cancelled(const task& t) noexcept {
  if (t.in->is_cancelled.load(std::memory_order_relaxed)) return true;
  for (const group* g = t.of; g != nullptr; g = g->outer) {
    if (g->is_cancelled.load(std::memory_order_relaxed)) return true;
  }
  return false;
}

void run_here(member& m, task& t) noexcept {
  task* const before = m.current;
  m.current = &t;
  t.run(t, is_cancelled(t));
  m.current = before;
}

void execute(member& m, task& t) noexcept {
  run_here(m, t);
  task_event(t, &m);
}

bool descends(const task& t, const task& from) noexcept {
  const task* at = &t;
  while (at != nullptr && at->depth > from.depth) at = at->parent;
  return at == &from;
}

}  // namespace

void drop_dependences(task& t) noexcept {
  if (t.of_children == nullptr) return;
  for (auto& [address, p] : t.of_children->places) {
    drop_all(p.writers);
    drop_all(p.before);
    drop_all(p.readers);
  }
  delete t.of_children;
  t.of_children = nullptr;
}

// In front of what it is for.
struct alignas(64) task_memory::block {
  block* next;
  task_memory* owner;  ///< null: none, it is too large, or there were enough
};

// What a member keeps: blocks for as many tasks as may wait, and as many that run meanwhile, with as much room for what a
// task knows as the task has itself.
namespace {
constexpr std::size_t k_block_bytes = 2 * sizeof(task);
}  // namespace

task_memory::~task_memory() {
  for (block* all : {own_, returned_.load(std::memory_order_acquire)}) {
    while (all != nullptr) std::free(std::exchange(all, all->next));
  }
}

void* task_memory::take(std::size_t bytes) noexcept {
  // EDGE task_memory.returned: who gave it back does not touch it any more.
  if (own_ == nullptr && bytes <= k_block_bytes) own_ = returned_.exchange(nullptr, std::memory_order_acquire);
  if (own_ != nullptr && bytes <= k_block_bytes) return std::exchange(own_, own_->next) + 1;
  const bool is_kept = bytes <= k_block_bytes && made_ < 2 * k_most_waiting;
  if (is_kept) bytes = k_block_bytes;
  const std::size_t all = sizeof(block) + (bytes + alignof(block) - 1) / alignof(block) * alignof(block);
  void* const memory = std::aligned_alloc(alignof(block), all);
  if (memory == nullptr) return nullptr;
  if (is_kept) ++made_;
  return ::new (memory) block{nullptr, is_kept ? this : nullptr} + 1;
}

void task_memory::give(void* memory, task_memory* mine) noexcept {
  block* const b = static_cast<block*>(memory) - 1;
  if (b->owner == nullptr) return std::free(b);
  if (b->owner == mine) {
    b->next = std::exchange(mine->own_, b);
    return;
  }
  std::atomic<block*>& to = b->owner->returned_;
  b->next = to.load(std::memory_order_relaxed);
  // EDGE task_memory.returned
  while (!to.compare_exchange_weak(b->next, b, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

void drop(task& t, task_memory* mine) noexcept {
  task* at = &t;
  // Who has the only reference gives none away.
  while (!at->is_implicit &&
         (at->references.load(std::memory_order_acquire) == 1 || at->references.fetch_sub(1, std::memory_order_acq_rel) == 1)) {
    // Only now: who asks from whom a task descends walks by those that are done.
    task* const parent = at->parent;
    at->~task();
    task_memory::give(at, mine);
    at = parent;
  }
}

task* make_task(member& m, std::size_t bytes) noexcept {
  void* const memory = m.memory.take(bytes);
  if (memory == nullptr) fail("no memory for a task");
  auto* const t = ::new (memory) task;
  t->parent = m.current;
  if (!t->parent->is_implicit) t->parent->references.fetch_add(1, std::memory_order_relaxed);
  t->in = m.in;
  t->groups = t->of = m.current->groups;
  t->depth = m.current->depth + 1;
  t->icvs = m.current->icvs;
  t->is_final = m.current->is_final;
  t->events.store(1, std::memory_order_relaxed);
  return t;
}

namespace {

void count(member& m, task& t) noexcept {
  t.is_counted = true;
  t.parent->children.fetch_add(1, std::memory_order_relaxed);
  if (t.of != nullptr) t.of->count.fetch_add(1, std::memory_order_relaxed);
  m.made.store(m.made.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  std::atomic<bool>& any = t.in->has_tasks;
  if (!any.load(std::memory_order_relaxed)) any.store(true, std::memory_order_seq_cst);
}

// Whether a task that its parent runs is over before anybody can wait for it: nobody counts it.
bool is_over_in_place(const task& t) noexcept { return t.events.load(std::memory_order_relaxed) == 1; }
void end_in_place(member& m, task& t) noexcept {
  drop_dependences(t);
  drop(t, &m.memory);
}

// Runs what may run while `is_over` does not hold.
template <class Over>
void help_until(member& m, const task& under, Over&& is_over) noexcept {
  team& in = *m.in;
  while (!is_over()) {
    const std::uint64_t seen = in.pushed();
    if (run_one(m, &under)) continue;
    in.changed.wait([&] { return is_over() || in.pushed() != seen; });
  }
}

}  // namespace

void add_task(member& m, task& t, bool is_deferred, const std::vector<dependence>& on) {
  const bool may_wait = is_deferred;
  if (m.in->size == 1 || (on.empty() && m.queue.count() >= k_most_waiting)) is_deferred = false;
  if (!is_deferred && on.empty() && is_over_in_place(t)) {
    run_here(m, t);
    return end_in_place(m, t);
  }
  count(m, t);
  if (!on.empty()) {
    t.has_dependences = true;
    // One more, so that it does not begin meanwhile.
    t.unmet.store(1, std::memory_order_relaxed);
    note_all(*t.parent, t, on);
    if (may_wait) {
      // What it waits for may be an event of this very code's, later on.
      if (t.unmet.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      return is_deferred ? queue_up(m, t) : execute(m, t);
    }
    help_until(m, *m.current, [&] { return t.unmet.load(std::memory_order_acquire) == 1; });
  } else if (is_deferred) {
    return queue_up(m, t);
  }
  execute(m, t);
}

void wait_for_dependences(member& m, const std::vector<dependence>& on) {
  if (m.current->of_children == nullptr || m.current->children.load(std::memory_order_acquire) == 0) return;
  task* const t = make_task(m, sizeof(task));
  t->has_dependences = true;
  count(m, *t);
  t->unmet.store(1, std::memory_order_relaxed);
  note_all(*t->parent, *t, on);
  help_until(m, *m.current, [&] { return t->unmet.load(std::memory_order_acquire) == 1; });
  task_event(*t, &m);
}

void begin_included(member& m, task& t) noexcept {
  if (!is_over_in_place(t)) count(m, t);
  m.current = &t;
}

void end_included(member& m, task& t) noexcept {
  m.current = t.parent;
  if (t.is_counted) return task_event(t, &m);
  end_in_place(m, t);
}

void task_event(task& t, member* by) noexcept {
  // EDGE task.events
  if (t.events.fetch_sub(1, std::memory_order_acq_rel) == 1) complete(t, by);
}

bool run_one(member& m, const task* under) noexcept {
  team& in = *m.in;
  const auto may = [under](const task& t) { return under == nullptr || descends(t, *under); };
  task* t = m.queue.pop(may);
  for (std::uint32_t i = 0; t == nullptr && i < in.size; ++i) {
    if (++m.victim >= in.size) m.victim = 0;
    t = in.members[m.victim].queue.steal(may);
  }
  if (t == nullptr) return false;
  execute(m, *t);
  return true;
}

void taskwait(member& m) noexcept {
  const task& self = *m.current;
  help_until(m, self, [&] { return self.children.load(std::memory_order_seq_cst) == 0; });
}

void taskyield(member& m) noexcept {
  if (!m.in->any_queued() || !run_one(m, m.current)) yield();
}

void begin_group(member& m) noexcept {
  auto* const g = new (std::nothrow) group;
  if (g == nullptr) fail("no memory for a taskgroup");
  g->outer = m.current->groups;
  m.current->groups = g;
}

void end_group(member& m) noexcept {
  group* const g = m.current->groups;
  if (g == nullptr) return;
  help_until(m, *m.current, [&] { return g->count.load(std::memory_order_seq_cst) == 0; });
  if (g->reductions != nullptr && !g->is_shared) combine(*std::exchange(g->reductions, nullptr));
  m.current->groups = g->outer;
  delete g;
}

}  // namespace takt::openmp
