// Loops as the compiler plugin makes them, with each way of sizing chunks.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "lab/loop/polled_chunks.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using takt::lab::chunking;
using takt::abi::loop_chunk;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_partial;
using takt::abi::omp_way;

// Rows of some entries each: each entry is counted, and their numbers are added up.
struct matrix {
  matrix(std::uint64_t row_count, std::uint64_t entries_each)
      : rows(row_count), entries(entries_each), seen(row_count * entries_each) {}
  std::uint64_t rows;
  std::uint64_t entries;
  std::vector<std::atomic<std::uint32_t>> seen;
  std::uint64_t sum = 0;
};

struct row {
  matrix* of;
  std::uint64_t number;
  std::uint64_t sum = 0;
};

// The chunks of the inner loop, where a test with one worker wants to know.
std::vector<std::uint64_t>* chunks_seen = nullptr;

std::uint64_t sum_of_row(row& r);
std::uint64_t value_of(matrix& m, std::uint64_t i) {
  row r{&m, i};
  return sum_of_row(r);
}
std::uint64_t value_of(row& r, std::uint64_t i) {
  const std::uint64_t entry = r.number * r.of->entries + i;
  r.of->seen[entry].fetch_add(1, std::memory_order_relaxed);
  return entry;
}

// The sum of the values of all iterations.
template <class Environment>
void slice(void* environment, omp_frame* frame) {
  auto& loop = *static_cast<Environment*>(environment);
  std::uint64_t cells[takt::abi::results_of(sizeof(std::uint64_t))];
  takt_omp_begin(frame, cells);
  std::uint64_t sum = 0;
  for (;;) {
    const loop_chunk chunk = takt_loop_next(&frame->cursor);
    if (chunk.begin == chunk.end) break;
    if (sizeof(Environment) == sizeof(row) && chunks_seen != nullptr) chunks_seen->push_back(chunk.end - chunk.begin);
    for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) sum += value_of(loop, i);
  }
  takt_omp_end(frame);
  void* mine[] = {&sum};
  const auto combine = [](void* ours, void* theirs) {
    **static_cast<std::uint64_t**>(ours) += **static_cast<std::uint64_t**>(theirs);
  };
  if (takt_omp_reduce(frame, mine, combine) != 0) loop.sum += sum;
}
static_assert(sizeof(row) != sizeof(matrix));

constexpr omp_partial k_sum{0, sizeof(std::uint64_t)};
takt::abi::site outer_site;
takt::abi::site inner_site;
const omp_loop k_outer{&slice<matrix>, &outer_site, &k_sum, 1, sizeof(std::uint64_t), 0};
const omp_loop k_inner{&slice<row>, &inner_site, &k_sum, 1, sizeof(std::uint64_t), 0};

// As converted code does.
void run(const omp_loop& loop, void* environment, std::uint64_t count) {
  omp_way way = omp_way::in_place;
  std::int64_t units = 0;
  if (takt::detail::is_slow(count, *loop.where, units)) way = takt_omp_ask(&loop, count, units);
  takt_omp_run(&loop, environment, count, way);
}

std::uint64_t sum_of_row(row& r) {
  run(k_inner, &r, r.of->entries);
  return r.sum;
}

void forget_what_sites_have_learned() {
  outer_site = {};
  inner_site = {};
}

takt::lab::config with(takt::lab::config c, chunking kind, std::uint64_t chunk = 1) {
  c.lab.chunking = kind;
  c.lab.chunk = chunk;
  return c;
}

void expect_each_entry_once(std::uint64_t rows, std::uint64_t entries) {
  SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(entries));
  matrix m(rows, entries);
  run(k_outer, &m, rows);
  const std::uint64_t count = rows * entries;
  EXPECT_EQ(m.sum, count * (count - 1) / 2);
  EXPECT_TRUE(std::all_of(m.seen.begin(), m.seen.end(), [](const auto& times) { return times.load() == 1; }));
}

