// A second copy of loops over short rows. See "Chunks of short rows" in plugin/loops/README.md.
#include "tuning/rows.hpp"

#include "tuning.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace takt_plugin {

using namespace llvm;

namespace {

constexpr const char* k_mark = "takt.free";
constexpr const char* k_here = "takt.here";

// A loop is free if it takes less than an eighth of the time between polls, which is as long as chunks are meant to be.
// This many leave room for chunks that are longer, and for rows whose entries cost more than those of others.
constexpr unsigned k_free_loops_in_chunk_log2 = 5;

// Of a loop over rows, with everything in it.
constexpr unsigned k_most_instructions = 200;

// Rows are claimed for about two microseconds: so many on, the bound is in a later claim.
constexpr std::uint64_t k_rows_ahead = 256;

// Of one function: each takes time in proportion to the function's length.
constexpr unsigned k_most_copies = 16;

// Rows that all have the same length get a copy where they are inside others that are in a slice's chunk. In the chunk
// itself such rows are those of a dense array: few and long.
constexpr unsigned k_inner_rows_depth = 3;

/// Where a row asks whether it is free.
struct question {
  ICmpInst* compares;
  LoadInst* bound;  // site::free_past or site::free_below
  Value* length;    // what is compared with it: begin - end, or end - begin
  bool negative;    // begin - end
};

/// The rows of a loop that begin where the one before ends; or that all have the same length.
struct extent {
  Value* begin;   // of the first row; or, if that is in the loop, what loads where a row begins; or of each
  LoadInst* end;  // loads where a row ends; null: all have the same length
};

std::optional<question> question_of(LoadInst& load) {
  MDNode* mark = load.getMetadata(k_mark);
  if (mark == nullptr || !load.hasOneUse()) return std::nullopt;
  auto* compares = dyn_cast<ICmpInst>(load.user_back());
  if (compares == nullptr || compares->isEquality() || compares->isSigned()) return std::nullopt;
  Value* length = compares->getOperand(compares->getOperand(0) == &load ? 1 : 0);
  return question{compares, &load, length, mark->getNumOperands() != 0};
}

SmallVector<question> questions_in(Function& function) {
  SmallVector<question> asked;
  for (Instruction& instruction : instructions(function)) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (auto one = question_of(*load)) asked.push_back(*one);
    }
  }
  return asked;
}

/// What is loaded ahead of its time would be reported.
bool is_sanitized(const Function& function) {
  const auto kinds = {Attribute::SanitizeThread, Attribute::SanitizeAddress, Attribute::SanitizeMemory,
                      Attribute::SanitizeHWAddress, Attribute::SanitizeMemTag};
  return any_of(kinds, [&](Attribute::AttrKind kind) { return function.hasFnAttribute(kind); });
}

/// What the comparison gives for a row that is free.
bool answer_if_free(const question& asked) {
  const bool bound_is_left = asked.compares->getOperand(0) == asked.bound;
  const auto predicate = bound_is_left ? asked.compares->getSwappedPredicate() : asked.compares->getPredicate();
  const bool is_greater = predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_UGE;
  return is_greater == asked.negative;
}

/// Whether each iteration comes to its end, as far as the rows themselves do: nothing leaves the loop, or stays in it.
bool always_goes_on(const Loop& rows, LoopInfo& loops, ScalarEvolution& evolution) {
  LoopBlocksRPO order(const_cast<Loop*>(&rows));
  order.perform(&loops);
  // Not all cycles are loops.
  if (containsIrreducibleCFG<BasicBlock*, LoopBlocksRPO, LoopInfo>(order, loops)) return false;
  for (const Loop* inner : rows.getLoopsInPreorder()) {
    if (inner != &rows && isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(inner))) return false;
  }
  for (BasicBlock* block : rows.blocks()) {
    for (Instruction& instruction : *block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee != nullptr && callee->getName() == "takt_omp_ask") continue;
      if (callee != nullptr && callee->getName() == "takt_omp_run" && call->hasMetadata(k_here)) continue;
      if (!isGuaranteedToTransferExecutionToSuccessor(&instruction)) return false;
    }
  }
  return true;
}

