#include "pbbs/removeduplicates/config.hpp"

namespace takt::bench::pbbs {
namespace {

// One pass: a key that was not in the table is put out at once.
template <class P>
void remove_duplicates(const typename P::input& in, typename P::answer& out) {
  using keys = typename P::keys;
  const auto& all = P::keys_of(in);
  const std::size_t mask = table_size(all.size()) - 1;
  std::vector<typename keys::key> table(mask + 1, keys::k_free);
  typename P::answer kept(all.size());
  std::size_t count = 0;
  for (const auto key : all) {
    std::size_t c = keys::hash(key) & mask;
    while (table[c] != keys::k_free && !keys::equal(table[c], key)) {
      c = (c + 1) & mask;
    }
    if (table[c] == keys::k_free) {
      table[c] = key;
      kept[count++] = key;
    }
  }
  kept.shrink(count);
  out = std::move(kept);
}

template <class P>
struct enrolled : enrol<P> {
  enrolled() : enrol<P>("serial", remove_duplicates<P>) {}
};

const enrolled<removeduplicates_random> random;
const enrolled<removeduplicates_bounded> bounded;
const enrolled<removeduplicates_exponential> exponential;
const enrolled<removeduplicates_trigrams> strings;

}  // namespace
}  // namespace takt::bench::pbbs
