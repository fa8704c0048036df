// Why something stays with the OpenMP runtime. The reasons, as text, are in refusals.def.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <string>
#include <utility>

namespace takt_plugin {

enum class reason : std::uint8_t {
  none,
#define REFUSAL(id, text, advice) id,
#include "openmp/refusals.def"
#undef REFUSAL
};

/// A verdict: false, nothing is in the way; else why, of what, and where.
class refusal {
 public:
  refusal() = default;
  refusal(reason why) : why_(why) {}  // NOLINT: a reason is a refusal
  refusal(reason why, llvm::StringRef argument) : why_(why), argument_(argument.str()) {}

  explicit operator bool() const { return why_ != reason::none; }
  bool operator==(reason why) const { return why_ == why; }
  reason why() const { return why_; }
  /// Where in the program that is, if the compiler has kept it.
  const llvm::DebugLoc& place() const { return place_; }
  refusal at(const llvm::Instruction& instruction) && {
    place_ = instruction.getDebugLoc();
    return std::move(*this);
  }
  /// As a remark has it.
  std::string text() const;

 private:
  reason why_ = reason::none;
  std::string argument_;
  llvm::DebugLoc place_;
};

/// The name of a reason in refusals.def, and what the user can do.
llvm::StringRef name_of(reason why);
llvm::StringRef advice_for(reason why);

}  // namespace takt_plugin