/// The loop over rows, made ready for a copy; and what is known of it.
class row_loop {
 public:
  row_loop(Loop& rows, DominatorTree& dominators, LoopInfo& loops, ScalarEvolution& evolution)
      : rows_(rows), dominators_(dominators), loops_(loops), evolution_(evolution) {}

  /// Whether the loop has the shape that split() needs.
  bool is_simple() const {
    if (!rows_.isLoopSimplifyForm() || rows_.getExitingBlock() == nullptr || rows_.getUniqueExitBlock() == nullptr) {
      return false;
    }
    if (rows_.getExitingBlock() != rows_.getLoopLatch()) return false;
    unsigned instructions = 0;
    for (BasicBlock* block : rows_.blocks()) {
      if (block->isEHPad() || block->hasAddressTaken()) return false;
      instructions += static_cast<unsigned>(block->sizeWithoutDebug());
      for (Instruction& instruction : *block) {
        if (isa<AllocaInst>(instruction)) return false;
        auto* call = dyn_cast<CallBase>(&instruction);
        if (call != nullptr && (call->cannotDuplicate() || call->isConvergent())) return false;
      }
    }
    return instructions <= k_most_instructions;
  }

  /// Of rows that say by what they load that each begins where the one before ends.
  std::optional<extent> extent_of(const question& asked) {
    if (isa<SCEVCouldNotCompute>(last_iteration()) || !is_known_before(last_iteration())) return std::nullopt;
    if (rows_.isLoopInvariant(asked.length)) {
      if (rows_.getLoopDepth() < k_inner_rows_depth) return std::nullopt;
      return extent{asked.length, nullptr};
    }
    SmallVector<Value*> parts;
    find_parts(asked.length, parts, 0);
    if (parts.size() != 2) return std::nullopt;
    for (unsigned which : {0U, 1U}) {
      auto* end = dyn_cast<LoadInst>(parts[which]);
      if (end == nullptr || !end->getType()->isIntegerTy() || !loads_in_each_iteration(*end)) continue;
      if (auto* kept = dyn_cast<PHINode>(parts[1 - which])) {
        const bool is_end_before =
            kept->getParent() == rows_.getHeader() && kept->getIncomingValueForBlock(rows_.getLoopLatch()) == end;
        if (is_end_before) return extent{kept->getIncomingValueForBlock(rows_.getLoopPreheader()), end};
      } else if (auto* begin = dyn_cast<LoadInst>(parts[1 - which])) {
        if (begin->getType() != end->getType() || !loads_in_each_iteration(*begin)) continue;
        if (address_of(*end) == address_of(*begin)->getPostIncExpr(evolution_)) return extent{begin, end};
      }
    }
    return std::nullopt;
  }

