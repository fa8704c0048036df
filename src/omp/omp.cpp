// OpenMP loops as slices: what code made by the compiler plugin calls. See plugin/loops/README.md; the loop's frame and
// its promotion are those of src/loop/README.md.
#include <takt/omp.hpp>

#include "cost/numbers.hpp"
#include "cost/site_cost.hpp"
#include "loop/loop.hpp"
#include "loop/other_chunks.hpp"
#include "loop/pool.hpp"
#include "omp/fixed_parts.hpp"
#include "omp/other_runtime.hpp"
#include "omp/slice.hpp"
#include "platform/cancellation.hpp"
#include "promotion/promote.hpp"
#include "worker/kept.hpp"

#include <takt/detail/fork.hpp>
#include <takt/detail/loop.hpp>
#include <takt/detail/stop.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace takt::core {

namespace {

using abi::loop_phase;
using abi::omp_frame;
using abi::omp_loop;
using abi::omp_way;

// Set by constructors of the program's files and read in loops. Never cleared.
bool threads_matter = false;

void run_invited(abi::slot* task);

bool is_cancelled(const omp_frame& frame) { return takt::detail::relaxed(frame.first->was_cancelled) != 0; }

/// `parent`: of which it is a half, or null. @returns how many halves were taken from it; at least 1 if it was
/// cancelled, as it has not run all the rest either.
std::uint32_t run_slice(const omp_loop& what, void* environment, std::uint64_t begin, std::uint64_t end,
                        std::uint64_t count, void* result, loop_phase phase, const omp_frame* parent = nullptr,
                        iteration_pool* pool = nullptr, std::uint32_t number = 0) {
  omp_frame frame;
  frame.cursor.frame.end = end;
  frame.cursor.frame.halves = 0;
  frame.cursor.at = begin;
  frame.cursor.look = 0;
  frame.cursor.pushed = nullptr;
  frame.cursor.where = what.where;
  frame.cursor.phase = phase;
  frame.cursor.most = (what.traits & abi::k_one_by_one) != 0 ? 1 : ~0ull;
  frame.cursor.together = 0;
  frame.count = count;
  frame.last = end;
  frame.what = &what;
  frame.environment = environment;
  frame.result = result;
  frame.cells = nullptr;
  frame.partial_bytes = what.partial_bytes;
  frame.depth = parent != nullptr ? parent->depth + 1 : 0;
  frame.first = parent != nullptr ? parent->first : &frame;
  frame.was_cancelled = 0;
  frame.pool = pool;
  frame.has_last = 0;
  frame.took_part[0] = frame.took_part[1] = 0;
  frame.number = number;
  // While this one makes its private variables, others may begin, too; if they have somewhere to leave results.
  if (pool != nullptr && parent != nullptr && what.partial_bytes == 0) enter_pool(frame.cursor, &run_invited, *pool);
  what.slice(environment, &frame);
  // It did not come by its loop.
  if (frame.cursor.pushed != nullptr) detail::leave_loop(frame.cursor);
  return frame.cursor.frame.halves + frame.was_cancelled;
}

/// Whether there are slices enough: their results are large, and a few for each worker do.
bool is_split_enough(const worker& w, const omp_frame& parent) {
  return parent.partial_bytes >= cost::k_large_result && 1ull << parent.depth >= w.owner.worker_count();
}

// Over before others could take part. Dear iterations may follow cheap ones: if a loop of late was long, none is.
bool is_short(const abi::site& where, const iteration_pool& pool) {
  if (!cost::is_known(where) || cost::nests(where)) return false;
  const std::uint64_t ticks = cost::estimate_ticks(pool.end, cost::cost_of(where));
  const worker* const w = this_worker();
  if (w == nullptr) return !is_worth_a_call(ticks);
  const std::uint64_t span = __atomic_load_n(&where.span_ticks, __ATOMIC_RELAXED);
  return ticks <= w->owner.poll_ticks && span <= w->owner.poll_ticks + pool.entry_ticks;
}

// The first slice stands in serial code, as the loop was to be short, and it is not: another one begins in a parallel
// call, as if it had been invited. @returns false if there is none to be had.
bool run_all_inside(omp_frame& frame) {
  // Nobody else has seen the pool: it is number 1.
  if (std::uint32_t number = 0; !take_place(*static_cast<iteration_pool*>(frame.pool), number)) return false;
  note_converted_call();
  frame.took_part[0] = 1;
  const bool entered = takt_enter(
      [](void* argument) {
        const auto& first = *static_cast<omp_frame*>(argument);
        run_slice(*first.what, first.environment, 0, 0, first.count, first.cells, loop_phase::unknown, &first,
                  static_cast<iteration_pool*>(first.pool), 1);
      },
      &frame);
  frame.cursor.frame.halves = entered ? 1 : 0;
  return entered;
}

// A slice of its own takes part, if there is enough left for it.
void run_invited(abi::slot* task) {
  const abi::half_payload half = *detail::payload_of<abi::half_payload>(task);
  omp_frame& parent = *reinterpret_cast<omp_frame*>(half.parent);
  const omp_loop& what = *parent.what;
  auto& pool = *static_cast<iteration_pool*>(parent.pool);
  std::uint32_t number = 0;
  if (is_cancelled(parent) || !is_worth_entering(pool, *what.where) || !take_place(pool, number)) return;
  parent.took_part[half.index] = 1;
  run_slice(what, parent.environment, 0, 0, parent.count, parent.cells + half.index * parent.partial_bytes,
            loop_phase::unknown, &parent, &pool, number);
}

void run_half(abi::slot* task) {
  const abi::half_payload half = *detail::payload_of<abi::half_payload>(task);
  const omp_frame& parent = *reinterpret_cast<omp_frame*>(half.parent);
  const omp_loop& what = *parent.what;
  // One that is cancelled has nothing to promote, and asks before it runs anything.
  const bool is_whole = is_cancelled(parent) || is_split_enough(*this_worker(), parent);
  const loop_phase phase = is_whole ? loop_phase::plain : first_phase();
  run_slice(what, parent.environment, half.begin, half.end, parent.count,
            parent.cells + half.index * parent.partial_bytes, phase, &parent);
}

// Half of the parts of a slice. Nothing leaves it by an exception.
struct some_parts {
  const omp_frame* frame;
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t half;

