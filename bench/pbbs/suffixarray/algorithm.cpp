#include <algorithm>
#include <bit>

#include TAKT_PBBS_PARALLEL

#include "harness/touching.hpp"
#include "pbbs/suffixarray/config.hpp"

namespace takt::bench::pbbs {
namespace {

// The skew algorithm (Kaerkkaeinen, Sanders and Burkhardt, Linear work suffix array construction,
// JACM 2006): the suffixes at places that three does not divide are sorted by a recursion on
// triples of symbols; that order gives the order of the others, and both are merged. Work O(n),
// span polylogarithmic.
using number = std::uint32_t;

struct triple {
  std::uint64_t high;  // the first two symbols, or all three
  number low;          // the third one
  number place;
  bool operator==(const triple& other) const { return high == other.high && low == other.low; }
};

// Place k of the ascending places 1, 2, 4, 5, 7, 8, ...
number sampled(std::size_t k) { return static_cast<number>(3 * (k / 2) + 1 + k % 2); }

void by_comparison(const number* text, std::size_t n, number* order) {
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = static_cast<number>(i);
  }
  std::sort(order, order + n, [text, n](number a, number b) {
    return std::lexicographical_compare(text + a, text + n, text + b, text + n);
  });
}

// `text` has n symbols from 1 to `largest`, and three zeros behind them.
void sort_suffixes(const number* text, std::size_t n, number largest, number* order) {
  constexpr std::size_t k_base = 16;
  if (n <= k_base) {
    by_comparison(text, n, order);
    return;
  }
  // As many places one behind a multiple of three as there are multiples, the end included.
  const std::size_t multiples = (n + 2) / 3;
  const std::size_t samples = multiples + n / 3;

  array<number> rank(n + 3);  // of sampled suffixes, by place; from 1 on
  array<number> sample_order(samples);
  {
    array<triple> triples(samples);
    const int bits = static_cast<int>(std::bit_width(largest));
    const bool fits = 3 * bits <= 64;
    parallel::loop(0, samples, [text, bits, fits, to = triples.data()](std::size_t k) {
      const number i = sampled(k);
      const std::uint64_t two = std::uint64_t{touched(text[i])} << bits | touched(text[i + 1]);
      touched(to[k]) = fits ? triple{two << bits | touched(text[i + 2]), 0, i}
                            : triple{two, touched(text[i + 2]), i};
    });
    if (!fits) {
      parallel::integer_sort(triples.data(), samples, [](const triple& t) { return t.low; });
    }
    parallel::integer_sort(triples.data(), samples, [](const triple& t) { return t.high; });

    // Equal triples get the same name.
    array<number> name(samples);
    parallel::loop(0, samples, [of = triples.data(), to = name.data()](std::size_t k) {
      touched(to[k]) = k > 0 && touched(of[k]) == touched(of[k - 1]) ? 0 : 1;
    });
    const std::size_t names = parallel::scan(name.data(), samples, name.data(), number{0});
    if (names < samples) {
      // First all places one behind a multiple, then all others: triples stay whole.
      array<number> shorter(samples + 3);
      parallel::loop(0, samples, [of = triples.data(), from = name.data(), to = shorter.data(),
                                  multiples](std::size_t k) {
        const number i = touched(of[k]).place;
        // The sum of what comes before, and one's own.
        touched(to[i % 3 == 1 ? i / 3 : i / 3 + multiples]) =
            touched(from[k]) + (k > 0 && of[k] == touched(of[k - 1]) ? 0 : 1);
      });
      for (std::size_t k = samples; k < samples + 3; ++k) {
        shorter[k] = 0;
      }
      sort_suffixes(shorter.data(), samples, static_cast<number>(names),
                    sample_order.data());
      parallel::loop(0, samples, [order = sample_order.data(), multiples](std::size_t k) {
        const number i = touched(order[k]);
        order[k] = i < multiples ? 3 * i + 1 : 3 * static_cast<number>(i - multiples) + 2;
      });
    } else {
      parallel::loop(0, samples, [of = triples.data(), order = sample_order.data()](
                                     std::size_t k) {
        touched(order[k]) = touched(of[k]).place;
      });
    }
  }
  for (std::size_t i = n; i < n + 3; ++i) {
    rank[i] = 0;
  }
  parallel::loop(0, samples, [order = sample_order.data(), to = rank.data()](std::size_t k) {
    touched(to[touched(order[k])]) = static_cast<number>(k + 1);
  });

  // A multiple's suffix is its symbol and a sampled suffix, whose order is known.
  array<number> multiple_order(multiples);
  {
    array<number> behind(multiples);
    parallel::filter(sample_order.data(), samples, behind.data(),
                     [](number i) { return i % 3 == 1; });
    array<std::uint64_t> pairs(multiples);
    parallel::loop(0, multiples, [from = behind.data(), text, to = pairs.data()](std::size_t k) {
      const number i = touched(from[k]) - 1;
      touched(to[k]) = std::uint64_t{touched(text[i])} << 32 | i;
    });
    parallel::integer_sort(pairs.data(), multiples,
                           [](std::uint64_t pair) { return static_cast<number>(pair >> 32); });
    parallel::loop(0, multiples, [from = pairs.data(), to = multiple_order.data()](std::size_t k) {
      touched(to[k]) = static_cast<number>(touched(from[k]));
    });
  }

  const auto symbol = [text](number i) { return touched(text[i]); };
  const auto rank_of = [ranks = rank.data()](number i) { return touched(ranks[i]); };
  const auto less = [symbol, rank_of](number a, number b) {
    // As many symbols as it takes to get to sampled suffixes in both.
    if (a % 3 != 2 && b % 3 != 2) {
      return symbol(a) != symbol(b) ? symbol(a) < symbol(b) : rank_of(a + 1) < rank_of(b + 1);
    }
    if (symbol(a) != symbol(b)) {
      return symbol(a) < symbol(b);
    }
    return symbol(a + 1) != symbol(b + 1) ? symbol(a + 1) < symbol(b + 1)
                                          : rank_of(a + 2) < rank_of(b + 2);
  };
  // The empty suffix, which is sampled if three divides n - 1, comes first and is none of ours.
  const std::size_t empty = n % 3 == 1 ? 1 : 0;
  parallel::merge(sample_order.data() + empty, samples - empty, multiple_order.data(), multiples,
                  order, less);
}

void suffix_array(const std::string& in, array<std::uint32_t>& out) {
  const std::size_t n = in.size();
  array<number> text(n + 3);
  parallel::loop(0, n, [from = in.data(), to = text.data()](std::size_t i) {
    touched(to[i]) = number{static_cast<unsigned char>(touched(from[i]))} + 1;
  });
  for (std::size_t i = n; i < n + 3; ++i) {
    text[i] = 0;
  }
  out = array<std::uint32_t>(n);
  constexpr number k_largest = 256;
  sort_suffixes(text.data(), n, k_largest, out.data());
}

const enrol_parallel<parallel, suffixarray_text, suffix_array> text;
const enrol_parallel<parallel, suffixarray_dna, suffix_array> dna;

}  // namespace
}  // namespace takt::bench::pbbs
