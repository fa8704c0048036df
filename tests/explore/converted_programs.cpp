#include "explore/converted_programs.hpp"

#include <takt/omp.hpp>

#include "explore/parts.hpp"

#include <algorithm>
#include <cstring>

namespace takt_explore {

namespace {

using takt::abi::loop_chunk;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_partial;
using takt::abi::omp_way;
using takt::sync::makes_mistake;

// The next chunk of a slice: claimed in place while no look is due, else by the runtime.
loop_chunk next_chunk(omp_frame* frame) {
  takt::abi::loop_cursor& c = frame->cursor;
  const std::uint64_t at = c.at;
  if (at < c.look) {
    const std::uint64_t past = at + c.chunk;
    const bool is_wrong = makes_mistake("claims in place by an old bound");
    const std::uint64_t early = c.frame.end;
    // A signal seldom comes here: the mistake leaves it more time.
    for (int point = 0; point < (is_wrong ? 16 : 1); ++point) TAKT_POINT();
    *const_cast<volatile std::uint64_t*>(&c.frame.next) = past;
    TAKT_POINT();
    const std::uint64_t now = *const_cast<volatile std::uint64_t*>(&c.frame.end);
    const std::uint64_t end = is_wrong ? early : now;
    TAKT_POINT();
    if (past <= end) {
      c.at = past;
      return {at, past};
    }
  }
  return takt_loop_next(&c);
}

template <class Body>
void each_chunk(omp_frame* frame, Body body) {
  for (loop_chunk c = next_chunk(frame); c.begin < c.end; c = next_chunk(frame)) {
    for (std::uint64_t i = c.begin; i < c.end; ++i) body(i);
  }
}

// The iterations up to the next look, each claimed behind the one before it.
template <class Body>
void each_one(omp_frame* frame, Body body) {
  takt::abi::loop_cursor& c = frame->cursor;
  for (loop_chunk claimed = takt_loop_next(&c); claimed.begin < claimed.end; claimed = takt_loop_next(&c)) {
    const std::uint64_t stop = std::max(claimed.end, c.look);
    for (std::uint64_t at = claimed.begin;;) {
      body(at);
      c.at = ++at;
      if (at >= claimed.end) {
        TAKT_POINT();
        *const_cast<volatile std::uint64_t*>(&c.frame.next) = at + 1;
        TAKT_POINT();
        const std::uint64_t now = *const_cast<volatile std::uint64_t*>(&c.frame.end);
        if (at + 1 > now || takt::detail::is_overdrawn()) break;
      }
      if (at >= stop) break;
    }
  }
}

// A slice with one reduction. `identity` is what a private copy starts from.
template <class Sum, class Body>
void slice_with_sum(omp_frame* frame, Sum& total, Body body, bool& was_last) {
  const bool is_one_by_one = (frame->what->traits & takt::abi::k_one_by_one) != 0;
  Sum mine{};
  alignas(Sum) std::byte cells[takt::abi::results_of(sizeof(Sum)) * sizeof(Sum)];
  takt_omp_begin(frame, cells);
  const auto iteration = [&](std::uint64_t i) { body(mine, i); };
  is_one_by_one ? each_one(frame, iteration) : each_chunk(frame, iteration);
  was_last = takt_omp_end(frame) != 0;
  void* copies[] = {&mine};
  const auto combine = [](void* left, void* right) {
    Sum& to = *static_cast<Sum*>(static_cast<void**>(left)[0]);
    to = to * *static_cast<Sum*>(static_cast<void**>(right)[0]);
  };
  if (takt_omp_reduce(frame, copies, combine) != 0) total = total * mine;
}

constexpr omp_partial k_part[] = {{0, sizeof(affine)}};

// What the program calls in place of the loop: runs it where it stands if it is free or the credit suffices, else as
// the runtime says. One that nests has no credit to suffice.
template <class InPlace>
void enter(const omp_loop& what, void* environment, std::uint64_t count, bool nests, InPlace in_place) {
  const takt::abi::site& where = *what.where;
  std::int64_t units = 0;
  bool stays = count < takt::detail::relaxed(where.free_below);
  if (!stays && !nests) {
    units = static_cast<std::int64_t>(count * takt::detail::relaxed(where.unit_cost));
    stays = !takt::detail::spend(units);
  }
  // What may take any time is in a slice there, too.
  if (stays && (what.traits & takt::abi::k_one_by_one) != 0) {
    takt_omp_run(&what, environment, count, takt::abi::omp_way::in_place);
    return;
  }
  if (stays) {
    for (std::uint64_t i = 0; i < count; ++i) in_place(i);
    return;
  }
  takt_omp_run(&what, environment, count, takt_omp_ask(&what, count, units));
}

// --- one loop --------------------------------------------------------------------------------------------------

constexpr std::uint64_t k_count = 9;

struct one_loop {
  explorer* on;
  affine sum;
  std::array<std::uint64_t, k_count> cells{};
  std::uint64_t last = 0;
  unsigned slices = 0;

