// Scratch arrays of regions. See "Scratch" in README.md beside this file.
#include "teams/scratch.hpp"

#include "openmp/pointers.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <optional>

namespace takt_plugin {

using namespace llvm;

namespace {

/// Larger variables are not followed: each state of a walk has a bit for each byte.
constexpr std::uint64_t k_most_bytes = 8192;
/// Instructions that the walks for one answer look at, and places that one of them comes to: some hundredths of a
/// second.
constexpr unsigned k_most_steps = 1u << 19;
constexpr std::size_t k_most_places = 1u << 15;
/// Sets of known counters with which a walk comes to one block; those beyond are taken together.
constexpr unsigned k_most_states = 4096;
/// Calls inside calls.
constexpr unsigned k_most_depth = 4;
/// Operations between a load and where its value is used.
constexpr unsigned k_most_operations = 8;

/// What is known of a value: a number, or an address, as its distance from the variable's. Null: nothing.
struct known_value {
  ConstantInt* number = nullptr;
  bool is_address = false;
  explicit operator bool() const { return number != nullptr; }
  bool operator==(const known_value& other) const { return number == other.number && is_address == other.is_address; }
  bool operator<(const known_value& other) const {
    return std::pair(number, is_address) < std::pair(other.number, other.is_address);
  }
};

/// What is known of a function's own variables that are nothing but numbers or addresses.
using known_slots = std::map<AllocaInst*, known_value>;

/// What all walks that answer one question have in common.
struct shared_by_walks {
  effects_of_functions& known;
  const DataLayout& layout;
  unsigned steps = k_most_steps;
  std::map<Argument*, accesses> of_parameters;
};

/// Follows the ways through one function, and which bytes of the variable are written on all ways to a place. A place
/// is a block together with the counters known there, so that a loop of constant length is walked as often as it runs.
class walk {
 public:
  /// `root`: the variable, or the parameter that has its address plus `base`.
  walk(shared_by_walks& asked, Function& function, Value& root, std::int64_t base, const accesses& all, unsigned depth)
      : asked_(asked), root_(root), base_(base), all_(all), depth_(depth) {
    find_slots(function);
  }

  /// @returns false: a byte that has not been written since may be read, or it is not known.
  bool run(Instruction& from, const BitVector& written);

  /// What the parameters are.
  void give(Argument& parameter, known_value value) { values_[&parameter] = value; }
  /// The parts of a region.
  void divide(const constructs& parts);
  /// Where nothing is in the variable any more.
  void end_at(Instruction& marker) { ends_.insert(&marker); }
  /// What is written on all ways to a return; empty: there is no way.
  const std::optional<BitVector>& at_return() const { return at_return_; }

 private:
  struct state {
    BitVector written;
    bool open = false;
  };
  using place = std::pair<BasicBlock*, known_slots>;

  void find_slots(Function& function);
  bool execute(Instruction& from, known_slots slots, BitVector written);
  bool touch(Instruction& instruction, const access& how, BitVector& written, bool& ends);
  bool read(std::optional<std::int64_t> begin, std::uint64_t bytes, const BitVector& written) const;
  bool step_into(CallBase& call, const access& how, BitVector& written, bool& ends);
  known_value value_of(Value* value, unsigned depth = 0);
  known_value result_of(Instruction& instruction, unsigned depth);
  known_value address_of(GEPOperator& element, unsigned depth);
  std::optional<std::int64_t> offset_of(Value* pointer);
  void forget_counters(Value* condition, known_slots& slots) const;
  void leave_for(Instruction& end, const known_slots& slots, const BitVector& written, const BitVector& unwound);
  void leave(const construct& part, known_slots& slots, BitVector& written) const;
  void go_to(BasicBlock& from, BasicBlock& to, known_slots slots, BitVector written);

