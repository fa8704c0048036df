// stay: code that must not go on on another thread.
#pragma once

#include <takt/detail/elision.hpp>

#ifndef TAKT_ELISION
#include <takt/abi.hpp>
#endif

namespace TAKT_NAMESPACE {

/// While it lives, the code around it goes on on the thread that it is on.
///
/// After a join code may go on on another thread, where its thread-locals are others and a mutex that it has locked is
/// not its own. With a guard of this class around the forks, loops and waits that join, it does not: the thread waits
/// in place for what others have taken. What they have taken runs on their threads all the same, and other threads may
/// still take all that there is.
///
///     takt::stay here;
///     library_state& mine = state_of_this_thread();  // a thread_local
///     takt::parallel_for(0, n, body);
///     mine.done();                                   // still this thread's
///
/// Code inside OpenMP regions and oneTBB's tasks stays by itself. For bindings to other languages and runtimes that
/// keep something of a call per thread.
///
/// Guards are made and destroyed in the order of scopes, by the same task. Outside a parallel call one does nothing, as
/// the outermost call returns on its own thread anyway.
/// Cost: two calls; a join of a branch that another worker still runs keeps this one waiting, with no other work.
class stay {
 public:
  stay() noexcept { add(1); }
  ~stay() { add(-1); }
  stay(const stay&) = delete;
  stay& operator=(const stay&) = delete;

 private:
  static void add([[maybe_unused]] int more) noexcept {
#ifndef TAKT_ELISION
    takt_stay(more);
#endif
  }
};

}  // namespace TAKT_NAMESPACE
