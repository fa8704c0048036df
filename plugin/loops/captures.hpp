// How a loop gets at the variables around it.
#pragma once

#include "openmp/region.hpp"

namespace takt_plugin {

enum class capture {
  as_given,  ///< what the outlined function gets
  value,     ///< a variable that nobody writes during the loop: loaded once
  copied,    ///< a variable whose address is known to nobody else: slices get a copy, which is copied back
  in_record  ///< the same, and the record of captures has room for it: it is not aligned more than its type asks for
};

/// Whether the variable, an array or a struct maybe, may be copied in the time that the slow path takes anyhow.
bool is_small(const llvm::AllocaInst& variable);

struct captured {
  capture how = capture::as_given;
  llvm::Type* type = nullptr;  ///< of the variable, for all but `as_given`
  llvm::Align align;           ///< of the variable, for copies
};

/// How a converted loop passes on what `where`'s outlined function gets; one for each of its parameters.
std::vector<captured> classify_captures(const site& where, const block_set& ignored);

}  // namespace takt_plugin
