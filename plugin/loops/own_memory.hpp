// Memory that each thread of a region allocates for itself.
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace takt_plugin {

/// Whether `call` gives back memory that its thread has allocated in the region, and of which code that is seen lets
/// nobody else know. So no other thread can tell when that is.
bool gives_back_own_memory(const llvm::CallBase& call);

}  // namespace takt_plugin
