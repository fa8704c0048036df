#include TAKT_PBBS_PARALLEL

#include "harness/touching.hpp"
#include "pbbs/removeduplicates/config.hpp"

namespace takt::bench::pbbs {
namespace {

// A table whose content depends on the set of keys alone, not on the order in which they came:
// along a chain of probes keys descend in priority. (Shun and Blelloch, Phase-concurrent hash
// tables for determinism, SPAA 2014.)
template <class Keys, class Key = typename Keys::key>
void insert(Key* table, std::size_t mask, Key key) {
  for (std::size_t c = Keys::hash(key) & mask;;) {
    // Keys were written before the loop began: only the cell itself is shared.
    Key there = __atomic_load_n(&touched(table[c]), __ATOMIC_RELAXED);
    if (there != Keys::k_free && Keys::equal(there, key)) {
      return;
    }
    if (there != Keys::k_free && Keys::before(there, key)) {
      c = (c + 1) & mask;
    } else if (__atomic_compare_exchange_n(&table[c], &there, key, false, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED)) {
      if (there == Keys::k_free) {
        return;
      }
      // Whoever was here moves on.
      key = there;
      c = (c + 1) & mask;
    }
  }
}

template <class P>
void remove_duplicates(const typename P::input& in, typename P::answer& out) {
  using keys = typename P::keys;
  using key = typename keys::key;
  const auto& all = P::keys_of(in);
  const std::size_t size = table_size(all.size());
  array<key> cells(size);
  key* const table = cells.data();
  parallel::loop(0, size, [table](std::size_t c) { touched(table[c]) = keys::k_free; });
  parallel::loop(0, all.size(), [table, mask = size - 1, from = all.data()](std::size_t i) {
    insert<keys>(table, mask, touched(from[i]));
  });
  typename P::answer kept(all.size());
  kept.shrink(parallel::filter(table, size, kept.data(), [](key k) { return k != keys::k_free; }));
  out = std::move(kept);
}

template <class P>
using enrolled = enrol_parallel<parallel, P, remove_duplicates<P>>;

const enrolled<removeduplicates_random> random;
const enrolled<removeduplicates_bounded> bounded;
const enrolled<removeduplicates_exponential> exponential;
const enrolled<removeduplicates_trigrams> strings;

}  // namespace
}  // namespace takt::bench::pbbs