  /// Puts two copies of the loop behind a test of whether all the rows are short, and answers the questions in one.
  void split(ArrayRef<std::pair<question, extent>> rows) {
    formLCSSARecursively(rows_, dominators_, &loops_, &evolution_);
    BasicBlock* before = rows_.getLoopPreheader();
    BasicBlock* exit = rows_.getUniqueExitBlock();
    SCEVExpander expander(evolution_, before->getModule()->getDataLayout(), "takt.rows");
    expander.setInsertPoint(before->getTerminator());
    IRBuilder<> b(before->getTerminator());
    Value* all_short = nullptr;
    for (const auto& [asked, found] : rows) {
      Value* is_short = together_short(b, expander, asked, found);
      all_short = all_short == nullptr ? is_short : b.CreateAnd(all_short, is_short);
    }
    const SmallVector<walk> walks = addresses_of_rows(expander);
    BasicBlock* asking = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    ValueToValueMapTy copies;
    SmallVector<BasicBlock*> free_blocks;
    SmallVector<BasicBlock*> blocks{asking};
    blocks.append(rows_.block_begin(), rows_.block_end());
    for (BasicBlock* block : blocks) {
      BasicBlock* copy = CloneBasicBlock(block, copies, ".free", before->getParent());
      copies[block] = copy;
      free_blocks.push_back(copy);
    }
    remapInstructionsInBlocks(free_blocks, copies);
    for (PHINode& value : exit->phis()) {
      Value* out = value.getIncomingValueForBlock(rows_.getExitingBlock());
      auto mapped = copies.find(out);
      value.addIncoming(mapped != copies.end() ? static_cast<Value*>(mapped->second) : out,
                        cast<BasicBlock>(copies[rows_.getExitingBlock()]));
    }
    before->getTerminator()->eraseFromParent();
    b.SetInsertPoint(before);
    // The registers are for the free copy: without weights both count alike, and it reads addresses from the stack.
    MDNode* const mostly = MDBuilder(before->getContext()).createBranchWeights(2000, 1);
    b.CreateCondBr(all_short, free_blocks.front(), asking, mostly);
    for (BasicBlock* block : free_blocks) own_loop_metadata(*block);
    for (const walk& address : walks) walk_by_addition(address, copies);
    for (const auto& [asked, found] : rows) {
      auto* bound = cast<LoadInst>(copies[asked.bound]);
      auto* compares = cast<ICmpInst>(copies[asked.compares]);
      compares->replaceAllUsesWith(ConstantInt::getBool(compares->getContext(), answer_if_free(asked)));
      compares->eraseFromParent();
      bound->eraseFromParent();  // which LLVM does not do, as it is atomic
    }
    for (BasicBlock* block : free_blocks) ConstantFoldTerminator(block);
    remove_unreachable(free_blocks);
    give_registers(free_blocks);
  }

 private:
  /// An address that moves on by the same distance from row to row.
  struct walk {
    GetElementPtrInst* address;
    Value* first;
    Value* distance;
  };

