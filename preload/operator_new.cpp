// operator new and delete: some allocators have their own, which do not come by malloc.
#include "preload/real.hpp"
#include "preload/watch.hpp"

#include <new>

using namespace takt::preload;

namespace {

constexpr int k_one = 0;
constexpr int k_array = 1;

// As in allocate.cpp; and the real one may throw.
template <class Make>
[[gnu::always_inline]] inline void* allocated(std::size_t bytes, const void* caller, Make make) {
  struct on_the_way {
    counted_memory reported;
    void* block = nullptr;
    ~on_the_way() { (void)remember(block, reported); }
  } way{report(bytes, caller)};
  const inside_allocator guard;
  way.block = make();
  return way.block;
}

template <class Destroy>
[[gnu::always_inline]] inline void freed(void* block, Destroy destroy) noexcept {
  if (block == nullptr) return;
  const counted_memory held = forget(block);
  {
    const inside_allocator guard;
    destroy();
  }
  give_back(held);
}

#define TAKT_CALLER __builtin_return_address(0)

}  // namespace

TAKT_SEEN void* operator new(std::size_t n) {
  return allocated(n, TAKT_CALLER, [=] { return real().make[k_one](n); });
}
TAKT_SEEN void* operator new[](std::size_t n) {
  return allocated(n, TAKT_CALLER, [=] { return real().make[k_array](n); });
}
TAKT_SEEN void* operator new(std::size_t n, const std::nothrow_t& t) noexcept {
  return allocated(n, TAKT_CALLER, [&] { return real().make_or_null[k_one](n, t); });
}
TAKT_SEEN void* operator new[](std::size_t n, const std::nothrow_t& t) noexcept {
  return allocated(n, TAKT_CALLER, [&] { return real().make_or_null[k_array](n, t); });
}
TAKT_SEEN void* operator new(std::size_t n, std::align_val_t a) {
  return allocated(n, TAKT_CALLER, [=] { return real().make_aligned[k_one](n, a); });
}
TAKT_SEEN void* operator new[](std::size_t n, std::align_val_t a) {
  return allocated(n, TAKT_CALLER, [=] { return real().make_aligned[k_array](n, a); });
}
TAKT_SEEN void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t& t) noexcept {
  return allocated(n, TAKT_CALLER, [&] { return real().make_aligned_or_null[k_one](n, a, t); });
}
TAKT_SEEN void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t& t) noexcept {
  return allocated(n, TAKT_CALLER, [&] { return real().make_aligned_or_null[k_array](n, a, t); });
}

TAKT_SEEN void operator delete(void* p) noexcept {
  freed(p, [=] { real().destroy[k_one](p); });
}
TAKT_SEEN void operator delete[](void* p) noexcept {
  freed(p, [=] { real().destroy[k_array](p); });
}
TAKT_SEEN void operator delete(void* p, std::size_t n) noexcept {
  freed(p, [=] { real().destroy_sized[k_one](p, n); });
}
TAKT_SEEN void operator delete[](void* p, std::size_t n) noexcept {
  freed(p, [=] { real().destroy_sized[k_array](p, n); });
}
TAKT_SEEN void operator delete(void* p, const std::nothrow_t&) noexcept {
  freed(p, [=] { real().destroy[k_one](p); });
}
TAKT_SEEN void operator delete[](void* p, const std::nothrow_t&) noexcept {
  freed(p, [=] { real().destroy[k_array](p); });
}
TAKT_SEEN void operator delete(void* p, std::align_val_t a) noexcept {
  freed(p, [=] { real().destroy_aligned[k_one](p, a); });
}
TAKT_SEEN void operator delete[](void* p, std::align_val_t a) noexcept {
  freed(p, [=] { real().destroy_aligned[k_array](p, a); });
}
TAKT_SEEN void operator delete(void* p, std::size_t n, std::align_val_t a) noexcept {
  freed(p, [=] { real().destroy_sized_aligned[k_one](p, n, a); });
}
TAKT_SEEN void operator delete[](void* p, std::size_t n, std::align_val_t a) noexcept {
  freed(p, [=] { real().destroy_sized_aligned[k_array](p, n, a); });
}
TAKT_SEEN void operator delete(void* p, std::align_val_t a, const std::nothrow_t&) noexcept {
  freed(p, [=] { real().destroy_aligned[k_one](p, a); });
}
TAKT_SEEN void operator delete[](void* p, std::align_val_t a, const std::nothrow_t&) noexcept {
  freed(p, [=] { real().destroy_aligned[k_array](p, a); });
}
