// mergesort: top-down mergesort of random 64-bit keys; the parallel programs merge in parallel
// too.
//
// A run of at most k_base keys is sorted by insertion. That is part of the algorithm and the
// same in every program, the serial one included; above it every call is a fork.
//
// A merge is a loop over blocks of k_base keys of its result, and all programs merge a block
// with the same code. A block can be merged once it is known how many keys of each run come
// before it. Serially that is where the block before it ended; a parallel program finds it in
// the `ends` table if that block is done, and else by binary search. So a worker searches once
// per stretch of blocks that it gets, however long the stretch turns out to be, and merging
// in parallel costs next to nothing where nothing is run in parallel.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct mergesort_problem {
  static constexpr problem_info info{.name = "mergesort",
                                     .about = "mergesort of random 64-bit keys",
                                     .form = kind::forks,
                                     .size_unit = "keys",
                                     .size_default = 10'000'000,
                                     .size_min = 1,
                                     .size_max = 1'000'000'000};
  using key = std::uint64_t;
  static constexpr std::size_t k_base = 32;

  struct input {
    std::vector<key> keys;
    key sum;
  };

  static void sort_base(key* keys, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
      const key moving = keys[i];
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > moving; --j) {
        keys[j] = keys[j - 1];
      }
      keys[j] = moving;
    }
  }

  // Two sorted runs, to be merged to `out`.
  struct merge_job {
    const key* a;
    std::size_t a_size;
    const key* b;
    std::size_t b_size;
    key* out;

    std::size_t size() const { return a_size + b_size; }
    std::size_t blocks() const { return (size() + k_base - 1) / k_base; }
  };

  // Merges the block that begins with key number `at`, of which `i` keys of run a are before
  // it. Returns that number for the next block.
  static std::size_t merge_block(const merge_job& job, std::size_t at, std::size_t i) {
    const key* a = job.a + i;
    const key* b = job.b + (at - i);
    const key* const a_end = job.a + job.a_size;
    const key* const b_end = job.b + job.b_size;
    key* out = job.out + at;
    const std::size_t count = std::min(k_base, job.size() - at);
    const auto left_of = [](const key* from, const key* end) {
      return static_cast<std::size_t>(end - from);
    };
    if (std::min(left_of(a, a_end), left_of(b, b_end)) >= count) {
      // Neither run can end within the block: no checks, and no branch to mispredict.
      for (std::size_t n = 0; n < count; ++n) {
        const key next_a = *a;
        const key next_b = *b;
        const auto from_b = static_cast<std::ptrdiff_t>(next_b < next_a);
        out[n] = next_b < next_a ? next_b : next_a;
        b += from_b;
        a += 1 - from_b;
      }
    } else {
      for (std::size_t n = 0; n < count; ++n) {
        out[n] = a == a_end || (b != b_end && *b < *a) ? *b++ : *a++;
      }
    }
    return static_cast<std::size_t>(a - job.a);
  }

  // How many keys of run a are among the first `at` keys of the result; equal keys of run a
  // come first. Out of line because it is rarely called and would crowd the loop around it.
  [[gnu::noinline, gnu::cold]] static std::size_t rank_in_a(const merge_job& job, std::size_t at) {
    std::size_t low = at > job.b_size ? at - job.b_size : 0;
    std::size_t high = std::min(at, job.a_size);
    while (low < high) {
      const std::size_t mid = low + (high - low) / 2;
      if (job.a[mid] <= job.b[at - mid - 1]) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  // Where blocks ended, for all merges of a sort. The entry for a block is the one of its
  // position in the whole array, in units of k_base. Two merges side by side never share an
  // entry, because a merge's first block needs none; what a deeper level of the recursion left
  // in an entry is told apart by the size of the merge, which is larger at each level.
  //
  // Workers may look while others write. Nothing else depends on an entry, so relaxed order
  // will do: whoever misses one searches and comes to the same number.
  class block_ends {
   public:
    struct entry {
      std::uint64_t word;
    };

    void reset(std::size_t keys) { entries_.assign(keys / k_base + 2, entry{0}); }

    entry* at(std::size_t position) { return &entries_[position / k_base]; }

    static std::size_t find(entry* e, const merge_job& job, std::size_t at) {
      const std::uint64_t word = std::atomic_ref(e->word).load(std::memory_order_relaxed);
      return (word >> k_rank_bits) == job.size() ? static_cast<std::size_t>(word & k_rank_mask)
                                                  : rank_in_a(job, at);
    }
    static void store(entry* e, const merge_job& job, std::size_t rank) {
      std::atomic_ref(e->word).store(job.size() << k_rank_bits | rank, std::memory_order_relaxed);
    }

   private:
    static constexpr int k_rank_bits = 32;
    static constexpr std::uint64_t k_rank_mask = (std::uint64_t{1} << k_rank_bits) - 1;
    std::vector<entry> entries_;
  };

  // Keys [begin, end) of run a.
  struct ranks {
    std::size_t begin;
    std::size_t end;
  };

  // What the loop of every parallel merge does; `first` is the entry of the merge's position.
  // Returns which keys of run a the block took.
  static ranks merge_block_anywhere(const merge_job& job, block_ends::entry* first,
                                    std::size_t block) {
    const std::size_t at = block * k_base;
    const std::size_t i = block == 0 ? 0 : block_ends::find(first + block, job, at);
    const std::size_t next = merge_block(job, at, i);
    if (at + k_base < job.size()) {
      block_ends::store(first + block + 1, job, next);
    }
    return {i, next};
  }

  struct answer {
    std::vector<key> keys;
    std::vector<key> buffer;
    block_ends ends;
  };

  // A stretch of the array that is to be sorted, and where the result goes: into the buffer if
  // `into_buffer`, else in place. The levels of the recursion take turns, so that nothing is
  // copied back.
  struct part {
    key* keys;
    key* buffer;
    std::size_t position;
    std::size_t size;
    bool into_buffer;

    part left() const { return {keys, buffer, position, size / 2, !into_buffer}; }
    part right() const {
      return {keys, buffer, position + size / 2, size - size / 2, !into_buffer};
    }
    // The merge that is left to do when both halves are sorted.
    merge_job merge() const {
      const key* from = (into_buffer ? keys : buffer) + position;
      key* to = (into_buffer ? buffer : keys) + position;
      return {from, size / 2, from + size / 2, size - size / 2, to};
    }
    bool is_base() const { return size <= k_base; }
    void sort_as_base() const {
      sort_base(keys + position, size);
      if (into_buffer) {
        std::copy(keys + position, keys + position + size, buffer + position);
      }
    }
  };

  static part whole(answer& out) {
    return {out.keys.data(), out.buffer.data(), 0, out.keys.size(), false};
  }

  static input make(const request& wanted) {
    input in;
    in.keys.resize(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(8);
    for (key& k : in.keys) {
      k = random.next();
    }
    in.sum = std::accumulate(in.keys.begin(), in.keys.end(), key{0});
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.keys = in.keys;
    out.buffer.resize(in.keys.size());
    out.ends.reset(in.keys.size());
  }
  static bool same(const input& in, const answer& got, const answer& expected) {
    return got.keys == expected.keys && std::is_sorted(got.keys.begin(), got.keys.end()) &&
           std::accumulate(got.keys.begin(), got.keys.end(), key{0}) == in.sum;
  }
};

}  // namespace takt::bench
