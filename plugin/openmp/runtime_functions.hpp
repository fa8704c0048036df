// The names and traits of the functions that code is known by: runtime_functions.def.
#pragma once

#include "openmp/refusal.hpp"

#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace takt_plugin {

// Names. Code compares with these.
namespace kmpc {
#define KMPC(name, traits, reason) inline constexpr llvm::StringLiteral name("__kmpc_" #name);
#define OMP(name, traits)
#define OTHER(name, traits)
#define FAMILY(prefix, traits)
#include "openmp/runtime_functions.def"
#undef KMPC
#undef OMP
}  // namespace kmpc
namespace omp {
#define KMPC(name, traits, reason)
#define OMP(name, traits) inline constexpr llvm::StringLiteral name("omp_" #name);
#include "openmp/runtime_functions.def"
#undef KMPC
#undef OMP
#undef OTHER
#undef FAMILY
}  // namespace omp

/// What a function is: a set of these.
namespace trait {
enum set : std::uint32_t {
  none = 0,
  begins_loop = 1u << 0,
  deals_statically = 1u << 1,
  next_chunk = 1u << 2,
  ends_loop = 1u << 3,
  begins_once = 1u << 4,
  dropped = 1u << 5,           ///< a team of one need not do it
  asks_to_combine = 1u << 6,   ///< how a reduction is to be combined: 1, by one thread for itself
  ends_combination = 1u << 7,
  flushes = 1u << 8,
  task = 1u << 9,              ///< task constructs consist of it
  starts_task = 1u << 10,      ///< that runs, or the next part of an untied one
  depends = 1u << 11,
  task_wait = 1u << 12,
  idle_wait = 1u << 13,        ///< a team of one need not do it: it waits for tasks that it has not made
  begins_reductions = 1u << 14,
  begins_modifier = 1u << 15,
  ends_modifier = 1u << 16,
  reduced_data = 1u << 17,     ///< a task asks for its copy
  reduces_tasks = 1u << 18,    ///< in a way that is not known
  cancels = 1u << 19,
  identity = 1u << 20,         ///< the answer depends on the team or the thread
  names_thread = 1u << 21,
  outside = 1u << 22,          ///< of a library, and knows nothing of threads
  gives_way = 1u << 23,        ///< sleeps, and does nothing else
  takes = 1u << 24,            ///< a lock:
  gives = 1u << 25,
  tests = 1u << 26,            ///< takes it, unless the answer says otherwise
  critical = 1u << 27,         ///< of a critical section
  lock = 1u << 28,             ///< of the OpenMP runtime
  guard = 1u << 29,            ///< of a static variable's initialiser
  mutex = 1u << 30,            ///< another one
  guards = 1u << 31,           ///< nothing but what others do changes what it guards
};
}  // namespace trait

/// Of a function by its name; none: it is not in the list.
std::uint32_t traits_of(llvm::StringRef name);
/// Whether it has one of these traits.
inline bool is(llvm::StringRef name, std::uint32_t traits) { return (traits_of(name) & traits) != 0; }

/// Why a call of the OpenMP runtime in a region with one loop keeps that from being converted.
refusal refusal_for(llvm::StringRef callee);

}  // namespace takt_plugin
