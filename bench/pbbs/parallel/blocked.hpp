// How the problems run with other systems, tuned by hand as PBBS is (Heartbeat paper, section 5):
// blocks of 2048 elements in sequence primitives, min(8 P, 2048) blocks in other loops, one task
// per iteration where iterations are few and large, and cut-offs in recursions.
//
// Inside a block runs the serial elision of takt's own code, so that the systems differ in what
// they make of the parallelism and in nothing else.
#pragma once

#ifndef TAKT_ELISION
#error "define TAKT_ELISION for the whole file"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/radix_sort.hpp>
#include <takt/algorithms/sort.hpp>

#include "harness/system.hpp"
#include "pbbs/parallel/array.hpp"
#include "pbbs/parallel/enrol.hpp"

namespace takt::bench::pbbs {

// A backend has
//   fork(f, g)              both, in parallel
//   blocks(n, body)         body(b) for all b < n, each a task
template <class Backend>
struct blocked {
  static constexpr std::size_t k_block = 2048;
  static constexpr std::size_t k_cut_off = 2048;

  template <class F, class G>
  static void fork(F&& f, G&& g) {
    Backend::fork(f, g);
  }
  template <class F, class G>
  static void fork(std::size_t size, F&& f, G&& g) {
    if (size > k_cut_off) {
      Backend::fork(f, g);
    } else {
      f();
      g();
    }
  }

  template <class Body>
  static void loop(std::size_t begin, std::size_t end, Body&& body) {
    if (begin >= end) {
      return;
    }
    const std::size_t n = end - begin;
    constexpr std::size_t k_most_blocks = 2048;
    const std::size_t parts = std::min({8 * std::size_t{the_workers}, k_most_blocks, n});
    Backend::blocks(parts, [&](std::size_t b) {
      auto own = body;
      const std::size_t last = begin + n * (b + 1) / parts;
      for (std::size_t i = begin + n * b / parts; i < last; ++i) {
        own(i);
      }
    });
  }
  template <class Body>
  static void loop_each(std::size_t begin, std::size_t end, Body&& body) {
    Backend::blocks(begin < end ? end - begin : 0, [&](std::size_t i) { body(begin + i); });
  }

  template <class T, class Map, class Combine>
  static T reduce(std::size_t n, T identity, Map&& map, Combine&& combine) {
    const auto stretch = [&](std::size_t begin, std::size_t end) {
      auto own_map = map;
      auto own_combine = combine;
      T sum = identity;
      for (std::size_t i = begin; i < end; ++i) {
        sum = own_combine(std::move(sum), own_map(i));
      }
      return sum;
    };
    if (n <= k_block) {
      return stretch(0, n);
    }
    std::vector<T> sums(block_count(n), identity);
    in_blocks(n, [&](std::size_t b, std::size_t begin, std::size_t end) {
      sums[b] = stretch(begin, end);
    });
    T all = identity;
    for (T& sum : sums) {
      all = combine(std::move(all), std::move(sum));
    }
    return all;
  }

  template <class In, class T>
  static T scan(const In* in, std::size_t n, T* out, T init) {
    const auto stretch = [in, out](std::size_t begin, std::size_t end, T sum) {
      for (std::size_t i = begin; i < end; ++i) {
        const T next = sum + static_cast<T>(in[i]);
        out[i] = sum;
        sum = next;
      }
      return sum;
    };
    if (n <= 2 * k_block) {
      return stretch(0, n, init);
    }
    array<T> sums(block_count(n));
    in_blocks(n, [&](std::size_t b, std::size_t begin, std::size_t end) {
      T sum{};
      for (std::size_t i = begin; i < end; ++i) {
        sum += static_cast<T>(in[i]);
      }
      sums[b] = sum;
    });
    const T total = scan(sums.data(), sums.size(), sums.data(), init);
    in_blocks(n, [&](std::size_t b, std::size_t begin, std::size_t end) {
      stretch(begin, end, sums[b]);
    });
    return total;
  }

  template <class T, class Pred>
  static std::size_t filter(const T* in, std::size_t n, T* out, Pred&& pred) {
    return select(n, in, out, [in, pred](std::size_t i) { return pred(in[i]); });
  }
  template <class I, class Pred>
  static std::size_t filter_index(std::size_t n, I* out, Pred&& pred) {
    return select(n, std::views::iota(I{0}, static_cast<I>(n)).begin(), out,
                  [pred](std::size_t i) { return pred(static_cast<I>(i)); });
  }