  shared_by_walks& asked_;
  Value& root_;
  const std::int64_t base_;
  const accesses& all_;
  const unsigned depth_;
  const constructs* parts_ = nullptr;
  DenseMap<const Instruction*, const construct*> loops_;  ///< by where they end
  SmallPtrSet<const construct*, 8> writers_;              ///< those that write the variable
  block_set leading_;                         ///< where the variable may still be used
  SmallPtrSet<Instruction*, 8> ends_;
  SmallPtrSet<AllocaInst*, 16> slots_;
  std::map<Value*, known_value> values_;  ///< of parameters, and of what the block that is executed has computed
  std::map<place, state> states_;
  DenseMap<BasicBlock*, unsigned> visits_;
  std::map<BasicBlock*, known_slots> widened_;
  SmallVector<std::pair<const place, state>*> open_;
  std::optional<BitVector> at_return_;
};

/// Variables that are only loaded and stored, as a whole.
void walk::find_slots(Function& function) {
  for (Instruction& instruction : function.getEntryBlock()) {
    auto* slot = dyn_cast<AllocaInst>(&instruction);
    if (slot == nullptr || slot == &root_ || !slot->isStaticAlloca() || slot->isArrayAllocation()) continue;
    Type* type = slot->getAllocatedType();
    if (!type->isPointerTy() && !(type->isIntegerTy() && type->getIntegerBitWidth() <= 64)) continue;
    const bool is_simple = all_of(slot->users(), [&](User* user) {
      if (is_marker(*user)) return true;
      auto* load = dyn_cast<LoadInst>(user);
      auto* store = dyn_cast<StoreInst>(user);
      if (load != nullptr) return load->isSimple() && load->getType() == type;
      return store != nullptr && store->isSimple() && store->getValueOperand() != slot &&
             store->getValueOperand()->getType() == type;
    });
    if (is_simple) slots_.insert(slot);
  }
}

void walk::divide(const constructs& parts) {
  parts_ = &parts;
  for (const construct& part : parts) {
    if (part.is_loop()) loops_[part.end] = &part;
  }
  SmallVector<BasicBlock*> open;
  for (const auto& [at, how] : all_) {
    open.push_back(at->getParent());
    for (const construct& part : parts) {
      if (how.writes && part.contains(*at)) writers_.insert(&part);
    }
  }
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (leading_.insert(block).second) open.append(pred_begin(block), pred_end(block));
  }
}

bool walk::run(Instruction& from, const BitVector& written) {
  if (!execute(from, {}, written)) return false;
  while (!open_.empty()) {
    auto* next = open_.pop_back_val();
    next->second.open = false;
    if (!execute(next->first.first->front(), next->first.second, next->second.written)) return false;
  }
  return true;
}

bool walk::execute(Instruction& from, known_slots slots, BitVector written) {
  for (auto known = values_.begin(); known != values_.end();) {
    known = isa<Argument>(known->first) ? std::next(known) : values_.erase(known);
  }
  for (Instruction* at = &from; at != nullptr; at = at->getNextNode()) {
    if (asked_.steps == 0) return false;
    --asked_.steps;
    if (ends_.contains(at)) return true;
    if (const construct* left = loops_.lookup(at)) leave(*left, slots, written);
    const BitVector before = at->isTerminator() ? written : BitVector();
    if (auto found = all_.find(at); found != all_.end()) {
      bool ends = false;
      if (!touch(*at, found->second, written, ends)) return false;
      if (ends) return true;
    }
    auto* slot = dyn_cast_or_null<AllocaInst>(getLoadStorePointerOperand(at));
    if (slot != nullptr && slots_.contains(slot)) {
      if (auto* store = dyn_cast<StoreInst>(at)) {
        slots.erase(slot);
        if (const known_value value = value_of(store->getValueOperand())) slots[slot] = value;
      } else if (auto known = slots.find(slot); known != slots.end()) {
        values_[at] = known->second;
      }
    } else if (is_lifetime(*at)) {
      // Fewer places.
      slots.erase(dyn_cast<AllocaInst>(at->getOperand(1)));
    } else if (const known_value value = result_of(*at, 0)) {
      values_[at] = value;
    }
    if (at->isTerminator()) leave_for(*at, slots, written, before);
  }
  return true;
}

bool walk::read(std::optional<std::int64_t> begin, std::uint64_t bytes, const BitVector& written) const {
  if (!begin) return written.all();
  if (*begin < 0 || *begin + bytes > written.size()) return false;
  for (std::uint64_t byte = 0; byte < bytes; ++byte) {
    if (!written.test(static_cast<unsigned>(*begin + byte))) return false;
  }
  return true;
}

void write(std::optional<std::int64_t> begin, std::uint64_t bytes, BitVector& written) {
  // Elsewhere it is not the variable that is written, or one does not know which part.
  if (!begin || *begin < 0 || *begin + bytes > written.size() || bytes == 0) return;
  written.set(static_cast<unsigned>(*begin), static_cast<unsigned>(*begin + bytes));
}

/// `ends`: it does not come back.
bool walk::touch(Instruction& instruction, const access& how, BitVector& written, bool& ends) {
  if (how.escapes) return false;
  const auto size_of = [&](Type* type) { return asked_.layout.getTypeStoreSize(type).getKnownMinValue(); };
  if (auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && load->isSimple()) {
    return read(offset_of(load->getPointerOperand()), size_of(load->getType()), written);
  }
  if (auto* store = dyn_cast<StoreInst>(&instruction); store != nullptr && store->isSimple()) {
    write(offset_of(store->getPointerOperand()), size_of(store->getValueOperand()->getType()), written);
    return true;
  }
  if (auto* transfer = dyn_cast<MemIntrinsic>(&instruction); transfer != nullptr && !transfer->isVolatile()) {
    const auto is_used = [&](Value* pointer) { return is_contained(how.by, pointer); };
    auto* length = dyn_cast<ConstantInt>(transfer->getLength());
    auto* copy = dyn_cast<MemTransferInst>(transfer);
    if (copy != nullptr && is_used(copy->getRawSource())) {
      const auto begin = length == nullptr ? std::nullopt : offset_of(copy->getRawSource());
      if (!read(begin, length == nullptr ? 0 : length->getZExtValue(), written)) return false;
    }
    if (length != nullptr && is_used(transfer->getRawDest())) {
      write(offset_of(transfer->getRawDest()), length->getZExtValue(), written);
    }
    return true;
  }
  auto* call = dyn_cast<CallBase>(&instruction);
  if (call != nullptr && how.writes && step_into(*call, how, written, ends)) return true;
  ends = false;
  return !how.reads || written.all();
}

/// Walks through the called function. @returns false: it may read what has not been written, or is not known.
bool walk::step_into(CallBase& call, const access& how, BitVector& written, bool& ends) {
  Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isDeclaration() || callee->isInterposable() || callee->isVarArg() ||
      callee->arg_size() != call.arg_size() || depth_ == k_most_depth || how.by.size() != 1) {
    return false;
  }
  Argument* parameter = nullptr;
  for (unsigned operand = 0; operand < call.arg_size(); ++operand) {
    if (call.getArgOperand(operand) != how.by.front()) continue;
    if (parameter != nullptr || call.isByValArgument(operand)) return false;
    parameter = callee->getArg(operand);
  }
  const auto base = offset_of(how.by.front());
  if (parameter == nullptr || !base) return false;
  auto found = asked_.of_parameters.find(parameter);
  if (found == asked_.of_parameters.end()) {
    found = asked_.of_parameters.emplace(parameter, accesses_of(*parameter, asked_.known)).first;
  }
  walk inside(asked_, *callee, *parameter, *base, found->second, depth_ + 1);
  for (unsigned operand = 0; operand < call.arg_size(); ++operand) {
    const known_value value = value_of(call.getArgOperand(operand));
    if (value && !value.is_address) inside.give(*callee->getArg(operand), value);
  }
  if (!inside.run(callee->getEntryBlock().front(), written)) return false;
  ends = !inside.at_return();
  if (!ends) written = *inside.at_return();
  return true;
}

