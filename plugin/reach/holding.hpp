// Where code holds a lock: see "Locks" in README.md beside this file.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <memory>

namespace takt_plugin {

/// Calls that take or give back a lock, beyond critical sections: of the OpenMP runtime, of pthreads, of C and C++.
bool is_lock_call(llvm::StringRef callee);

/// How many more are held than where the function began.
struct held {
  int criticals = 0;
  int locks = 0;    ///< of the OpenMP runtime
  int statics = 0;  ///< of variables that are being initialised
  int mutexes = 0;  ///< at most; the others are exact
  bool operator==(const held&) const = default;
  bool is_locked() const { return criticals > 0 || locks > 0 || mutexes > 0; }
  bool any() const { return is_locked() || statics > 0; }
  /// Whether it ends as it began, as far as that is exact.
  bool is_even() const { return criticals == 0 && locks == 0 && statics == 0; }
};

struct holding {
  held at_end;                                     ///< when it returns
  bool known = true;                               ///< each place has one number of each, but of mutexes
  bool unwinds = false;                            ///< an exception may leave it
  llvm::MapVector<llvm::CallBase*, held> holders;  ///< calls, but of locks, where some are held
};

class holdings {
 public:
  const holding& of(llvm::Function& function);

 private:
  holding walk(llvm::Function& function);

  llvm::DenseMap<llvm::Function*, std::unique_ptr<holding>> known_;
  llvm::SmallPtrSet<llvm::Function*, 8> begun_;  // being looked at, and not called by what has been seen since
};

}  // namespace takt_plugin