  void run() const noexcept {
    run_slice(*frame->what, frame->environment, from, to, frame->count, frame->cells + half * frame->partial_bytes,
              loop_phase::unknown, frame);
  }
};

void run_second(abi::slot* s) {
  const some_parts second = *detail::payload_of<some_parts>(s);
  second.run();
}

abi::site of_parts{};

// A fork as compiled code makes it. Its templates are the program's: a copy of them in the library would be another one.
void fork_parts(const some_parts& first, const some_parts& second) noexcept {
  abi::fork_way way = abi::fork_way::charged;
  if (detail::spend_constant<abi::k_fork_units>()) way = takt_fork_poll(&of_parts, abi::k_fork_units, 0);
  if (way == abi::fork_way::plain) {
    first.run();
    second.run();
    return;
  }
  const bool is_timed = way == abi::fork_way::inside;
  const std::uint64_t begun = is_timed ? takt_clock() : 0;
  abi::slot* const s = detail::head();
  s->run = &run_second;
  ::new (static_cast<void*>(s->payload)) some_parts(second);
  detail::set_head(s + 1);
  if (is_timed) takt_fork_pushed(&of_parts);
  first.run();
  detail::set_head(s);
  if (!detail::is_promoted(s)) {
    second.run();
  } else if (takt_join(s)) {
    run_second(s);
  }
  if (is_timed) takt_fork_done(&of_parts, begun);
}

// A slice of a loop with fixed parts: it runs one, or none and has two halves that run them.
void run_fixed_parts(omp_frame& frame) noexcept {
  abi::loop_cursor& c = frame.cursor;
  const std::uint64_t begin = c.at;
  const std::uint64_t end = c.frame.end;
  const std::uint64_t middle = middle_of_parts(frame);
  c.phase = loop_phase::plain;
  // Nor is there a place for the halves' results without memory.
  if (middle == end || frame.cells == nullptr) return;
  struct both {
    some_parts first;
    some_parts second;
    static void run(void* self) { fork_parts(static_cast<both*>(self)->first, static_cast<both*>(self)->second); }
  } parts{{&frame, begin, middle, 0}, {&frame, middle, end, 1}};
  // OpenMP knows nothing of a stop around it.
  const detail::scope_here shield = detail::shield();
  if (detail::head() != nullptr) {
    both::run(&parts);
  } else {
    note_converted_call();
    if (!takt_enter(&both::run, &parts)) {
      parts.first.run();
      parts.second.run();
    }
  }
  c.frame.end = begin;
  c.frame.halves = 2;
}

// In one piece; but iterations that may take any time can be taken back.
std::uint32_t run_here(const omp_loop& what, void* environment, std::uint64_t count) {
  const bool is_safe = (what.traits & abi::k_one_by_one) == 0 || detail::head() == nullptr;
  return run_slice(what, environment, 0, count, count, nullptr, is_safe ? loop_phase::plain : k_brief);
}

void run_timed(const omp_loop& what, void* environment, std::uint64_t count) {
  const std::uint64_t begun = takt_clock();
  if (run_here(what, environment, count) == 0) takt_loop_timed(what.where, count, takt_clock() - begun);
}

// Loops in the middle of a nest that are over soon need no frame. How long they take, with all that is inside, is known
// from one that kept all its iterations.
void run_sampled(const omp_loop& what, void* environment, std::uint64_t count) {
  const std::uint64_t begun = takt_clock();
  const std::uint32_t halves = run_slice(what, environment, 0, count, count, nullptr, first_phase());
  const std::uint64_t ticks = takt_clock() - begun;
  worker* w = this_worker();
  const runtime_scope scope;
  if (halves == 0) learn_nested(*w, *what.where, count, ticks);
}

struct root_loop {
  const omp_loop* what;
  void* environment;
  std::uint64_t count;  ///< of iterations; of threads, if it is pooled
};

void run_outside(const omp_loop& what, void* environment, std::uint64_t count) {
  root_loop root{&what, environment, count};
  note_converted_call();
  const bool entered = takt_enter(
      [](void* argument) {
        const auto& r = *static_cast<root_loop*>(argument);
        run_slice(*r.what, r.environment, 0, r.count, r.count, nullptr, first_phase());
      },
      &root);
  if (!entered) run_slice(what, environment, 0, count, count, nullptr, loop_phase::plain);
}

// What such loops of the site take from beginning to end; the longest of late, as the next one may be as long.
void note_span(abi::site& where, std::uint64_t ticks) {
  const std::uint64_t before = __atomic_load_n(&where.span_ticks, __ATOMIC_RELAXED);
  const std::uint64_t less = before == ~0ull ? 0 : before - before / 4;
  __atomic_store_n(&where.span_ticks, std::max(ticks, less), __ATOMIC_RELAXED);
}

void run_pooled(const omp_loop& what, void* environment, std::uint32_t threads, loop_phase phase) {
  iteration_pool pool;
  pool.begun = takt_clock();
  pool.most = threads;
  pool.is_numbered = (what.traits & abi::k_numbered) != 0;
  run_slice(what, environment, 0, 0, 0, nullptr, phase, nullptr, &pool);
  note_span(*what.where, takt_clock() - pool.begun);
}

// The first slice is to be on a fiber before its private variables are made, unless it is known to be over soon.
void start_pooled(const omp_loop& what, void* environment, std::uint64_t wanted) {
  const bool is_inside = detail::head() != nullptr;
  const std::uint32_t threads = threads_of_team(wanted, is_inside, (what.traits & abi::k_numbered) != 0);
  if (is_inside) {
    run_pooled(what, environment, threads, loop_phase::unknown);
    return;
  }
  const std::uint64_t span = __atomic_load_n(&what.where->span_ticks, __ATOMIC_RELAXED);
  if (!cost::nests(*what.where) && !is_worth_a_call(span)) {
    run_pooled(what, environment, threads, loop_phase::plain);
    return;
  }
  root_loop root{&what, environment, threads};
  note_converted_call();
  const bool entered = takt_enter(
      [](void* argument) {
        const auto& r = *static_cast<root_loop*>(argument);
        run_pooled(*r.what, r.environment, static_cast<std::uint32_t>(r.count), loop_phase::unknown);
      },
      &root);
  if (!entered) run_pooled(what, environment, threads, loop_phase::plain);
}

std::uint64_t sized_bytes(std::uint64_t bytes) {
  return (bytes + takt::abi::k_sized_align - 1) / takt::abi::k_sized_align * takt::abi::k_sized_align;
}

// What halves have computed, into what is here.
void combine_halves(const omp_frame& frame, void** mine, void (*combine)(void*, void*)) {
  const omp_loop& what = *frame.what;
  auto** theirs = static_cast<void**>(__builtin_alloca(what.partial_count * sizeof(void*)));
  for (std::uint64_t h = 0; h < frame.cursor.frame.halves; ++h) {
    if (frame.pool != nullptr && frame.took_part[h] == 0) continue;
    std::byte* const cell = frame.cells + h * frame.partial_bytes;
    std::uint64_t offset = what.partial_bytes;
    for (std::uint64_t i = 0; i < what.partial_count; ++i) {
      if (what.partials[i].offset != abi::k_sized_partial) {
        theirs[i] = cell + what.partials[i].offset;
        continue;
      }
      theirs[i] = cell + offset;
      void* const length = mine[i + 1];
      offset += sized_bytes(reinterpret_cast<std::uintptr_t>(length) * what.partials[i].bytes);
      theirs[++i] = length;
    }
    combine(mine, theirs);
  }
}

/// @returns 1 if the loop is not a half, and the program is to combine what is here.
std::uint32_t pass_on(const omp_frame& frame, void** mine) {
  auto* const result = static_cast<std::byte*>(frame.result);
  if (result == nullptr) return 1;
  const omp_loop& what = *frame.what;
  for (std::uint64_t i = 0; i < what.partial_count; ++i) {
    // What has a length was made there.
    if (what.partials[i].offset == abi::k_sized_partial) {
      ++i;
    } else {
      std::memcpy(result + what.partials[i].offset, mine[i], what.partials[i].bytes);
    }
  }
  return 0;
}

}  // namespace