TEST(omp_chunks, every_iteration_runs_once_with_each_way_of_chunking) {
  for (const chunking kind : {chunking::time, chunking::hbc, chunking::fixed}) {
    for (const std::uint64_t chunk : {1, 10, 100'000}) {
      if (kind != chunking::fixed && chunk != 1) continue;
      for (const takt::config& c : takt_test::each_setting()) {
        SCOPED_TRACE(takt_test::describe(c) + " chunking " + std::to_string(static_cast<int>(kind)) + " " +
                     std::to_string(chunk));
        takt::lab::configure(with(c, kind, chunk));
        forget_what_sites_have_learned();
        for (int again = 0; again < 2; ++again) {
          expect_each_entry_once(100, 7);
          expect_each_entry_once(3, 2'000);
          expect_each_entry_once(1, 1);
          expect_each_entry_once(200, 1);
        }
      }
    }
  }
}

TEST(omp_chunks, sites_learn_no_cost_where_polls_are_counted) {
  for (const takt::trigger t : {takt::lab::beat, takt::lab::request}) {
    SCOPED_TRACE(takt_test::name_of(t));
    forget_what_sites_have_learned();
    // What it learns here does not count below.
    takt::lab::configure(takt_test::settings(1, t));
    for (int i = 0; i < 20; ++i) expect_each_entry_once(100, 7);
    EXPECT_NE(takt::detail::relaxed(inner_site.unit_cost), takt::abi::k_unknown_cost);
    for (const chunking kind : {chunking::hbc, chunking::fixed}) {
      takt::lab::configure(with(takt_test::settings(1, t), kind, 10));
      for (int i = 0; i < 20; ++i) {
        // A poll falls into the inner loops even if an iteration cost no measurable time before: a tick may be 40 ns.
        expect_each_entry_once(20, 2000);
        EXPECT_EQ(takt::detail::relaxed(inner_site.unit_cost), takt::core::polled_chunks::k_units);
        EXPECT_EQ(takt::detail::relaxed(inner_site.free_below), 0u);
        EXPECT_EQ(takt::detail::relaxed(outer_site.free_below), 0u);
      }
    }
  }
}

std::uint64_t polls_of(std::uint64_t chunk) {
  takt::lab::configure(with(takt_test::settings(1, takt::trigger::never), chunking::fixed, chunk));
  expect_each_entry_once(15, 700);
  return nlohmann::json::parse(takt::stats_json()).at("total").at("polls").get<std::uint64_t>();
}

TEST(omp_chunks, there_is_a_poll_after_each_chunk) {
  forget_what_sites_have_learned();
  // The sites are watched first, with as much as a coarse clock sees: a tick may be 40 ns.
  expect_each_entry_once(10, 700);
  // And one or two where the call begins.
  for (const std::uint64_t chunk : {1, 10, 1000}) {
    SCOPED_TRACE(chunk);
    const std::uint64_t polls = polls_of(chunk);
    EXPECT_GE(polls, 15 * 700 / chunk);
    EXPECT_LE(polls, 15 * 700 / chunk + 2);
  }
}

TEST(omp_chunks, a_chunk_goes_on_in_the_next_loop) {
  // Nothing is promoted, so nothing else ends a chunk.
  takt::lab::configure(with(takt_test::settings(1, takt::trigger::never, std::chrono::hours(1)), chunking::fixed, 10));
  forget_what_sites_have_learned();
  expect_each_entry_once(10, 7);  // the sites are watched first
  std::vector<std::uint64_t> chunks;
  chunks_seen = &chunks;
  expect_each_entry_once(10, 7);
  chunks_seen = nullptr;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t row = 0, left = 10; row < 10; ++row) {
    for (std::uint64_t entries = 7; entries > 0;) {
      const std::uint64_t chunk = std::min(entries, left);
      expected.push_back(chunk);
      entries -= chunk;
      left = left == chunk ? 10 : left - chunk;
    }
  }
  EXPECT_EQ(chunks, expected);
}

}  // namespace
