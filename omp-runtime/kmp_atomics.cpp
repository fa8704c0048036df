// Atomic updates as calls, which Intel's compilers make: integers, and single and double precision. x = x OP y, or y OP x
// (rev); cpt: with the value before, or after if `is_after`.
#include <algorithm>

#include "kmp.hpp"

namespace takt::openmp {
namespace {

template <class T, class Update>
T update(T* at, bool is_after, Update&& next) noexcept {
  std::atomic_ref<T> x(*at);
  T before = x.load(std::memory_order_relaxed);
  T after = next(before);
  while (!x.compare_exchange_weak(before, after, std::memory_order_seq_cst, std::memory_order_relaxed)) {
    after = next(before);
  }
  return is_after ? after : before;
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

#define TAKT_ATOMIC(type, T, op, value)                                                                             \
  TAKT_OMP void __kmpc_atomic_##type##_##op(ident*, gtid, T* at, T y) {                                             \
    update(at, false, [y](T x) { return static_cast<T>(value); });                                                  \
  }                                                                                                                 \
  TAKT_OMP T __kmpc_atomic_##type##_##op##_cpt(ident*, gtid, T* at, T y, int is_after) {                            \
    return update(at, is_after != 0, [y](T x) { return static_cast<T>(value); });                                   \
  }
#define TAKT_ATOMIC_BOTH_WAYS(type, T, op, value)                                                                   \
  TAKT_ATOMIC(type, T, op, value)                                                                                   \
  TAKT_OMP void __kmpc_atomic_##type##_##op##_rev(ident*, gtid, T* at, T of) {                                      \
    update(at, false, [x = of](T y) { return static_cast<T>(value); });                                             \
  }                                                                                                                 \
  TAKT_OMP T __kmpc_atomic_##type##_##op##_cpt_rev(ident*, gtid, T* at, T of, int is_after) {                       \
    return update(at, is_after != 0, [x = of](T y) { return static_cast<T>(value); });                              \
  }
#define TAKT_ATOMIC_NUMBER(type, T)                                                                                 \
  TAKT_ATOMIC(type, T, add, x + y)                                                                                  \
  TAKT_ATOMIC(type, T, mul, x* y)                                                                                   \
  TAKT_ATOMIC(type, T, max, std::max(x, y))                                                                         \
  TAKT_ATOMIC(type, T, min, std::min(x, y))                                                                         \
  TAKT_ATOMIC_BOTH_WAYS(type, T, sub, x - y)                                                                        \
  TAKT_ATOMIC_BOTH_WAYS(type, T, div, x / y)                                                                        \
  TAKT_OMP T __kmpc_atomic_##type##_rd(ident*, gtid, T* at) { return std::atomic_ref<T>(*at).load(); }              \
  TAKT_OMP void __kmpc_atomic_##type##_wr(ident*, gtid, T* at, T y) { std::atomic_ref<T>(*at).store(y); }           \
  TAKT_OMP T __kmpc_atomic_##type##_swp(ident*, gtid, T* at, T y) { return std::atomic_ref<T>(*at).exchange(y); }
#define TAKT_ATOMIC_INTEGER(type, T)                                                                                \
  TAKT_ATOMIC_NUMBER(type, T)                                                                                       \
  TAKT_ATOMIC(type, T, andb, x& y)                                                                                  \
  TAKT_ATOMIC(type, T, orb, x | y)                                                                                  \
  TAKT_ATOMIC(type, T, xor, x ^ y)                                                                                  \
  TAKT_ATOMIC(type, T, neqv, x ^ y)                                                                                 \
  TAKT_ATOMIC(type, T, eqv, ~(x ^ y))                                                                               \
  TAKT_ATOMIC(type, T, andl, (x != 0) & (y != 0))                                                                   \
  TAKT_ATOMIC(type, T, orl, (x != 0) | (y != 0))                                                                    \
  TAKT_ATOMIC_BOTH_WAYS(type, T, shl, x << y)                                                                       \
  TAKT_ATOMIC_BOTH_WAYS(type, T, shr, x >> y)                                                                       \
  TAKT_ATOMIC_BOTH_WAYS(type##u, std::make_unsigned_t<T>, div, x / y)                                               \
  TAKT_ATOMIC_BOTH_WAYS(type##u, std::make_unsigned_t<T>, shr, x >> y)

TAKT_ATOMIC_INTEGER(fixed1, std::int8_t)
TAKT_ATOMIC_INTEGER(fixed2, std::int16_t)
TAKT_ATOMIC_INTEGER(fixed4, std::int32_t)
TAKT_ATOMIC_INTEGER(fixed8, std::int64_t)
TAKT_ATOMIC_NUMBER(float4, float)
TAKT_ATOMIC_NUMBER(float8, double)