  template <class T, class Less>
  static void merge(const T* a, std::size_t m, const T* b, std::size_t n, T* out, Less less) {
    using work = detail::merge_work<false, const T*, const T*, T*, Less>;
    const work merging{a, m, b, n, out, less};
    in_blocks(m + n, [&](std::size_t /*b*/, std::size_t begin, std::size_t end) {
      typename work::state own = merging.fresh(begin);
      merging.run(own, begin, end);
    });
  }

  template <class T, class Less>
  static void sort(T* v, std::size_t n, Less less) {
    if (n < k_sort_cut_off) {
      takt::sort(v, v + n, less);
      return;
    }
    array<T> other(n);
    if (!sort_almost_sorted(v, other.data(), n, less)) {
      sample_sort(v, other.data(), n, false, less, 3);
    }
  }
  template <class T, class Key>
  static void integer_sort(T* v, std::size_t n, Key key) {
    if (n < k_sort_cut_off) {
      takt::radix_sort(v, v + n, key);
      return;
    }
    const detail::radix_sorter<T, Key> sorter(key);
    const std::uint64_t some = sorter.number_of(v[0]);
    const std::uint64_t differ = reduce(
        n, std::uint64_t{0}, [&](std::size_t i) { return sorter.number_of(v[i]) ^ some; },
        [](std::uint64_t x, std::uint64_t y) { return x | y; });
    array<T> other(n);
    radix_sort(sorter, v, other.data(), n, false, static_cast<int>(std::bit_width(differ)));
  }

 private:
  // Below, a task would do too little; found by trying powers of two with oneTBB and two threads.
  static constexpr std::size_t k_sort_cut_off = std::size_t{1} << 15;

  static std::size_t block_count(std::size_t n) { return (n + k_block - 1) / k_block; }
  template <class Body>
  static void in_blocks(std::size_t n, const Body& body) {
    Backend::blocks(block_count(n), [&](std::size_t b) {
      body(b, b * k_block, std::min(n, (b + 1) * k_block));
    });
  }

  // Two passes, as PBBS does: flags and counts, then every block knows where its elements go.
  template <class In, class T, class Chosen>
  static std::size_t select(std::size_t n, In in, T* out, const Chosen& chosen) {
    array<std::uint8_t> flags(n);
    array<std::size_t> places(block_count(n));
    in_blocks(n, [&](std::size_t b, std::size_t begin, std::size_t end) {
      // A copy: the flags may alias what the original refers to.
      const Chosen own = chosen;
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const bool yes = own(i);
        flags[i] = static_cast<std::uint8_t>(yes);
        count += static_cast<std::size_t>(yes);
      }
      places[b] = count;
    });
    const std::size_t all = scan(places.data(), places.size(), places.data(), std::size_t{0});
    in_blocks(n, [&](std::size_t b, std::size_t begin, std::size_t end) {
      T* const to = out + places[b];
      const std::uint8_t* const of = flags.data() + begin;
      const auto from = in + static_cast<std::ptrdiff_t>(begin);
      const auto emit = [from, to](std::uint64_t k, std::uint64_t place) {
        to[place] = from[static_cast<std::ptrdiff_t>(k)];
      };
      const auto flagged = [of](std::uint64_t k) { return of[k] != 0; };
      detail::select<true>(end - begin,
                           detail::plain_finder<std::remove_const_t<decltype(flagged)>>{flagged},
                           emit, [&emit](std::uint64_t) { return emit; });
    });
    return all;
  }

  // As takt's distribution to 256 buckets, a task for each of its blocks.
  template <class T, class Classify>
  static detail::bucket_bounds distribute(const T* from, std::size_t n, T* to,
                                          const Classify& classify) {
    constexpr std::size_t k_size = detail::k_distribute_block;
    constexpr std::size_t k_buckets = detail::k_buckets;
    const std::size_t blocks = (n + k_size - 1) / k_size;
    array<std::uint8_t> ids(n);
    array<std::uint64_t> places(blocks * k_buckets);
    Backend::blocks(blocks, [&](std::size_t b) {
      const std::size_t begin = b * k_size;
      const std::size_t size = std::min(k_size, n - begin);
      classify(from + begin, size, ids.data() + begin);
      std::uint32_t counters[k_buckets] = {};
      for (std::size_t i = 0; i < size; ++i) {
        ++counters[ids[begin + i]];
      }
      for (std::size_t k = 0; k < k_buckets; ++k) {
        places[k * blocks + b] = counters[k];
      }
    });
    scan(places.data(), places.size(), places.data(), std::uint64_t{0});
    detail::bucket_bounds bounds;
    for (std::size_t k = 0; k < k_buckets; ++k) {
      bounds[k] = places[k * blocks];
    }
    bounds[k_buckets] = n;
    Backend::blocks(blocks, [&](std::size_t b) {
      const std::size_t begin = b * k_size;
      const std::size_t end = std::min(begin + k_size, n);
      std::uint64_t next[k_buckets];
      for (std::size_t k = 0; k < k_buckets; ++k) {
        next[k] = places[k * blocks + b];
      }
      for (std::size_t i = begin; i < end; ++i) {
        to[next[ids[i]]++] = from[i];
      }
    });
    return bounds;
  }