void begin_slice(omp_frame& frame, void* cells, std::uintptr_t stack) noexcept {
  frame.cells = static_cast<std::byte*>(cells);
  abi::loop_cursor& c = frame.cursor;
  if (has_fixed_parts(*frame.what)) {
    run_fixed_parts(frame);
    return;
  }
  if (c.phase == loop_phase::plain) return;
  // Before somebody can promote it.
  if (this_worker()->beat.is_watched()) note_environment_of(detail::head());
  detail::push_loop(c, &run_half, nullptr, c.at, c.frame.end, abi::results_of(frame.partial_bytes));
  if (c.phase == k_brief) {
    c.look = c.at + abi::k_between_looks;
    c.chunk = 1;
    // As a fork: there is room for as many frames as the credit pays for.
    if (!detail::spend_constant<abi::k_fork_units>()) return;
  }
  if (detail::relaxed(c.where->nested) != 0) {
    (void)detail::spend_constant<abi::k_iteration_units>();
  }
  takt_loop_enter(&c, stack);
}

}  // namespace takt::core

using namespace takt::core;
using takt::abi::loop_chunk;
using takt::abi::loop_way;

extern "C" {

omp_way takt_omp_ask(const omp_loop* what, std::uint64_t count, std::int64_t units) noexcept {
  // Such a loop never learns a cost, so that it always comes here.
  if ((what->traits & takt::abi::k_open) != 0 && takt::detail::relaxed(threads_matter)) return omp_way::left;
  if (count == 0) return omp_way::in_place;
  if (has_fixed_parts(*what)) {
    // What it costs is never learned, so that it always comes here, and is not charged.
    if (units != 0) (void)takt::detail::spend(-units);
    return omp_way::framed;
  }
  takt::abi::site& where = *what->where;
  if (takt::detail::relaxed(where.nested) != 0 && takt::detail::head() != nullptr) {
    // Charged in vain: a loop that nests pays as it goes.
    if (units != 0) (void)takt::detail::spend(-units);
    return sample_nested(*this_worker()) ? omp_way::sampled : omp_way::framed;
  }
  if (omp_way answer{}; asks_otherwise(where, units, answer)) return answer;
  switch (takt_loop_poll(&where, count, units)) {
    case loop_way::framed:
      return omp_way::framed;
    case loop_way::outside:
      return omp_way::outside;
    case loop_way::timed:
      return omp_way::timed;
    case loop_way::plain:
      break;
  }
  return omp_way::in_place;
}

void takt_omp_run(const omp_loop* what, void* environment, std::uint64_t count, omp_way way) noexcept {
  if ((what->traits & takt::abi::k_pooled) != 0) {
    start_pooled(*what, environment, count);
    return;
  }
  switch (way) {
    case omp_way::sampled:
      run_sampled(*what, environment, count);
      return;
    case omp_way::framed:
      run_slice(*what, environment, 0, count, count, nullptr, first_phase());
      return;
    case omp_way::timed:
      run_timed(*what, environment, count);
      return;
    case omp_way::outside:
      run_outside(*what, environment, count);
      return;
    case omp_way::in_place:
    case omp_way::left:
      run_here(*what, environment, count);
      return;
  }
}

void takt_omp_chunks(omp_frame* frame, std::int64_t chunk) noexcept {
  frame->cursor.together = chunk <= 1 ? 0 : static_cast<std::uint64_t>(chunk);
}

void takt_omp_begin(omp_frame* frame, void* cells) noexcept { begin_slice(*frame, cells, 0); }

void takt_omp_begin_pooled(omp_frame* frame, void* cells, std::uint64_t count, std::int64_t chunk) noexcept {
  takt::abi::loop_cursor& c = frame->cursor;
  auto& pool = *static_cast<iteration_pool*>(frame->pool);
  // Who has been invited may look at them already, where there are no results to be left.
  if (c.pushed == nullptr) frame->cells = static_cast<std::byte*>(cells);
  if (frame->depth == 0) {
    // Nobody else has seen it yet.
    frame->count = pool.end = count;
    pool.together = chunk <= 1 ? 0 : static_cast<std::uint64_t>(chunk);
    pool.entry_ticks = takt_clock() - pool.begun;
    c.timed = c.at;
    const bool is_serial = this_worker() == nullptr;
    if (has_fixed_parts(*frame->what) || is_short(*c.where, pool)) {
      c.phase = loop_phase::plain;
    } else if (is_serial && count != 0) {
      run_all_inside(*frame);
    }
    if (is_serial || c.phase == loop_phase::plain) return;
  }
  c.timed = c.at;
  if (c.pushed == nullptr) enter_pool(c, &run_invited, pool);
}

loop_chunk takt_omp_claim(omp_frame* frame) noexcept {
  auto& pool = *static_cast<iteration_pool*>(frame->pool);
  const loop_chunk chunk = claim_from(pool, frame->cursor);
  if (chunk.begin == chunk.end) return chunk;
  if (chunk.end == frame->count) frame->has_last = 1;
  if (is_dealt_by_number(pool)) frame->number = static_cast<std::uint32_t>(chunk.begin);
  return chunk;
}

loop_chunk takt_omp_next(omp_frame* frame) noexcept {
  if (is_cancelled(*frame)) return {0, 0};
  return frame->pool != nullptr ? takt_omp_claim(frame) : takt_loop_next(&frame->cursor);
}

std::uint32_t takt_omp_cancel(omp_frame* frame, std::uint32_t is_on) noexcept {
  if (is_on == 0) return 0;
  __atomic_store_n(&frame->first->was_cancelled, 1u, __ATOMIC_RELAXED);
  // The slice does not claim what others have not claimed either.
  frame->cursor.look = 0;
  return 1;
}
std::uint32_t takt_omp_is_cancelled(omp_frame* frame) noexcept {
  if (!is_cancelled(*frame)) return 0;
  frame->cursor.look = 0;
  return 1;
}

void* takt_omp_room(omp_frame* frame, std::uint64_t bytes) noexcept {
  const std::uint64_t offset = frame->partial_bytes;
  frame->partial_bytes += sized_bytes(bytes);
  return frame->result == nullptr ? nullptr : static_cast<std::byte*>(frame->result) + offset;
}

void takt_omp_begin_sized(omp_frame* frame) noexcept {
  void* cells = nullptr;
  if (frame->cursor.phase != loop_phase::plain) {
    cells = std::malloc(takt::abi::results_of(frame->partial_bytes) * frame->partial_bytes + 1);
    if (cells == nullptr) frame->cursor.phase = loop_phase::plain;
  }
  takt_omp_begin(frame, cells);
}

std::uint32_t takt_omp_end(omp_frame* frame) noexcept {
  takt::abi::loop_cursor& c = frame->cursor;
  if (c.pushed != nullptr) takt::detail::leave_loop(c);
  c.pushed = nullptr;
  if (frame->pool != nullptr) return frame->has_last;
  return c.frame.halves == 0 && frame->last == frame->count && frame->count != 0 ? 1 : 0;
}

std::uint32_t takt_omp_reduce(omp_frame* frame, void** mine, void (*combine)(void*, void*)) noexcept {
  combine_halves(*frame, mine, combine);
  return pass_on(*frame, mine);
}

std::uint32_t takt_omp_reduce_sized(omp_frame* frame, void** mine, void (*combine)(void*, void*)) noexcept {
  combine_halves(*frame, mine, combine);
  std::free(frame->cells);
  return pass_on(*frame, mine);
}

bool takt_omp_may_convert() noexcept { return !takt::detail::relaxed(threads_matter); }

void takt_omp_threads_matter(const char* who) noexcept {
  __atomic_store_n(&threads_matter, true, __ATOMIC_RELAXED);
  const char* const stats = std::getenv("TAKT_STATS");
  if (stats == nullptr || *stats == '\0' || std::strcmp(stats, "0") == 0) return;
  const takt::platform::uncancelled here;
  std::fprintf(stderr, "takt: loops that call code of other files are left to the OpenMP runtime: %s\n", who);
}
}