  void iteration(affine& into, std::uint64_t i) {
    work(*on, 1);
    cells[i] += mix(i, 3);
    into = into * nth(i);
  }
  std::uint64_t answer() const { return mix(mix(in_order(cells), last), mix(sum.factor, sum.term)); }
};

takt::detail::listed_site one_site;

void one_slice(void* environment, omp_frame* frame) {
  auto& e = *static_cast<one_loop*>(environment);
  ++e.slices;
  std::uint64_t variable = 0;
  bool was_last = false;
  slice_with_sum(
      frame, e.sum,
      [&](affine& mine, std::uint64_t i) {
        e.iteration(mine, i);
        variable = i;
      },
      was_last);
  // A slice whose range ended with the loop's last iteration, and that has given none away, has run it.
  if (was_last) e.last = variable;
}

constexpr omp_loop k_one_loop{&one_slice, &one_site, k_part, 1, sizeof(affine), 0};

takt::detail::listed_site one_by_one_site;
constexpr omp_loop k_one_by_one_loop{
    &one_slice, &one_by_one_site, k_part, 1, sizeof(affine), takt::abi::k_one_by_one};

std::uint64_t run_one_loop(explorer& on, const omp_loop& what = k_one_loop) {
  one_loop e{&on, {}};
  enter(what, &e, k_count, false, [&](std::uint64_t i) {
    e.iteration(e.sum, i);
    e.last = i;
  });
  if (e.slices > 1) on.witness();
  return e.answer();
}

// --- a pooled loop ---------------------------------------------------------------------------------------------

constexpr std::uint64_t k_pooled_count = 11;

struct pooled {
  explorer* on;
  std::array<std::uint64_t, k_pooled_count> cells{};
  std::uint64_t sum = 0;
  std::uint64_t last = 0;
  unsigned slices = 0;

  std::uint64_t answer() const { return mix(mix(in_order(cells), last), sum); }
};

takt::detail::listed_site pooled_site;

void pooled_slice(void* environment, omp_frame* frame) {
  auto& e = *static_cast<pooled*>(environment);
  ++e.slices;
  std::uint64_t mine = 0;
  std::uint64_t variable = 0;
  alignas(8) std::byte cells[2 * sizeof mine];
  // As a stack may hold what another slice has left there.
  std::memset(cells, 0x55, sizeof cells);
  takt_omp_begin_pooled(frame, cells, k_pooled_count, 2);
  for (loop_chunk c = takt_omp_claim(frame); c.begin < c.end; c = takt_omp_claim(frame)) {
    for (std::uint64_t i = c.begin; i < c.end; ++i) {
      work(*e.on, 1);
      e.cells[i] += mix(i, 5);
      mine += i + 1;
      variable = i;
    }
  }
  if (takt_omp_end(frame) != 0) e.last = variable;
  void* copies[] = {&mine};
  const auto combine = [](void* left, void* right) {
    *static_cast<std::uint64_t*>(static_cast<void**>(left)[0]) +=
        *static_cast<std::uint64_t*>(static_cast<void**>(right)[0]);
  };
  if (takt_omp_reduce(frame, copies, combine) != 0) e.sum += mine;
}

constexpr omp_partial k_pooled_part[] = {{0, sizeof(std::uint64_t)}};
constexpr omp_loop k_pooled_loop{&pooled_slice,         &pooled_site,       k_pooled_part, 1,
                                 sizeof(std::uint64_t), takt::abi::k_pooled};

std::uint64_t run_pooled(explorer& on) {
  pooled e{&on};
  takt_omp_run(&k_pooled_loop, &e, 0, omp_way::in_place);
  if (e.slices > 1) on.witness();
  return e.answer();
}

// --- a loop in a loop ------------------------------------------------------------------------------------------

constexpr std::uint64_t k_rows = 8;
constexpr std::uint64_t k_columns = 3;

struct row {
  explorer* on;
  std::uint64_t number;
  affine sum;
  unsigned slices = 0;

