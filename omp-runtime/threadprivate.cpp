// threadprivate variables of LLVM's compilers where they are not the compiler's own thread-local ones: a copy for each
// member number of outermost teams.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>

#include "kmp.hpp"

namespace takt::openmp {
namespace {

struct functions {
  void* (*construct)(void*) = nullptr;
  void* (*copy)(void*, void*) = nullptr;
  void (*destroy)(void*) = nullptr;
};

struct variable {
  functions how;
  void* original = nullptr;
  std::size_t bytes = 0;
  std::vector<unsigned char> first;  ///< its value before anybody had a copy
};

short_lock guard;
std::unordered_map<void*, variable>& all() {
  static auto* const table = new std::unordered_map<void*, variable>;
  return *table;
}

// Copies of the calling thread: members of outermost teams stay on their threads. Never freed while it lives.
std::unordered_map<const void*, void*>& mine() {
  // A member that shares its thread with others has its own.
  static thread_local std::vector<std::unordered_map<const void*, void*>> copies;
  const std::uint32_t number = me().number;
  if (copies.size() <= number) copies.resize(number + 1);
  return copies[number];
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void __kmpc_threadprivate_register(void*, void* data, void* (*construct)(void*), void* (*copy)(void*, void*),
                                            void (*destroy)(void*)) {
  const std::lock_guard lock(guard);
  all()[data].how = {construct, copy, destroy};
}

TAKT_OMP void* __kmpc_threadprivate_cached(void*, int, void* data, std::size_t bytes, void***) {
  const member& m = me();
  // The initial thread has the variable itself.
  if (m.in->parent == nullptr) return data;
  void*& copy = mine()[data];
  if (copy != nullptr) return copy;
  // The first member of an outermost team is the initial thread.
  if (m.number == 0 && m.in->level == 1) return copy = data;
  constexpr std::size_t k_line = 64;
  copy = std::aligned_alloc(k_line, (bytes + k_line - 1) / k_line * k_line);
  if (copy == nullptr) fail("no memory for a threadprivate variable");
  functions how;
  {
    const std::lock_guard lock(guard);
    variable& v = all()[data];
    if (v.first.empty()) v.first.assign(static_cast<unsigned char*>(data), static_cast<unsigned char*>(data) + bytes);
    how = v.how;
    if (how.construct == nullptr) std::memcpy(copy, v.first.data(), bytes);
  }
  if (how.construct != nullptr) how.construct(copy);
  return copy;
}
TAKT_OMP void* __kmpc_threadprivate(void* where, int number, void* data, std::size_t bytes) {
  return __kmpc_threadprivate_cached(where, number, data, bytes, nullptr);
}