std::optional<std::int64_t> walk::offset_of(Value* pointer) {
  const known_value value = value_of(pointer);
  return value && value.is_address ? std::optional(value.number->getSExtValue()) : std::nullopt;
}

known_value walk::value_of(Value* value, unsigned depth) {
  if (value == &root_) {
    return {ConstantInt::getSigned(Type::getInt64Ty(root_.getContext()), base_), true};
  }
  if (auto* number = dyn_cast<ConstantInt>(value)) return {number};
  if (auto known = values_.find(value); known != values_.end()) return known->second;
  // Computed in an earlier block, from what does not change.
  auto* made = dyn_cast<Instruction>(value);
  return made == nullptr || depth == k_most_operations ? known_value{} : result_of(*made, depth + 1);
}

known_value walk::address_of(GEPOperator& element, unsigned depth) {
  const known_value base = value_of(element.getPointerOperand(), depth);
  if (!base || !base.is_address) return {};
  APInt offset(asked_.layout.getIndexTypeSizeInBits(element.getType()), 0);
  const bool is_known = element.getType()->isPointerTy() &&
                        element.accumulateConstantOffset(asked_.layout, offset, [&](Value& index, APInt& result) {
                          const known_value number = value_of(&index, depth);
                          if (!number || number.is_address) return false;
                          result = number.number->getValue();
                          return true;
                        });
  if (!is_known) return {};
  Type* type = base.number->getType();
  const std::int64_t sum = base.number->getSExtValue() + offset.getSExtValue();
  return {ConstantInt::getSigned(cast<IntegerType>(type), sum), true};
}