  void iteration(affine& into, std::uint64_t i) {
    work(*on, 1);
    into = into * nth(number * k_columns + i);
  }
};

takt::detail::listed_site row_site;

void row_slice(void* environment, omp_frame* frame) {
  auto& e = *static_cast<row*>(environment);
  ++e.slices;
  bool was_last = false;
  slice_with_sum(frame, e.sum, [&e](affine& mine, std::uint64_t i) { e.iteration(mine, i); }, was_last);
}

constexpr omp_loop k_row{&row_slice, &row_site, k_part, 1, sizeof(affine), 0};

affine run_row(explorer& on, std::uint64_t number) {
  row e{&on, number, {}};
  enter(k_row, &e, k_columns, false, [&e](std::uint64_t i) { e.iteration(e.sum, i); });
  return e.sum;
}

struct nest {
  explorer* on;
  affine sum;
  unsigned slices = 0;

  void iteration(affine& into, std::uint64_t i) { into = into * run_row(*on, i); }
};

takt::detail::listed_site nest_site;

void nest_slice(void* environment, omp_frame* frame) {
  auto& e = *static_cast<nest*>(environment);
  ++e.slices;
  bool was_last = false;
  slice_with_sum(frame, e.sum, [&e](affine& mine, std::uint64_t i) { e.iteration(mine, i); }, was_last);
}

constexpr omp_loop k_nest{&nest_slice, &nest_site, k_part, 1, sizeof(affine), 0};

std::uint64_t run_nest(explorer& on) {
  nest e{&on, {}};
  enter(k_nest, &e, k_rows, true, [&e](std::uint64_t i) { e.iteration(e.sum, i); });
  if (e.slices > 1) on.witness();
  return mix(e.sum.factor, e.sum.term);
}

}  // namespace

// Twice, as the second time the site knows what an iteration costs, or that it nests.
std::uint64_t converted_loop(explorer& on) {
  const short_of_memory scarce(on);
  const std::uint64_t first = run_one_loop(on);
  const std::uint64_t second = run_one_loop(on);
  return first == second ? second : 0;
}

std::uint64_t converted_one_by_one(explorer& on) {
  const short_of_memory scarce(on);
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  // In a call: it is brief there once its cost is known.
  takt::fork_join(
      [&] {
        first = run_one_loop(on, k_one_by_one_loop);
        second = run_one_loop(on, k_one_by_one_loop);
      },
      [&on] { work(on, 1); });
  return first == second ? second : 0;
}

std::uint64_t serial_converted_loop() {
  one_loop e{nullptr, {}};
  for (std::uint64_t i = 0; i < k_count; ++i) {
    e.cells[i] = mix(i, 3);
    e.sum = e.sum * nth(i);
  }
  e.last = k_count - 1;
  return e.answer();
}

std::uint64_t converted_pool(explorer& on) {
  const short_of_memory scarce(on);
  const std::uint64_t first = run_pooled(on);
  const std::uint64_t second = run_pooled(on);
  return first == second ? second : 0;
}

std::uint64_t serial_converted_pool() {
  pooled e{nullptr};
  for (std::uint64_t i = 0; i < k_pooled_count; ++i) {
    e.cells[i] = mix(i, 5);
    e.sum += i + 1;
  }
  e.last = k_pooled_count - 1;
  return e.answer();
}

std::uint64_t converted_nest(explorer& on) {
  const short_of_memory scarce(on);
  const std::uint64_t first = run_nest(on);
  const std::uint64_t second = run_nest(on);
  return first == second ? second : 0;
}

std::uint64_t serial_converted_nest() {
  affine sum;
  for (std::uint64_t i = 0; i < k_rows * k_columns; ++i) sum = sum * nth(i);
  return mix(sum.factor, sum.term);
}

std::uint64_t converted_among_others(explorer& on) {
  std::array<std::uint64_t, 3> answers{};
  std::array<affine, 4> rows{};
  takt::task_group members;
  const short_of_memory scarce(on);
  takt::fork_join(
      [&] {
        members.run([&] { answers[0] = run_one_loop(on); });
        answers[1] = run_nest(on);
        members.wait();
      },
      [&] { takt::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) { rows[i] = run_row(on, i); }); });
  affine all;
  for (const affine& r : rows) all = all * r;
  answers[2] = mix(all.factor, all.term);
  return in_order(answers);
}

std::uint64_t serial_converted_among_others() {
  affine all;
  for (std::uint64_t i = 0; i < 4 * k_columns; ++i) all = all * nth(i);
  return in_order(
      std::array<std::uint64_t, 3>{serial_converted_loop(), serial_converted_nest(), mix(all.factor, all.term)});
}

}  // namespace takt_explore
