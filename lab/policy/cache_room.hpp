// How much of each shared cache is spoken for (README.md, "sb").
#pragma once

#include "sync/atomic.hpp"
#include "sync/spin_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace takt::core {

/// Of one cache.
struct cache_share {
  unsigned cache = 0;
  std::uint64_t bytes = 0;
};

/// What is taken of several caches is taken of all or of none, and nobody sees it half done: otherwise who backs out
/// would have to wake whoever found the cache full meanwhile. `relax` as of spin_lock. Also for signal handlers, which
/// never run on top of who holds the lock.
class cache_room {
 public:
  /// So many caches, of these bytes: before it is shared. @throws std::bad_alloc
  void have(std::span<const std::uint64_t> bytes) {
    caches_ = std::make_unique<one[]>(bytes.size());
    count_ = bytes.size();
    for (std::size_t c = 0; c < count_; ++c) {
      caches_[c].bytes = bytes[c];
      caches_[c].taken.set(0);
    }
  }

  template <class Relax>
  bool take(std::span<const cache_share> shares, Relax relax) noexcept {
    if (shares.empty()) return true;
    lock_.lock(relax);
    const bool fits = all_fit(shares);
    for (const cache_share& s : shares) {
      if (fits) caches_[s.cache].taken.set(caches_[s.cache].taken.get() + s.bytes);
    }
    lock_.unlock();
    return fits;
  }
  /// Whether take() would do it. What has been given back before the caller was listed as a sleeper is seen, and who
  /// gives back later sees the sleeper: both go through the lock.
  template <class Relax>
  bool has(std::span<const cache_share> shares, Relax relax) noexcept {
    if (shares.empty()) return true;
    lock_.lock(relax);
    const bool fits = all_fit(shares);
    lock_.unlock();
    return fits;
  }
  template <class Relax>
  void give_back(std::span<const cache_share> shares, Relax relax) noexcept {
    lock_.lock(relax);
    for (const cache_share& s : shares) caches_[s.cache].taken.set(caches_[s.cache].taken.get() - s.bytes);
    lock_.unlock();
  }

  /// While nobody else uses it: nothing is taken of any.
  bool is_all_free() const noexcept {
    for (std::size_t c = 0; c < count_; ++c) {
      if (caches_[c].taken.get() != 0) return false;
    }
    return true;
  }
  /// In a child of fork(2): there are no caches any more, as what others have taken will never come back.
  void forget() noexcept {
    (void)lock_.go_on_alone();
    count_ = 0;
  }

 private:
  struct one {
    std::uint64_t bytes = 0;
    sync::plain<std::uint64_t> taken;
  };
  bool all_fit(std::span<const cache_share> shares) const noexcept {
    for (const cache_share& s : shares) {
      const one& c = caches_[s.cache];
      if (c.bytes - c.taken.get() < s.bytes) return false;
    }
    return true;
  }

  spin_lock lock_;
  std::unique_ptr<one[]> caches_;
  std::size_t count_ = 0;
};

}  // namespace takt::core
