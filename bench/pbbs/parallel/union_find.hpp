// Sets of vertices that any number of workers look into and join.
#pragma once

#include <cstdint>

#include "harness/touching.hpp"

namespace takt::bench::pbbs {

// parent[v] leads towards the vertex that stands for v's set, which is its own parent. Only the
// latter's is ever set to something else than an ancestor, by link(): whatever is read, however
// old, is an ancestor still.
class union_find {
 public:
  explicit union_find(std::uint32_t* parent) : parent_(parent) {}

  std::uint32_t find(std::uint32_t v) const {
    for (std::uint32_t above = load(v); above != v;) {
      const std::uint32_t next = load(above);
      if (next == above) {
        return above;
      }
      // Every other step is skipped from now on.
      store(v, next);
      v = next;
      above = load(v);
    }
    return v;
  }
  // Puts the set of `root` below `above`, unless somebody else has put it somewhere meanwhile.
  bool try_link(std::uint32_t root, std::uint32_t above) const {
    return __atomic_compare_exchange_n(&touched(parent_[root]), &root, above, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  // The same where nobody else can.
  void link(std::uint32_t root, std::uint32_t above) const { store(root, above); }

 private:
  std::uint32_t load(std::uint32_t v) const {
    return __atomic_load_n(&touched(parent_[v]), __ATOMIC_RELAXED);
  }
  void store(std::uint32_t v, std::uint32_t above) const {
    __atomic_store_n(&touched(parent_[v]), above, __ATOMIC_RELAXED);
  }

  std::uint32_t* parent_;
};

}  // namespace takt::bench::pbbs