  // As takt's: what is out of order with a near neighbour is taken out, sorted and merged back.
  template <class T, class Less>
  static bool sort_almost_sorted(T* v, T* other, std::size_t n, const Less& less) {
    if (!detail::looks_almost_sorted(v, n, less)) {
      return false;
    }
    const auto is_misplaced = [v, n, less](std::size_t k) {
      return (k > 0 && less(v[k], v[k - 1])) || (k > 1 && less(v[k], v[k - 2])) ||
             (k + 1 < n && less(v[k + 1], v[k])) || (k + 2 < n && less(v[k + 2], v[k]));
    };
    array<std::size_t> misplaced(n);
    const std::size_t few = filter_index(n, misplaced.data(), is_misplaced);
    if (few > n / 16) {
      return false;
    }
    loop(0, few + 1, [&](std::size_t i) {
      const std::size_t begin = i == 0 ? 0 : misplaced[i - 1] + 1;
      const std::size_t end = i == few ? n : misplaced[i];
      copy(v + begin, end - begin, other + (begin - i));
    });
    const std::size_t rest = n - few;
    const std::size_t descents = reduce(
        rest, std::size_t{0},
        [other, less](std::size_t k) {
          return k > 0 && less(other[k], other[k - 1]) ? std::size_t{1} : std::size_t{0};
        },
        std::plus<std::size_t>());
    if (descents != 0) {
      return false;
    }
    array<T> taken(few);
    loop(0, few, [&](std::size_t i) { taken[i] = v[misplaced[i]]; });
    sort(taken.data(), few, less);
    merge(other, rest, taken.data(), few, v, less);
    return true;
  }

  template <class T, class Less>
  static void sample_sort(T* keys, T* other, std::size_t n, bool to_other, const Less& less,
                          int rounds) {
    if (n < k_sort_cut_off || rounds == 0) {
      detail::sample_sort(keys, other, n, to_other, less, rounds);
      return;
    }
    const detail::sample_classifier<T, Less> classify(keys, n, less);
    const detail::bucket_bounds bounds = distribute(keys, n, other, classify);
    loop_each(0, detail::k_buckets, [&](std::size_t b) {
      const std::size_t begin = bounds[b];
      const std::size_t size = bounds[b + 1] - begin;
      if (size == 0) {
        return;
      }
      if (b % 2 == 0) {
        sample_sort(other + begin, keys + begin, size, !to_other, less, rounds - 1);
      } else if (!to_other) {
        copy(other + begin, size, keys + begin);
      }
    });
  }
  template <class T, class Key>
  static void radix_sort(const detail::radix_sorter<T, Key>& sorter, T* keys, T* other,
                         std::size_t n, bool to_other, int bits) {
    if (n < k_sort_cut_off || bits == 0) {
      if (bits == 0 && to_other) {
        copy(keys, n, other);
      } else if (bits != 0) {
        sorter.sort(keys, other, n, to_other, bits);
      }
      return;
    }
    const int shift = bits > 8 ? bits - 8 : 0;
    const std::uint64_t mask = (std::uint64_t{1} << (bits - shift)) - 1;
    const auto classify = [&sorter, shift, mask](const T* from, std::size_t size,
                                                 std::uint8_t* ids) {
      for (std::size_t i = 0; i < size; ++i) {
        ids[i] = static_cast<std::uint8_t>((sorter.number_of(from[i]) >> shift) & mask);
      }
    };
    const detail::bucket_bounds bounds = distribute(keys, n, other, classify);
    loop_each(0, detail::k_buckets, [&](std::size_t b) {
      const std::size_t begin = bounds[b];
      radix_sort(sorter, other + begin, keys + begin, bounds[b + 1] - begin, !to_other, shift);
    });
  }
  template <class T>
  static void copy(const T* from, std::size_t n, T* to) {
    if (n <= k_block) {
      std::copy(from, from + n, to);
      return;
    }
    in_blocks(n, [from, to](std::size_t /*b*/, std::size_t begin, std::size_t end) {
      std::copy(from + begin, from + end, to + begin);
    });
  }
};

}  // namespace takt::bench::pbbs