  /// Where the entries of a row begin if that is a product with the row's number, as in a matrix.
  SmallVector<walk> addresses_of_rows(SCEVExpander& expander) const {
    SmallVector<walk> found;
    for (BasicBlock* block : rows_.blocks()) {
      if (loops_.getLoopFor(block) != &rows_) continue;
      for (Instruction& instruction : *block) {
        auto* address = dyn_cast<GetElementPtrInst>(&instruction);
        if (address == nullptr || !address->getType()->isPointerTy() || address->getAddressSpace() != 0) continue;
        if (none_of(address->users(), [&](const User* user) { return is_in_inner_loop(*cast<Instruction>(user)); }))
          continue;
        auto* moves = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(address));
        if (moves == nullptr || moves->getLoop() != &rows_ || !moves->isAffine()) continue;
        const SCEV* distance = moves->getStepRecurrence(evolution_);
        if (isa<SCEVConstant>(distance) || !is_known_before(moves->getStart()) || !is_known_before(distance)) continue;
        Value* first = expander.expandCodeFor(moves->getStart(), address->getType());
        found.push_back({address, first, expander.expandCodeFor(distance)});
      }
    }
    return found;
  }

  bool is_in_inner_loop(const Instruction& instruction) const {
    return rows_.contains(&instruction) && loops_.getLoopFor(instruction.getParent()) != &rows_;
  }

  /// An addition in place of a product; and, mostly, two values less in registers.
  void walk_by_addition(const walk& made, ValueToValueMapTy& copies) const {
    auto* address = cast<Instruction>(copies[made.address]);
    auto* header = cast<BasicBlock>(copies[rows_.getHeader()]);
    auto* latch = cast<BasicBlock>(copies[rows_.getLoopLatch()]);
    IRBuilder<> b(header, header->begin());
    PHINode* at = b.CreatePHI(address->getType(), 2);
    b.SetInsertPoint(latch->getTerminator());
    at->addIncoming(made.first, cast<BasicBlock>(copies[rows_.getLoopPreheader()]));
    at->addIncoming(b.CreateGEP(b.getInt8Ty(), at, made.distance), latch);
    address->replaceAllUsesWith(at);
    RecursivelyDeleteTriviallyDeadInstructions(address);
  }

  const SCEV* last_iteration() const { return evolution_.getBackedgeTakenCount(&rows_); }

  /// Whether it can be computed before the loop.
  bool is_known_before(const SCEV* value) const {
    Instruction* at = rows_.getLoopPreheader()->getTerminator();
    return SCEVExpander(evolution_, at->getModule()->getDataLayout(), "").isSafeToExpandAt(value, at);
  }

  /// Null, unless it moves on by the same distance from row to row.
  const SCEVAddRecExpr* address_of(const LoadInst& load) {
    auto* address = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Value*>(load.getPointerOperand())));
    return address != nullptr && address->getLoop() == &rows_ && address->isAffine() ? address : nullptr;
  }

  /// What is loaded there in the iteration with this number.
  Value* load_ahead(IRBuilder<>& b, SCEVExpander& expander, const LoadInst& load, const SCEV* iteration) {
    const SCEV* address = address_of(load)->evaluateAtIteration(iteration, evolution_);
    Value* at = expander.expandCodeFor(address, load.getPointerOperandType());
    LoadInst* ahead = b.CreateAlignedLoad(load.getType(), at, load.getAlign());
    ahead->setAAMetadata(load.getAAMetadata());
    return ahead;
  }

  /// The last bound of the next chunk, if it is as long as this one: waiting for it took 2% of the time of short rows.
  void fetch(IRBuilder<>& b, SCEVExpander& expander, const LoadInst& load, const SCEV* iteration) {
    if (load.getPointerAddressSpace() != 0) return;  // the code generator has none for others
    const SCEV* address = address_of(load)->evaluateAtIteration(iteration, evolution_);
    Value* at = expander.expandCodeFor(address, load.getPointerOperandType());
    b.CreateIntrinsic(Intrinsic::prefetch, {at->getType()}, {at, b.getInt32(0), b.getInt32(3), b.getInt32(1)});
  }

  /// What changes from row to row in a difference of two values.
  void find_parts(Value* value, SmallVectorImpl<Value*>& parts, unsigned depth) const {
    constexpr unsigned k_deepest = 6;
    auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || depth > k_deepest) return;
    const bool is_sum = isa<ZExtInst>(instruction) || isa<SExtInst>(instruction) || isa<TruncInst>(instruction) ||
                        instruction->getOpcode() == Instruction::Add || instruction->getOpcode() == Instruction::Sub ||
                        instruction->getOpcode() == Instruction::Xor;
    if (!is_sum) {
      if (!is_contained(parts, value)) parts.push_back(value);
      return;
    }
    for (Value* operand : instruction->operands()) find_parts(operand, parts, depth + 1);
  }

  /// Whether the loop's last iteration, too, is sure to load this, from an address that is known before the loop.
  bool loads_in_each_iteration(const LoadInst& load) {
    if (!load.isSimple() || !dominators_.dominates(load.getParent(), rows_.getLoopLatch())) return false;
    return address_of(load) != nullptr && is_known_before(address_of(load)->getStart()) &&
           is_known_before(address_of(load)->getStepRecurrence(evolution_)) &&
           always_goes_on(rows_, loops_, evolution_);
  }

  Value* together_short(IRBuilder<>& b, SCEVExpander& expander, const question& asked, const extent& found) {
    Type* word = asked.bound->getType();
    auto* bound = cast<LoadInst>(b.Insert(asked.bound->clone()));
    bound->setMetadata(k_mark, nullptr);
    // free_past is 2^64 - free_below, but 2^64 - 1 where nothing is free.
    Value* below = asked.negative ? b.CreateNot(bound) : bound;
    Value* most = b.CreateShl(below, k_free_loops_in_chunk_log2);
    if (found.end == nullptr) {
      const SCEV* last = evolution_.getTruncateOrZeroExtend(last_iteration(), word);
      const SCEV* at_most = evolution_.getConstant(word, std::numeric_limits<std::uint32_t>::max() - 1);
      const SCEV* rows = evolution_.getAddExpr(evolution_.getUMinExpr(last, at_most), evolution_.getOne(word));
      Value* length = b.CreateFreeze(asked.negative ? b.CreateNeg(found.begin) : found.begin);
      // No overflow: what is below the bound is not as long as that, either.
      Value* sum = b.CreateMul(length, expander.expandCodeFor(rows, word));
      return b.CreateAnd(b.CreateICmpULT(length, below), b.CreateICmpULT(sum, most));
    }
    Type* number = evolution_.getEffectiveSCEVType(found.end->getPointerOperandType());
    const SCEV* last = evolution_.getTruncateOrZeroExtend(last_iteration(), number);
    Value* end = load_ahead(b, expander, *found.end, last);
    const SCEV* rows = evolution_.getAddExpr(last, evolution_.getOne(number));
    const SCEV* ahead = evolution_.getUMaxExpr(rows, evolution_.getConstant(number, k_rows_ahead));
    fetch(b, expander, *found.end, evolution_.getAddExpr(last, ahead));
    auto* begins = dyn_cast<LoadInst>(found.begin);
    const bool is_in_loop = begins != nullptr && rows_.contains(begins);
    Value* begin = is_in_loop ? load_ahead(b, expander, *begins, evolution_.getZero(number)) : found.begin;
    Value* sum = b.CreateFreeze(b.CreateSub(end, begin));
    return b.CreateICmpULT(b.CreateZExtOrTrunc(sum, word), most);
  }

  /// Of the blocks of the free copy, whose first is the way in.
  static void remove_unreachable(SmallVectorImpl<BasicBlock*>& blocks) {
    const SmallPtrSet<BasicBlock*, 16> copied(blocks.begin(), blocks.end());
    SmallSetVector<BasicBlock*, 16> reached;
    reached.insert(blocks.front());
    for (unsigned i = 0; i < reached.size(); ++i) {
      for (BasicBlock* next : successors(reached[i])) {
        if (copied.contains(next)) reached.insert(next);
      }
    }
    SmallVector<BasicBlock*> dead;
    for (BasicBlock* block : blocks) {
      if (!reached.contains(block)) dead.push_back(block);
    }
    DeleteDeadBlocks(dead);
    blocks.assign(reached.begin(), reached.end());
  }

  /// Addresses from before the loop become values of the free copy's own. It contains no call, so they may be in
  /// registers that calls do not preserve; LLVM's allocator does not always part them from what lives across the calls
  /// of the other copy, and between chunks.
  static void give_registers(ArrayRef<BasicBlock*> blocks) {
    MapVector<Value*, SmallVector<Use*>> addresses;
    for (BasicBlock* block : blocks) {
      for (Instruction& instruction : *block) {
        if (isa<PHINode>(instruction)) continue;
        for (Use& use : instruction.operands()) {
          if (is_address_from_before(*use, blocks)) addresses[use.get()].push_back(&use);
        }
      }
    }
    IRBuilder<> b(blocks.front(), blocks.front()->getFirstInsertionPt());
    for (auto& [address, uses] : addresses) {
      auto* type = FunctionType::get(address->getType(), {address->getType()}, false);
      CallInst* own = b.CreateCall(InlineAsm::get(type, "", "=r,0", false), {address});
      own->setDoesNotAccessMemory();
      own->setDoesNotThrow();
      own->addFnAttr(Attribute::WillReturn);
      for (Use* use : uses) use->set(own);
    }
  }

  /// Only what was loaded or passed, and not from a global: LLVM's analysis of globals looks at the module once, and
  /// what it found then, that a value out of nowhere does not point to a static array, would not be true of a copy.
  static bool is_address_from_before(Value& value, ArrayRef<BasicBlock*> blocks) {
    if (!value.getType()->isPointerTy() || value.getType()->getPointerAddressSpace() != 0) return false;
    auto* made = dyn_cast<Instruction>(&value);
    if (made == nullptr ? !isa<Argument>(value) : is_contained(blocks, made->getParent())) return false;
    SmallVector<const Value*> objects;
    getUnderlyingObjects(&value, objects);
    return all_of(objects, [](const Value* object) {
      auto* load = dyn_cast<LoadInst>(object);
      return isa<Argument>(object) || (load != nullptr && !isa<Constant>(load->getPointerOperand()));
    });
  }

  /// Copies of loops have the same node; what a pass says of one of them is not true of the other.
  static void own_loop_metadata(BasicBlock& block) {
    MDNode* node = block.getTerminator()->getMetadata(LLVMContext::MD_loop);
    if (node == nullptr) return;
    SmallVector<Metadata*> parts{nullptr};
    for (unsigned i = 1; i < node->getNumOperands(); ++i) parts.push_back(node->getOperand(i));
    MDNode* own = MDNode::getDistinct(block.getContext(), parts);
    own->replaceOperandWith(0, own);
    block.getTerminator()->setMetadata(LLVMContext::MD_loop, own);
  }

  Loop& rows_;
  DominatorTree& dominators_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
};

