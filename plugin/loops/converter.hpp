// The rewriting of one loop. See "The rewriting" in README.md beside this file.
#pragma once

#include "loops/rewriting.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

namespace takt_plugin {

/// Makes two functions of an outlined function, and sometimes a third: the entry, which runs a short loop in place, and
/// the slice, which runs chunks.
class converter {
 public:
  converter(const site& where, const region& found, const conversion& how);
  void run();

 private:
  bool may_be_team_of_one() const { return where_.serial != nullptr || threads_asked_for(where_) != nullptr; }

  // converter.cpp: what both copies need, and the calls of the entry
  static region in_copy(const llvm::ValueToValueMapTy& copies, const region& original);
  void make_site();
  llvm::Function* copy_outlined(llvm::Twine suffix, llvm::ArrayRef<llvm::Type*> parameters,
                                llvm::ValueToValueMapTy& copies, bool from_environment);
  void drop_calls(const region& copy, llvm::Value* frame);
  void give_number(const region& copy, llvm::Value* frame);
  void copy_variable(llvm::IRBuilder<>& b, llvm::Type* type, std::uint64_t bytes, llvm::Value* to, llvm::Align to_align,
                     llvm::Value* from, llvm::Align from_align);
  void copy_variable(llvm::IRBuilder<>& b, const llvm::AllocaInst& like, llvm::Value* to, llvm::Align to_align,
                     llvm::Value* from, llvm::Align from_align);
  void call_entry(llvm::Function& entry, llvm::Function* serial);
  void call(llvm::CallInst& before, unsigned shift, llvm::Function& entry);
  llvm::Value* threads_wanted(llvm::IRBuilder<>& b) const;
  llvm::FunctionCallee runtime(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);
  static llvm::Value* field(llvm::IRBuilder<>& b, llvm::Value* of, std::size_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), of, offset);
  }

  // slices.cpp
  void make_slice();
  void begin_slice(llvm::IRBuilder<>& b, const region& copy, llvm::Value* frame, llvm::Value* cells);
  llvm::Value* end_slice(llvm::IRBuilder<>& b, const region& copy, llvm::Value* frame);
  void take_room(const reduction_part& part, llvm::Value* frame);
  void claim_each(const region& copy, llvm::StoreInst& step, llvm::Value* frame, llvm::BasicBlock* ask);
  void emit_next(const region& copy, llvm::Value* frame, llvm::Value* base, llvm::BasicBlock* more,
                 llvm::BasicBlock* done, llvm::IRBuilder<>& b);
  static void set_bounds(llvm::IRBuilder<>& b, const region& copy, llvm::Value* base, llvm::Value* begin,
                         llvm::Value* end);

  // entries.cpp
  /// What nests has no cost that the credit could cover; in the middle of a nest it may be free.
  bool always_asks() const { return how_.nests && !(how_.middle && how_.optimise); }
  bool runs_in_slice() const;
  llvm::Function* make_entry(bool serial);
  llvm::Function* make_entry_of_pooled();
  /// Whether the entry is told, in its last parameter, how many threads the region asks for: 0, it does not.
  bool takes_threads() const { return how_.pooled || (how_.open && where_.push_threads != nullptr); }
  static llvm::Value* threads_of(llvm::Function& entry) { return entry.arg_end() - 1; }
  llvm::SmallVector<llvm::Type*> parameters_of_entry(bool serial) const;
  llvm::Value* count_of(llvm::IRBuilder<>& b, const region& copy, llvm::Value* lower, llvm::Value* upper);
  llvm::Value* spend(llvm::IRBuilder<>& b, llvm::Value* units);
  llvm::Instruction* charge(llvm::IRBuilder<>& b, const region& copy, llvm::Instruction& loop, llvm::Value*& count,
                            llvm::Value*& units);
  llvm::Value* ask(llvm::IRBuilder<>& b, llvm::Value* count, llvm::Value* units);
  llvm::Value* find_way(llvm::IRBuilder<>& b, const region& copy, llvm::Value* count);
  bool writes_copies_only() const;
  void run_slow(llvm::IRBuilder<>& b, llvm::Value* count, llvm::Value* way, const llvm::DebugLoc& where,
                llvm::Function& entry);
  void move_parts(llvm::IRBuilder<>& b, const region& copy, bool back);

  const site& where_;
  const region& found_;
  const conversion how_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::IntegerType* word_;
  llvm::PointerType* pointer_;
  std::vector<captured> captures_;
  llvm::StructType* environment_ = nullptr;
  const bool may_be_cancelled_;
  llvm::GlobalVariable* site_ = nullptr;
  llvm::GlobalVariable* loop_ = nullptr;
  llvm::Function* slice_ = nullptr;
  std::uint64_t part_bytes_ = 0;
  llvm::Align part_align_{8};
  // Of a slice that claims its iterations one by one; else null.
  llvm::AllocaInst* at_ = nullptr;       ///< the number of the next iteration
  llvm::AllocaInst* claimed_ = nullptr;  ///< the first that is not claimed
};

}  // namespace takt_plugin