/// What is neither loaded nor merged has the same value wherever it is computed from the same.
known_value walk::result_of(Instruction& instruction, unsigned depth) {
  if (auto* element = dyn_cast<GEPOperator>(&instruction)) return address_of(*element, depth);
  const bool is_number = instruction.getType()->isIntegerTy();
  if (!is_number || instruction.getType()->getIntegerBitWidth() > 64) return {};
  const bool is_known_kind = isa<BinaryOperator>(instruction) || isa<CastInst>(instruction) ||
                             isa<ICmpInst>(instruction) || isa<SelectInst>(instruction) || isa<FreezeInst>(instruction);
  if (!is_known_kind) return {};
  SmallVector<ConstantInt*, 3> numbers;
  for (Value* operand : instruction.operands()) {
    const known_value value = value_of(operand, depth);
    if (!value || value.is_address) return {};
    numbers.push_back(value.number);
  }
  Constant* result = nullptr;
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction)) {
    result = ConstantFoldBinaryOpOperands(operation->getOpcode(), numbers[0], numbers[1], asked_.layout);
  } else if (auto* change = dyn_cast<CastInst>(&instruction)) {
    result = ConstantFoldCastOperand(change->getOpcode(), numbers[0], change->getType(), asked_.layout);
  } else if (auto* test = dyn_cast<ICmpInst>(&instruction)) {
    result = ConstantFoldCompareInstOperands(test->getPredicate(), numbers[0], numbers[1], asked_.layout);
  } else if (isa<SelectInst>(instruction)) {
    result = numbers[0]->isOne() ? numbers[1] : numbers[2];
  } else {
    result = numbers[0];
  }
  return {dyn_cast_or_null<ConstantInt>(result)};
}

/// A loop that may end at any time is walked once for all of its iterations: what it counts is not known from then on.
void walk::forget_counters(Value* condition, known_slots& slots) const {
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*> open{condition};
  while (!open.empty()) {
    Value* value = open.pop_back_val();
    if (!seen.insert(value).second || seen.size() > 64) continue;
    if (auto* slot = dyn_cast<AllocaInst>(value)) {
      slots.erase(slot);
    } else if (auto* made = dyn_cast<Instruction>(value)) {
      open.append(made->op_begin(), made->op_end());
    }
  }
}

