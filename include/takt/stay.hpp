// stay: code that must remain on its thread.
#pragma once

#include <takt/detail/elision.hpp>

#ifndef TAKT_ELISION
#include <takt/abi.hpp>
#endif

namespace TAKT_NAMESPACE {

/// A guard: while it lives, the code in its scope remains on the thread that made it.
///
/// After a join, code may continue on another thread, where its thread-local variables are others, and where it does
/// not own the mutexes that it has locked. With a guard around the forks, loops and waits that join, it does not: its
/// thread waits in place for what other workers have stolen. Other workers may steal as much as without a guard, and
/// what they steal runs on their threads.
///
///     takt::stay here;
///     library_state& mine = state_of_this_thread();  // a thread_local
///     takt::parallel_for(0, n, body);
///     mine.done();                                   // still this thread's
///
/// It is for bindings to other languages and runtimes that keep something per thread. Code inside OpenMP regions and
/// oneTBB's tasks needs none: it stays by itself.
///
/// Guards are made and destroyed in the order of scopes, by the same task. Outside a parallel call a guard does
/// nothing, as the outermost call returns on its own thread anyway.
/// Cost: two calls. At a join of a branch that another worker still runs, this worker waits and does no other work.
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
