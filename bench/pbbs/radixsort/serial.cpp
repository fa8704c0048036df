#include <array>
#include <memory>

#include "pbbs/radixsort/config.hpp"

namespace takt::bench::pbbs {
namespace {

// From the least significant digit on, with all counters filled in one pass: 11 bits to a digit
// make three passes of what would be four with bytes.
template <class P>
void sort(const typename P::input& /*in*/, typename P::answer& out) {
  using T = typename P::element;
  constexpr int k_bits = 11;
  constexpr int k_digits = 3;
  constexpr std::size_t k_buckets = std::size_t{1} << k_bits;
  const key_of key;
  const std::size_t n = out.size();
  std::array<std::array<std::size_t, k_buckets>, k_digits> next{};
  for (const T& x : out) {
    for (int d = 0; d < k_digits; ++d) {
      ++next[d][(key(x) >> (d * k_bits)) % k_buckets];
    }
  }
  const auto room = std::make_unique_for_overwrite<T[]>(n);
  T* from = out.data();
  T* to = room.get();
  for (int d = 0; d < k_digits; ++d) {
    std::size_t before = 0;
    for (std::size_t& bucket : next[d]) {
      const std::size_t size = bucket;
      bucket = before;
      before += size;
    }
    for (std::size_t i = 0; i < n; ++i) {
      to[next[d][(key(from[i]) >> (d * k_bits)) % k_buckets]++] = from[i];
    }
    std::swap(from, to);
  }
  std::copy(from, from + n, out.data());
}

const enrol<radixsort_random> random("serial", sort<radixsort_random>);
const enrol<radixsort_exponential> exponential("serial", sort<radixsort_exponential>);
const enrol<radixsort_pairs> pairs("serial", sort<radixsort_pairs>);

}  // namespace
}  // namespace takt::bench::pbbs
