// What Clang makes of a parallel loop: an outlined function that asks the OpenMP runtime for its part of the
// iterations. Recognised by the calls alone, whose meaning is the interface of the OpenMP runtime.
#pragma once

#include "openmp/refusal.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace takt_plugin {

using block_set = llvm::SmallPtrSet<llvm::BasicBlock*, 32>;

/// The blocks that code may come to when it leaves this one.
block_set blocks_behind(const llvm::BasicBlock& block);
/// Adds the blocks that nothing comes to but by `first`, which is one of them.
void add_dominated(const llvm::BasicBlock& first, const llvm::DominatorTree& tree,
                   llvm::SmallPtrSetImpl<llvm::BasicBlock*>& blocks);

/// A reduction variable's private copy.
struct reduction_part {
  llvm::AllocaInst* copy;
  std::uint64_t bytes;  ///< of all of it, or of one of its `length` elements
  llvm::Align align;
  /// The number of elements, if it is known only at run time: the list of variables has it behind the copy. Else null.
  llvm::Value* length = nullptr;
  /// The program's variable, if the operator is one of the language's: the copy may start from its value then, instead
  /// of the operator's identity, where nobody else combines into it. Else null.
  llvm::Value* variable = nullptr;
  llvm::Align variable_align{1};
  llvm::Instruction* operation = nullptr;  ///< what puts the variable and the copy together, if `variable` is known
};

/// A parallel region that consists of one worksharing loop.
struct region {
  llvm::Function* outlined = nullptr;
  llvm::CallInst* init = nullptr;  ///< __kmpc_for_static_init_* or __kmpc_dispatch_init_*
  llvm::CallInst* fini = nullptr;  ///< __kmpc_for_static_fini or __kmpc_dispatch_deinit; null: none
  llvm::CallInst* next = nullptr;  ///< __kmpc_dispatch_next_*; null: a static schedule
  llvm::CallInst* reduce = nullptr;
  block_set atomic_way;  ///< how the OpenMP runtime may ask for a reduction to be combined, and takt never does
  std::vector<llvm::CallInst*> dropped;  ///< calls that mean nothing to a slice
  llvm::AllocaInst* last = nullptr;      ///< out: 1 for who runs the last iteration
  llvm::AllocaInst* lower = nullptr;     ///< in and out
  llvm::AllocaInst* upper = nullptr;     ///< in and out, inclusive
  llvm::AllocaInst* stride = nullptr;
  std::vector<reduction_part> parts;
  /// Where the iterations look at the number of their thread: calls, and loads of variables that were given one in front
  /// of the loop. The slice has a number.
  std::vector<llvm::Instruction*> numbers;
  bool has_epilogue = false;  ///< code behind the loop has effects, by what its thread's iterations left
  bool is_sized = false;      ///< has a part of variable length
  bool is_chunked = false;    ///< static, with chunks dealt out in turn
  unsigned chunk = 0;        ///< the operand of `init` that has the length of a chunk that stays on one thread; 0: none
  bool is_unsigned = false;  ///< the iterations are counted in an unsigned variable

  llvm::IntegerType* index() const { return llvm::cast<llvm::IntegerType>(lower->getAllocatedType()); }
};

/// The blocks between the start of the loop and its end, both included.
void collect_iterations(const region& found, llvm::SmallPtrSetImpl<llvm::BasicBlock*>& inside);

/// The blocks that only who runs the last iteration runs: those behind a test of `last`.
void collect_last(llvm::AllocaInst& last, const llvm::DominatorTree& tree,
                  llvm::SmallPtrSetImpl<llvm::BasicBlock*>& once);

/// Where a parallel region starts.
struct site {
  llvm::CallInst* fork = nullptr;
  llvm::Function* outlined = nullptr;
  llvm::CallInst* push_threads = nullptr;  ///< num_threads
  // if(...) is false: the outlined function is called directly between two calls of the OpenMP runtime.
  llvm::CallInst* serial = nullptr;
  llvm::CallInst* serial_begin = nullptr;
  llvm::CallInst* serial_end = nullptr;
};

/// Where an outlined function looks at what it is told about its thread. @returns false when that goes anywhere but
/// back to the OpenMP runtime.
bool find_numbers(llvm::Function& outlined, llvm::SmallVectorImpl<llvm::LoadInst*>& numbers);

/// num_threads, unless a constant above 1; null: there is none.
llvm::Value* threads_asked_for(const site& where);

/// Splits at `at` by whether the number of threads is 1. @returns where it is, and where it is not.
std::pair<llvm::Instruction*, llvm::Instruction*> split_by_threads(llvm::Value& threads, llvm::Instruction& at);
/// Splits at the start of a region by whether code in the process looks at the identity of threads.
/// @returns where it does not; and where it does a copy of the start, to which num_threads goes.
std::pair<llvm::Instruction*, llvm::CallInst*> split_by_identity(const site& where);

/// Every other start of a parallel region, with what belongs to it, in functions that somebody uses or that are
/// `awake`.
std::vector<site> find_sites(llvm::Module& module, const std::set<const llvm::Function*>& awake = {});
/// The direct call of `outlined` between calls that begin and end a serial region.
void find_serial(site& where, llvm::Function& outlined);

/// The blocks that combine private copies into the program's variables: those that only an answer of the OpenMP runtime
/// to `reduce` leads to, or one answer: 1, one thread combines; 2, each does, with atomics.
void collect_combination(const llvm::CallBase& reduce, const llvm::DominatorTree& tree,
                         llvm::SmallPtrSetImpl<llvm::BasicBlock*>& blocks, std::optional<unsigned> answer = {});

/// The private copies that `found.reduce` combines. @returns why they are not recognised.
refusal read_parts(region& found, const llvm::DominatorTree& tree);

}  // namespace takt_plugin