void walk::leave_for(Instruction& end, const known_slots& slots, const BitVector& written, const BitVector& unwound) {
  BasicBlock& block = *end.getParent();
  if (isa<ReturnInst>(end)) {
    if (!at_return_) {
      at_return_ = written;
    } else {
      *at_return_ &= written;
    }
    return;
  }
  Value* condition = nullptr;
  if (auto* branch = dyn_cast<BranchInst>(&end); branch != nullptr && branch->isConditional()) {
    condition = branch->getCondition();
    if (const known_value taken = value_of(condition)) {
      go_to(block, *branch->getSuccessor(taken.number->isZero() ? 1 : 0), slots, written);
      return;
    }
  } else if (auto* choice = dyn_cast<SwitchInst>(&end)) {
    condition = choice->getCondition();
    if (const known_value taken = value_of(condition); taken && !taken.is_address) {
      go_to(block, *choice->findCaseValue(taken.number)->getCaseSuccessor(), slots, written);
      return;
    }
  }
  known_slots rest = slots;
  if (condition != nullptr) forget_counters(condition, rest);
  for (BasicBlock* next : successors(&block)) {
    // What a call has written when it throws is not known.
    go_to(block, *next, rest, next->isEHPad() ? unwound : written);
  }
}

/// Its variables are its own, and what it has written there is nobody else's.
void walk::leave(const construct& part, known_slots& slots, BitVector& written) const {
  slots.clear();
  if (writers_.contains(&part)) written.reset();
}

void walk::go_to(BasicBlock& from, BasicBlock& to, known_slots slots, BitVector written) {
  if (parts_ != nullptr) {
    if (!leading_.contains(&to)) return;
    for (const construct& part : *parts_) {
      if (!part.is_loop() && part.blocks.contains(&from) && !part.blocks.contains(&to)) leave(part, slots, written);
    }
  }
  if (states_.find({&to, slots}) == states_.end() && visits_[&to]++ >= k_most_states) {
    auto [wide, is_first] = widened_.try_emplace(&to, slots);
    if (!is_first) {
      for (auto known = wide->second.begin(); known != wide->second.end();) {
        auto other = slots.find(known->first);
        const bool is_same = other != slots.end() && other->second == known->second;
        known = is_same ? std::next(known) : wide->second.erase(known);
      }
    }
    slots = wide->second;
  }
  auto [found, is_new] = states_.try_emplace({&to, std::move(slots)});
  state& there = found->second;
  if (is_new) {
    there.written = std::move(written);
    if (states_.size() > k_most_places) asked_.steps = 0;
  } else {
    BitVector both = there.written;
    both &= written;
    if (both == there.written) return;
    there.written = std::move(both);
  }
  if (!there.open) open_.push_back(&*found);
  there.open = true;
}

}  // namespace

bool may_be_read_from(Instruction& from, AllocaInst& variable, const accesses& all, const constructs& parts,
                      effects_of_functions& known) {
  const DataLayout& layout = variable.getModule()->getDataLayout();
  const auto bytes = variable.getAllocationSize(layout);
  if (!bytes || bytes->isScalable() || bytes->getFixedValue() > k_most_bytes) return true;
  shared_by_walks asked{known, layout, k_most_steps, {}};
  walk from_here(asked, *variable.getFunction(), variable, 0, all, 0);
  from_here.divide(parts);
  for (User* user : variable.users()) {
    if (is_lifetime(*user)) from_here.end_at(*cast<Instruction>(user));
  }
  return !from_here.run(from, BitVector(static_cast<unsigned>(bytes->getFixedValue())));
}

}  // namespace takt_plugin