enum class visit { nothing_left, no_copy, copy };

Loop* loop_of(const question& asked, const LoopInfo& loops) { return loops.getLoopFor(asked.compares->getParent()); }

/// Of loops inside one another the innermost: copies of copies would be many. Null if no loop asks.
Loop* innermost_that_asks(ArrayRef<question> asked, const LoopInfo& loops) {
  for (const question& one : asked) {
    Loop* rows = loop_of(one, loops);
    if (rows != nullptr && none_of(asked, [&](const question& other) {
          return loop_of(other, loops) != rows && rows->contains(loop_of(other, loops));
        })) {
      return rows;
    }
  }
  return nullptr;
}

/// Looks at one loop, takes the marks off what need not be looked at again, and gives it its second copy.
visit split_one(Function& function, FunctionAnalysisManager& analyses) {
  SmallVector<question> asked = questions_in(function);
  if (asked.empty()) return visit::nothing_left;
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto& assumptions = analyses.getResult<AssumptionAnalysis>(function);
  Loop* rows = innermost_that_asks(asked, loops);
  if (rows == nullptr) return visit::nothing_left;
  if (simplifyLoop(rows, &dominators, &loops, &evolution, &assumptions, nullptr, false)) {
    // Where it merges exits, a comparison has gone, and its copy is in another block.
    asked = questions_in(function);
  }
  row_loop loop(*rows, dominators, loops, evolution);
  SmallVector<std::pair<question, extent>> found;
  for (const question& one : asked) {
    if (loop_of(one, loops) != rows || !rows->contains(one.bound) || !loop.is_simple()) continue;
    if (auto extent = loop.extent_of(one)) found.push_back({one, *extent});
  }
  // Looked at once, whether or not it got a copy. Nor do the loops around this one get any.
  for (const question& one : asked) {
    Loop* around = loop_of(one, loops);
    if (around == nullptr || around->contains(rows)) one.bound->setMetadata(k_mark, nullptr);
  }
  if (found.empty()) return visit::no_copy;
  loop.split(found);
  return visit::copy;
}

}  // namespace

void mark_free_bound(LoadInst& load, bool negative) {
  LLVMContext& context = load.getContext();
  load.setMetadata(k_mark,
                   negative ? MDNode::get(context, MDString::get(context, "negative")) : MDNode::get(context, {}));
}

void mark_run_here(CallInst& run) { run.setMetadata(k_here, MDNode::get(run.getContext(), {})); }

PreservedAnalyses free_rows::run(Function& function, FunctionAnalysisManager& analyses) {
  if (is_sanitized(function)) return PreservedAnalyses::all();
  bool changed = false;
  for (unsigned copies = 0; copies < k_most_copies;) {
    const visit done = split_one(function, analyses);
    if (done == visit::nothing_left) break;
    changed = true;
    if (done != visit::copy) continue;
    ++copies;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace takt_plugin
