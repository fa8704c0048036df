// What the compiler plugin puts into a program: OpenMP loops as slices, OpenMP tasks as latent frames. See
// plugin/loops/README.md for the rewriting.
//
// A slice is one virtual thread of the region: the region's outlined function, with its private variables, over some of
// the iterations. It claims a chunk at a time (takt_loop_next), and that is where it polls. Another slice is made of
// what a promotion takes from it.
#pragma once

#include <takt/abi.hpp>

namespace takt::abi {

struct omp_frame;

/// One reduction variable of a loop, as its partial result is stored.
struct omp_partial {
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// The offset of a variable whose length is known only when the loop runs. `bytes` is then that of an element. The
/// variable is followed by its length, both among the parts and in the lists of pointers that are combined. Partial
/// results have room for such variables behind the others, in order.
inline constexpr std::uint64_t k_sized_partial = ~0ull;
/// Each of them begins at a multiple of so many bytes.
inline constexpr std::size_t k_sized_align = 16;

/// One converted loop of the program. Written by the plugin.
struct omp_loop {
  void (*slice)(void* environment, omp_frame* frame);
  site* where;
  const omp_partial* partials;  ///< where the partial result of a half keeps each reduction variable
  std::uint64_t partial_count;
  std::uint64_t partial_bytes;  ///< of all together, without those of variable length
  std::uint64_t traits;         ///< k_open, k_pooled, k_one_by_one, k_numbered
};

/// It calls code that the compiler has not seen.
inline constexpr std::uint64_t k_open = 1;
/// To begin a slice is dear, so there are no more slices than take part at one time: they claim their iterations from
/// one pool.
inline constexpr std::uint64_t k_pooled = 2;
/// The slice claims its iterations one by one, up to the next look, from the first one on that takt_loop_next has given.
inline constexpr std::uint64_t k_one_by_one = 4;
/// Its iterations look at the number of their thread: it is pooled.
inline constexpr std::uint64_t k_numbered = 8;

/// The reductions of a taskgroup, in the frame of the code that has it.
struct omp_reductions {
  void* made;             ///< the runtime's; null until a task takes a copy
  const void* variables;  ///< as Clang describes them (kmp_taskred_input_t)
  std::uint64_t count;
  omp_reductions* around;  ///< the group in which the taskgroup stands, or null
};

/// Runs iterations from `begin` to `end` of a loop of tasks, with all of these. `number` is what their code gets first.
/// `frame`: each is claimed there before it begins, unless a look is due; null: they have been.
/// @returns the first one that was not run.
using omp_iterations = std::uint64_t(void* environment, std::uint64_t begin, std::uint64_t end, omp_reductions* group,
                                     std::uint32_t number, loop_frame* frame);

/// How to run a loop.
enum class omp_way : std::uint32_t {
  in_place,  ///< where it is written, in one piece; takt_omp_run does that too, in a slice
  framed,    ///< in slices
  sampled,   ///< the same, and its time is to be learned: it is known to nest
  timed,     ///< in one piece, and its time is to be learned
  outside,   ///< a parallel call is to be entered first
  left       ///< it must be left to the OpenMP runtime: code in this process looks at the identity of threads
};

/// A slice under way.
struct omp_frame {
  loop_cursor cursor;   ///< first: takt_loop_next is asked for chunks
  std::uint64_t count;  ///< iterations of the whole loop
  std::uint64_t last;   ///< end of the slice before anything was promoted
  const omp_loop* what;
  void* environment;
  void* result;                 ///< where a half leaves its partial result; null: the slice of the whole loop
  std::byte* cells;             ///< the partial results of this slice's halves
  std::uint64_t partial_bytes;  ///< of all parts together
  std::uint64_t depth;          ///< how many promotions the slice comes from
  // Of a loop that is pooled.
  void* pool;                  ///< the loop's iterations
  std::uint32_t has_last;      ///< 1: the slice has claimed the last one
  std::uint32_t took_part[2];  ///< 1: what was made of it has run as a slice
  std::uint32_t number;        ///< of the slice among those that take part; of the iteration, if these are no more
  // Of a loop that can be cancelled.
  std::uint32_t was_cancelled;  ///< in the first slice: 1: none claims anything more
  omp_frame* first;             ///< that slice
};
static_assert(offsetof(omp_frame, cursor) == 0);

/// For how many halves' results of so many bytes a slice has room.
constexpr std::uint32_t results_of(std::uint64_t bytes) { return bytes <= 32 ? k_most_parts : 2; }

/// What private variables of a task may ask for, in bytes, as OpenMP's own runtime grants it.
inline constexpr std::size_t k_task_record_align = 64;

}  // namespace takt::abi

extern "C" {

// Tasks: a task is a latent frame, whose slot `run` takes its captures from.

/// Runs a region with tasks: on the calling thread, which enters a parallel call if it is in none.
TAKT_EXPORT void takt_omp_run_tasks(void (*run)(void* environment), void* environment) noexcept;
/// Pops all slots above `first`, the newest one first, and waits for those that were promoted.
TAKT_EXPORT void takt_omp_drain(takt::abi::slot* first) noexcept;
/// The same; what `run` would run and was not promoted is run by `run_here`, as code of the one who waits.
TAKT_EXPORT void takt_omp_drain_here(takt::abi::slot* first, takt::abi::run_function run,
                                     takt::abi::run_function run_here) noexcept;
/// A slot has been popped that was promoted: waits for it, or runs it.
TAKT_EXPORT void takt_omp_task_join(takt::abi::slot* popped) noexcept;
/// Room for a record that does not fit a slot, at a multiple of k_task_record_align; never null.
TAKT_EXPORT void* takt_omp_task_room(std::uint64_t bytes) noexcept;
TAKT_EXPORT void takt_omp_task_free(void* record) noexcept;
/// A taskloop over the bounds in `record`, of `bytes` bytes: `entry` gets copies of it. `copy` makes what private
/// variables need; null: nothing. `has_destructors`: they have some. `in_one_piece`: all iterations run here.
TAKT_EXPORT void takt_omp_taskloop(takt::abi::site* where, void* record, std::uint64_t bytes,
                                   std::int32_t (*entry)(std::int32_t, void*),
                                   void (*copy)(void* to, void* from, std::int32_t last), bool has_destructors,
                                   bool in_one_piece) noexcept;

/// A loop whose iterations make a task each, with a wait behind it, which is not free. The tasks take part in the
/// reductions of `group`, or null; `number` is for those that the code around runs.
TAKT_EXPORT void takt_omp_loop_of_tasks(takt::abi::site* where, takt::abi::omp_iterations* run, void* environment,
                                        std::uint64_t count, takt::abi::omp_reductions* group,
                                        std::uint32_t number) noexcept;

// What `cancel taskgroup` ends. A task asks before it begins.

/// The taskgroup begins, and nothing waits; `scope` is room for a stop_scope.
TAKT_EXPORT void takt_omp_group_begin(void* scope) noexcept;
/// The innermost one ends, and nothing waits.
TAKT_EXPORT void takt_omp_group_end(void) noexcept;
/// `is_on`: whether the program may cancel. @returns the same: whether the task is to end.
TAKT_EXPORT std::uint32_t takt_omp_group_cancel(std::uint32_t is_on) noexcept;
/// Whether the innermost one around the code here is cancelled.
TAKT_EXPORT std::uint32_t takt_omp_group_is_cancelled(void) noexcept;

// Dependences of tasks that a function has made: `known` is what those depend on that wait, null while there are none.
// `list` describes `count` items, as Clang does (kmp_depend_info).

/// @returns whether a task with these dependences must come after one that waits. `known` is not null.
TAKT_EXPORT bool takt_omp_is_in_conflict(const void* known, std::int32_t count, const void* list) noexcept;
/// A task with these dependences waits from here on.
TAKT_EXPORT void takt_omp_depend(void** known, std::int32_t count, const void* list) noexcept;
/// None waits any more.
TAKT_EXPORT void takt_omp_forget(void** known) noexcept;

// Reductions over tasks. A task has a copy of each variable for as long as it lives, which another task gets then; one
// that runs where it is made has none.

/// A task of the group, or of one inside it, begins: @returns a copy, which is its own, of the variable that is at
/// `address`, or of which there is a copy at `address`, or which is a thread's copy of what is there. The group is the
/// innermost that reduces that variable, from `reductions` on outwards.
TAKT_EXPORT void* takt_omp_borrow(takt::abi::omp_reductions* reductions, const void* address) noexcept;
/// It ends.
TAKT_EXPORT void takt_omp_give_back(void* copy) noexcept;
/// How long a copy is, for what initialises, combines and destroys it.
TAKT_EXPORT std::uint64_t takt_omp_reduced_bytes(const void* copy) noexcept;
/// All tasks of the group are done, and there are copies (`made`): combines them into the program's variables, in any
/// order.
TAKT_EXPORT void takt_omp_combine(takt::abi::omp_reductions* reductions) noexcept;

// Loops.

/// A loop of `count` iterations was charged `units`, and may have to leave the place where it is written.
TAKT_EXPORT takt::abi::omp_way takt_omp_ask(const takt::abi::omp_loop* what, std::uint64_t count,
                                            std::int64_t units) noexcept;
/// Runs it as takt_omp_ask said: anything but `left`. Of a loop that is pooled, `count` is what its region has for
/// num_threads, or 0, and `way` says nothing.
TAKT_EXPORT void takt_omp_run(const takt::abi::omp_loop* what, void* environment, std::uint64_t count,
                              takt::abi::omp_way way) noexcept;
/// Before takt_omp_begin: the program asks for chunks of so many iterations. Each stays on one thread. 1 or less: any.
TAKT_EXPORT void takt_omp_chunks(takt::abi::omp_frame* frame, std::int64_t chunk) noexcept;
/// The slice's private variables exist; `cells` has room for the results of results_of halves. Iterations may be promoted
/// from here on.
TAKT_EXPORT void takt_omp_begin(takt::abi::omp_frame* frame, void* cells) noexcept;
/// A private copy of variable length is about to be made: @returns where, aligned to k_sized_align; null: anywhere.
TAKT_EXPORT void* takt_omp_room(takt::abi::omp_frame* frame, std::uint64_t bytes) noexcept;
/// takt_omp_begin of a slice of a loop that is pooled; the loop has `count` iterations. `chunk`: as takt_omp_chunks has
/// it.
TAKT_EXPORT void takt_omp_begin_pooled(takt::abi::omp_frame* frame, void* cells, std::uint64_t count,
                                       std::int64_t chunk) noexcept;
/// takt_loop_next of such a slice.
TAKT_EXPORT takt::abi::loop_chunk takt_omp_claim(takt::abi::omp_frame* frame) noexcept;
/// Claims the next chunk of a loop that can be cancelled: as takt_loop_next or takt_omp_claim, or none.
TAKT_EXPORT takt::abi::loop_chunk takt_omp_next(takt::abi::omp_frame* frame) noexcept;
/// `is_on`: whether the program may cancel. @returns the same: whether the slice is to leave its iteration, for the end
/// of the loop. What others have not claimed is dropped.
TAKT_EXPORT std::uint32_t takt_omp_cancel(takt::abi::omp_frame* frame, std::uint32_t is_on) noexcept;
/// Whether the loop is cancelled.
TAKT_EXPORT std::uint32_t takt_omp_is_cancelled(takt::abi::omp_frame* frame) noexcept;
/// takt_omp_begin of a loop with such copies. The results of its halves are on the heap; without memory nothing is
/// promoted.
TAKT_EXPORT void takt_omp_begin_sized(takt::abi::omp_frame* frame) noexcept;
/// After the last chunk: waits for the halves. @returns 1 when the slice itself ran the loop's last iteration.
TAKT_EXPORT std::uint32_t takt_omp_end(takt::abi::omp_frame* frame) noexcept;
/// Combines the halves' reduction variables into the slice's, in index order: combine(mine, theirs), each an array of
/// pointers. @returns 1 when the slice is to combine the outcome into the program's variables, 0 when it has been
/// handed over.
TAKT_EXPORT std::uint32_t takt_omp_reduce(takt::abi::omp_frame* frame, void** mine,
                                          void (*combine)(void*, void*)) noexcept;
/// The same for a loop that began with takt_omp_begin_sized.
TAKT_EXPORT std::uint32_t takt_omp_reduce_sized(takt::abi::omp_frame* frame, void** mine,
                                                void (*combine)(void*, void*)) noexcept;
/// @returns false when a region that calls code of other files must be left to the OpenMP runtime.
TAKT_EXPORT bool takt_omp_may_convert(void) noexcept;
/// The last thing that a thread does in a region that is left to the OpenMP runtime: it is to sleep behind it, instead
/// of looking for the next one, where takt uses the CPUs.
TAKT_EXPORT void takt_omp_kept_ends(void) noexcept;
/// Called before main by files in which a function looks at the identity of its thread. `who`: which one, and how.
TAKT_EXPORT void takt_omp_threads_matter(const char* who) noexcept;
}
